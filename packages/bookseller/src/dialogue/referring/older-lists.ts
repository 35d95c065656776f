// Which of the lists that were shown a message means, when it is not the last one: 「最初に勧めてくれた」, "the first one you
// showed me", 「さっきの静かなほうの2つ目」.
import type { DialogueState, ShownList } from '../state.ts'
import type { Place } from './positions.ts'
import { termsOf } from './recall.ts'

const FIRST_SHOWN =
  /(?:最初|はじめ|初め)に[^、。]{0,6}(?:た|てくれ|てもら|ていただ)|\b(?:first|originally)\b[^,.?!]{0,12}\byou\b|\byou (?:first|originally)\b|at the (?:very )?(?:start|beginning)/iu

/** Words that point back, or that describe the list that a place is in. */
const BACK =
  /さっき|先ほど|前(?:の|に)|(?:ほう|方|やつ)の(?:\d|[一二三四]|最)|\b(?:earlier|before|previous(?:ly)?|back|of the)\b/iu

interface Meant {
  readonly ids: readonly string[]
  /** The first of it, where no place is named. */
  readonly place: Place
}

export function olderListIn(
  text: string,
  places: readonly Place[],
  { shown, seen }: Pick<DialogueState, 'shown' | 'seen'>,
): Meant | undefined {
  const first = FIRST_SHOWN.exec(text)
  const oldest = shown.at(-1)
  // A single series may have been shown before the first list.
  const alone = seen.at(-1)
  const isAlone = alone !== undefined && oldest?.ids.includes(alone) !== true
  if (first !== null && (isAlone || oldest !== undefined))
    return {
      ids: isAlone ? [alone] : (oldest?.ids ?? []),
      place: { at: 1, from: first.index, to: first.index + first[0].length },
    }
  const [place] = places
  if (place === undefined || shown.length < 2 || !BACK.test(text)) return undefined
  const described = likest(text, shown)
  return described === undefined ? undefined : { ids: described.ids, place }
}

/** The list whose wish the message repeats the words of, if the last list's wish does not have them. */
function likest(text: string, shown: readonly ShownList[]): ShownList | undefined {
  const terms = termsOf(text)
  const score = ({ words }: ShownList) => terms.filter((term) => words.includes(term)).length
  const [last, ...older] = shown
  if (last === undefined) return undefined
  const best = older.reduce<ShownList>((a, b) => (score(b) > score(a) ? b : a), last)
  return best === last ? undefined : best
}
