// Measures a model on labelled utterances: accuracy and F1 of acts with the confusions, F1 of flags and of the roles of
// words. A span counts as found when role and words are the same.
import type { UnderstandingModel } from '../understanding/model/model.ts'
import { tokensOf } from '../understanding/model/tokens.ts'
import { faqMatched } from '../understanding/model/faq-matches.ts'
import { withoutTitles } from '../understanding/read.ts'
import type { Lexicon } from '../understanding/read.ts'
import type { Labelled } from './labelled.ts'

export interface Score {
  readonly name: string
  /** How often it is labelled, judged, and both. */
  readonly labelled: number
  readonly judged: number
  readonly right: number
}

export interface Measured {
  readonly utterances: number
  readonly actAccuracy: number
  readonly acts: readonly Score[]
  readonly flags: readonly Score[]
  /** Role and words are the same. */
  readonly roles: readonly Score[]
  /** The role is the same, and the words overlap: enough for a number or a genre to be found in them. */
  readonly rolesNear: readonly Score[]
  /** The most frequent confusions of acts. */
  readonly confusions: readonly { readonly labelled: string; readonly judged: string; readonly count: number }[]
  readonly microsecondsEach: number
}

export function measure(
  labelled: readonly Labelled[],
  parts: { readonly model: UnderstandingModel; readonly lexicon: Lexicon; readonly now: () => number },
): Measured {
  const { model, lexicon, now } = parts
  const acts = tally()
  const flags = tally()
  const roles = tally()
  const rolesNear = tally()
  const confusions = new Map<string, number>()
  let right = 0
  let ms = 0
  for (const one of labelled) {
    const mentions = lexicon.names.find(one.text)
    const words = withoutTitles(one.text, mentions)
    const faq = faqMatched(lexicon.faq.match(words, one.language))
    const tokens = tokensOf(one.text, mentions)
    const from = now()
    const judged = model.judge({ tokens, previous: one.previous, words, faq })
    ms += now() - from
    if (judged.act === one.act) right += 1
    else {
      const key = `${one.act}\t${judged.act}`
      confusions.set(key, (confusions.get(key) ?? 0) + 1)
    }
    acts.add([one.act], [judged.act])
    flags.add(one.flags, judged.flags)
    const labelOf = ({ role, from: start, to }: { role: string; from: number; to: number }) =>
      `${role}\t${one.text.slice(start, to)}`
    roles.add(one.spans.map(labelOf), judged.spans.map(labelOf))
    const near = one.spans.map((span) => ({ span, found: judged.spans.find((other) => overlap(span, other)) }))
    rolesNear.add(
      near.map(
        ({ span, found }, index) => `${span.role}\t${found === undefined ? -index - 1 : judged.spans.indexOf(found)}`,
      ),
      judged.spans.map(({ role }, index) => `${role}\t${index}`),
    )
  }
  return {
    utterances: labelled.length,
    actAccuracy: right / (labelled.length || 1),
    acts: acts.scores(),
    flags: flags.scores(),
    roles: roles.scores(),
    rolesNear: rolesNear.scores(),
    confusions: [...confusions]
      .map(([key, count]) => ({ labelled: key.split('\t')[0]!, judged: key.split('\t')[1]!, count }))
      .sort((a, b) => b.count - a.count),
    microsecondsEach: (ms * 1000) / (labelled.length || 1),
  }
}

interface Placed {
  readonly role: string
  readonly from: number
  readonly to: number
}
const overlap = (a: Placed, b: Placed): boolean => a.role === b.role && a.from < b.to && b.from < a.to

function tally() {
  const counts = new Map<string, { labelled: number; judged: number; right: number }>()
  const of = (name: string) => {
    const known = counts.get(name) ?? { labelled: 0, judged: 0, right: 0 }
    counts.set(name, known)
    return known
  }
  const named = (item: string) => item.split('\t')[0]!
  return {
    add(labelled: readonly string[], judged: readonly string[]): void {
      const rest = [...judged]
      for (const item of judged) of(named(item)).judged += 1
      for (const item of labelled) {
        of(named(item)).labelled += 1
        const at = rest.indexOf(item)
        if (at === -1) continue
        rest.splice(at, 1)
        of(named(item)).right += 1
      }
    },
    scores: (): readonly Score[] =>
      [...counts].map(([name, count]) => ({ name, ...count })).sort((a, b) => b.labelled - a.labelled),
  }
}

export const f1 = ({ labelled, judged, right }: Omit<Score, 'name'>): number =>
  labelled + judged === 0 ? 1 : (2 * right) / (labelled + judged)

export const total = (scores: readonly Score[]): Score =>
  scores.reduce(
    (sum, { labelled, judged, right }) => ({
      name: 'all',
      labelled: sum.labelled + labelled,
      judged: sum.judged + judged,
      right: sum.right + right,
    }),
    { name: 'all', labelled: 0, judged: 0, right: 0 },
  )
