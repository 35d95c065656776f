// The seam between what a reader has been shown and what another attempt says after a stream broke off: what of the new text
// is passed on. Either it verifiably continues what was shown, or none of it is.

export interface Seam {
  /** Text of the new attempt as it comes; answers what of it is to be shown now. */
  push(delta: string): string
  /** The attempt has ended: what was still held back, or that none of it fits. */
  finish(): { readonly kind: 'ok'; readonly text: string } | { readonly kind: 'mismatch' }
  /** From a mismatch on nothing is passed on, and the attempt can be stopped. */
  readonly state: 'undecided' | 'joined' | 'mismatch'
}

/** Nothing was shown, or the model was given the shown words as its own beginning: all that it says is new. */
export const JOINED: Seam = {
  state: 'joined',
  push: (delta) => delta,
  finish: () => ({ kind: 'ok', text: '' }),
}

/** Passes on what follows exactly the shown words, said again from the beginning; the first other unit is a mismatch. */
export function createExactSeam(shown: string): Seam {
  let said = 0
  let isOther = false
  const state = () => (isOther ? 'mismatch' : said < shown.length ? 'undecided' : 'joined')
  return {
    get state() {
      return state()
    },
    push(delta) {
      if (isOther) return ''
      const expected = shown.slice(said, said + delta.length)
      isOther = !delta.startsWith(expected)
      said += expected.length
      return isOther ? '' : delta.slice(expected.length)
    },
    finish: () => (state() === 'joined' ? { kind: 'ok', text: '' } : { kind: 'mismatch' }),
  }
}
