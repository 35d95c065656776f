// Questions that name another series and leave out what they ask of it: "and the second one?", 「じゃあ2番目は？」. They ask what the
// last answer stated.
import type { AskedFact, Reading } from '../../understanding/reading.ts'
import type { Understood } from '../understood.ts'

/** Words that ask nothing by themselves. */
const CONNECTIVE =
  /じゃあ?|では|それなら|ほな|んで|で|あと|こっち|そっち|は|って|の|方|ほう|も|なら|だけ|のみ|だと|どう(?:です)?|ですか|か|違う|ちがう|いや|\b(?:and|what|how|about|then|so|ok(?:ay)?|but|the|for|one|is|it|no|nope|sorry|i|meant|mean|wait|actually|also|same|question|too|just|only|alone|if|with)\b|[\s\p{P}\p{S}]/giu

export function leftOut({ words, reading, before, isCorrected }: Understood): readonly AskedFact[] {
  if (before.asked === undefined || (!isCorrected && reading.act !== 'fact' && reading.act !== 'title')) return []
  return isCorrected === true || namesOnly(reading, words) ? before.asked : []
}

/** Whether the message consists of names of series, references and connecting words only. */
export function namesOnly({ spans }: Reading, words: string): boolean {
  const named = spans.filter(({ role }) => role === 'title' || role.startsWith('ref:'))
  const text = named
    .toSorted((a, b) => b.from - a.from)
    .reduce((rest, { from, to }) => `${rest.slice(0, from)} ${rest.slice(to)}`, words.normalize('NFKC'))
  return named.length > 0 && text.replaceAll(CONNECTIVE, '') === ''
}
