// Restores the keyboard's focus when the screen changes under it. A control is remembered by its description and not as
// a node, because after a load, or after Back, another node has its place. Marks are plain data and are stored in the
// history.

/** A control of the screen: the `index`-th that its selector finds. */
export interface FocusMark {
  readonly selector: string
  readonly index: number
}

/** The attributes that identify a control, the most reliable first. */
const NAMED_BY = ['href', 'data-testid', 'name'] as const

const screen = (): Element | null => document.querySelector('#content')

/** Undefined for a control outside the screen, or one without a name. */
export function markOf(control: Element | null): FocusMark | undefined {
  const named = NAMED_BY.find((name) => control?.hasAttribute(name) === true)
  if (control === null || named === undefined) return undefined
  const selector = `${control.localName}[${named}="${CSS.escape(control.getAttribute(named) ?? '')}"]`
  const index = [...(screen()?.querySelectorAll(selector) ?? [])].indexOf(control)
  return index === -1 ? undefined : { selector, index }
}

export function markOfLink(href: string): FocusMark {
  return { selector: `a[href="${CSS.escape(href)}"]`, index: 0 }
}

/** The state that the history stores of a view that was left. */
export function markIn(state: unknown): FocusMark | undefined {
  return (state as { focus?: FocusMark } | null)?.focus
}

/** Focuses the marked control, or the last one of its kind where there are fewer now; false where there is none. */
export function focusMarked({ index, selector }: FocusMark): boolean {
  const found = [...(screen()?.querySelectorAll<HTMLElement>(selector) ?? [])]
  const control = found[index] ?? found.at(-1)
  control?.focus()
  return control !== undefined && document.activeElement === control
}

/** The heading says to a screen reader where it is, and Tab leads from there to the first control. */
export function focusHeading(): void {
  screen()?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
}

/** No control has the focus: the operator has not moved on. */
export function isFocusFree(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement.matches('body, #content, #content h1')
}
