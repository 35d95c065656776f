// Moving the focus with the arrow keys: one stop for the Tab key in a list or a table, and arrows, j, k, Home and End inside it.

const steps: Readonly<Record<string, (index: number, count: number) => number>> = {
  ArrowDown: (index, count) => Math.min(index + 1, count - 1),
  ArrowUp: (index) => Math.max(index - 1, 0),
  j: (index, count) => Math.min(index + 1, count - 1),
  k: (index) => Math.max(index - 1, 0),
  Home: () => 0,
  End: (_index, count) => count - 1,
}

/** Moves the focus from the current item to the one that the key means; returns whether it was such a key. */
export function moveFocus(event: KeyboardEvent, items: readonly HTMLElement[]): boolean {
  const step = steps[event.key]
  const index = items.findIndex((item) => item === document.activeElement)
  if (step === undefined || index === -1 || event.ctrlKey || event.metaKey || event.altKey) return false
  const next = items[step(index, items.length)]
  event.preventDefault()
  next?.focus()
  return true
}

/** The key handler of a table whose rows each have one `data-rove` link or button. */
export function roveRows(event: KeyboardEvent): void {
  if (!(event.currentTarget instanceof HTMLElement)) return
  moveFocus(event, [...event.currentTarget.querySelectorAll<HTMLElement>('[data-rove]')])
}

/** The focused row becomes the table's stop for the Tab key. */
export function keepStop(event: FocusEvent): void {
  const { currentTarget, target } = event
  if (!(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement) || !target.matches('[data-rove]'))
    return
  for (const item of currentTarget.querySelectorAll<HTMLElement>('[data-rove]'))
    item.tabIndex = item === target ? 0 : -1
}
