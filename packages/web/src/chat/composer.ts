// Behaviour of the field in which a question is written: which Enter sends, and a height that follows the text. Holds
// the input method's state; the element owns the field itself.
import { ime, imeAtRest } from './ime.ts'
import type { ImeEvent, ImeState } from './ime.ts'

export interface Composer {
  /** Must receive every event of the field that is an `ImeEvent`. */
  readonly handle: (event: Event) => void
  readonly grow: (field: HTMLTextAreaElement) => void
}

/** `changed` is called with the field each time that `grow` adapts it to its text. */
export function createComposer(send: () => void, changed?: (field: HTMLTextAreaElement) => void): Composer {
  let state: ImeState = imeAtRest
  return {
    handle(event) {
      const step = ime(state, read(event))
      state = step.state
      if (step.enter === undefined) return
      event.preventDefault()
      if (step.enter === 'send') send()
    },
    grow(field) {
      field.style.height = 'auto'
      field.style.height = `${field.scrollHeight}px`
      changed?.(field)
    },
  }
}

function read(event: Event): ImeEvent {
  if (event instanceof KeyboardEvent && event.type === 'keydown') {
    const { key, shiftKey, isComposing, keyCode } = event
    return { type: 'keydown', key, shiftKey, isComposing, keyCode }
  }
  if (event.type === 'compositionend') return { type: 'compositionend', data: (event as CompositionEvent).data }
  return { type: event.type as 'compositionstart' | 'keyup' | 'blur' | 'pointerdown' }
}
