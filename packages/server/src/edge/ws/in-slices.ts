// Processes many items, a slice at a time: sending to ten thousand connections must not delay the answers.
import type { Clock } from '#ports/clock/port.ts'

const SLICE = 250

/** Items added meanwhile may or may not be included; removed ones are not. */
export function inSlices<Item>(clock: Clock, items: Iterable<Item>, action: (item: Item) => void): void {
  const left = Iterator.from(items)
  const slice = (): void => {
    for (let done = 0; done < SLICE; done += 1) {
      const next = left.next()
      if (next.done === true) return
      action(next.value)
    }
    clock.defer(slice)
  }
  slice()
}
