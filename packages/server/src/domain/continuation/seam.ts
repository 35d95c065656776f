// The seam between the text that a reader was shown and the text of another attempt after a stream broke off. The new text is passed
// on only if it verifiably continues the shown one.

export interface Seam {
  /** Takes text of the new attempt as it arrives; returns the part that can be shown now. */
  push(delta: string): string
  /** Ends the attempt; returns the text that was still held back, or a mismatch. */
  finish(): { readonly kind: 'ok'; readonly text: string } | { readonly kind: 'mismatch' }
  /** After a mismatch nothing is passed on, and the attempt can be stopped. */
  readonly state: 'undecided' | 'joined' | 'mismatch'
}

/** Passes everything on: nothing was shown, or the model got the shown text as the beginning of its own answer. */
export const JOINED: Seam = {
  state: 'joined',
  push: (delta) => delta,
  finish: () => ({ kind: 'ok', text: '' }),
}

/** For an attempt that must repeat the shown text exactly: passes on the text after it; the first difference is a mismatch. */
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
