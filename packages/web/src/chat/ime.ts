// Decides which Enter sends. The Enter that picks a candidate in a Japanese input method must not send, and browsers
// disagree on the order of its events. A pure state machine over that order; it uses no clock.
//
//   Chrome, Firefox   keydown (isComposing, 229)  compositionend  keyup
//   Safari            compositionend  keydown (229, not composing)  keyup
//   Android keyboards compose Latin words too:  compositionend  keydown (13)  keyup, and that Enter sends

export interface ImeState {
  readonly composing: boolean
  /** A key is pressed: a composition that ends now was ended by it. */
  readonly keyDown: boolean
  /** A composition ended before the event of the key that ended it: the next Enter is that key. */
  readonly owesEnter: boolean
}

export type ImeEvent =
  | { readonly type: 'compositionstart' }
  | { readonly type: 'compositionend'; readonly data: string }
  | {
      readonly type: 'keydown'
      readonly key: string
      readonly shiftKey: boolean
      readonly isComposing: boolean
      readonly keyCode: number
    }
  | { readonly type: 'keyup' }
  /** The field lost the focus or was clicked: no event of the key that ended the composition will follow. */
  | { readonly type: 'blur' | 'pointerdown' }

export interface ImeStep {
  readonly state: ImeState
  /** `swallow`: the Enter belongs to the input method, and must not add a line either. */
  readonly enter: 'send' | 'swallow' | undefined
}

export const imeAtRest: ImeState = { composing: false, keyDown: false, owesEnter: false }

/** The key code that browsers report while an input method handles the key. */
const keyCodeOfInputMethod = 229

export function ime(state: ImeState, event: ImeEvent): ImeStep {
  switch (event.type) {
    case 'compositionstart':
      return quietly({ ...state, composing: true, owesEnter: false })
    case 'compositionend':
      return quietly({ ...state, composing: false, owesEnter: !state.keyDown && !isLatin(event.data) })
    case 'keydown':
      return pressed(state, event)
    case 'keyup':
      return quietly({ ...state, keyDown: false, owesEnter: false })
    case 'blur':
      return quietly(imeAtRest)
    case 'pointerdown':
      return quietly({ ...state, owesEnter: false })
  }
}

function pressed(state: ImeState, event: ImeEvent & { type: 'keydown' }): ImeStep {
  const next = { ...state, keyDown: true, owesEnter: false }
  const isPlainEnter = event.key === 'Enter' && !event.shiftKey
  if (!isPlainEnter || state.composing || event.isComposing || event.keyCode === keyCodeOfInputMethod)
    return quietly(next)
  return { state: next, enter: state.owesEnter ? 'swallow' : 'send' }
}

function quietly(state: ImeState): ImeStep {
  return { state, enter: undefined }
}

function isLatin(text: string): boolean {
  return /^[\u0000-\u024f]*$/.test(text)
}
