// Decides a pair without a judge, by the automatic checks of the evaluation: an answer with nothing wrong beats one with a fault.
import type { Pair, PairVerdict } from './pair.ts'
import type { TriedTurn } from './try-conversation.ts'

export function judgeByChecks({ a, b }: Pick<Pair, 'a' | 'b'>): PairVerdict {
  const [ofA, ofB] = [wrongIn(a.turn), wrongIn(b.turn)]
  const isTie = (ofA.length === 0) === (ofB.length === 0)
  if (isTie) return { kind: 'judged', winner: 'tie', margin: 0, reasons: [] }
  return ofA.length === 0
    ? { kind: 'judged', winner: 'a', margin: ofB.length, reasons: ofB }
    : { kind: 'judged', winner: 'b', margin: ofA.length, reasons: ofA }
}

/** The kind of the answer is not counted: it follows from the reading of the question, before any model is asked. */
export function wrongIn({ answer, faults, falseClaims, failure }: TriedTurn): readonly string[] {
  return [
    ...(failure === undefined ? [] : [`failed: ${failure}`]),
    ...(answer.text.trim() === '' ? ['no text'] : []),
    ...faults.filter(({ kind }) => kind !== 'act').map(({ kind, what }) => `${kind}: ${what}`),
    ...falseClaims.map((claim) => `false claim: ${claim}`),
  ]
}
