// Does something to each of many, a slice at a time: telling ten thousand connections must not hold up the answers.
import type { Clock } from '#ports/clock/port.ts'

const SLICE = 250

/** What is added meanwhile may or may not be met; what is removed is not. */
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
