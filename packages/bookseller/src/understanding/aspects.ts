// The keys that the words of a wish or a dislike mean: genres, moods, readership and content. Words without a key stay
// words, and search compares their meaning.
import { CONTENT_KEYS } from '../catalogue/catalogue.ts'
import { fold } from '../text/words.ts'
import type { Aspect } from './reading.ts'
import { GENRES, MOODS, READERSHIPS } from './vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Words for content that a shopper may not want, by key; more words than shoppers use as wishes. */
const CONTENT_WORDS: Readonly<Partial<Record<(typeof CONTENT_KEYS)[number], string>>> = {
  gore: 'グロ、むごい、むごたらし、えぐい、エグ、生々しい、gross、grisly、disgusting、血、流血、残酷、残虐、スプラッタ、内臓、痛い、gore、gory、blood、bloody、guts、graphic、dismember、body horror',
  'violence-strong':
    'むごい、むごたらし、暴力、バイオレンス、殺し、人が死、残酷、残虐、violence、violent、killing、brutal、murder',
  'sexual-mild':
    'エロ、エッチ、お色気、えっち、下ネタ、セクシー、性的、いやらし、ecchi、fan service、fanservice、sexy、sexual、lewd、perv、nudity、raunchy',
  'sexual-strong':
    'エロ、エッチ、えっち、性的、アダルト、性描写、レイプ、ecchi、sexual、sex、explicit、smut、nsfw、rape',
  nudity: 'エロ、裸、ヌード、エッチ、お色気、nudity、naked、ecchi、fan service、fanservice',
  frightening:
    '幽霊、お化け、おばけ、ghost、ghoul、怖、こわ、恐、ホラー、不気味、scary、frighten、creepy、horror、spooky、nightmare、scared、terrif',
  loss: '死別、人が死、死ぬ、死ん、死に、お別れ、亡くな、鬱、die、dead、death、dies、dying、grief、loss、depress、tragic、tragedy',
  bullying: 'いじめ、イジメ、虐め、bully',
  suicide: '自殺、自死、suicid、self harm',
  abuse: '虐待、毒親、dv、abuse、abusive、rape',
  drugs: 'ドラッグ、麻薬、薬物、drug',
  'alcohol-tobacco': 'タバコ、煙草、喫煙、smoking、alcohol',
  war: '戦争、war',
  'animal-death':
    'ペットロス、動物が死、犬が死、猫が死、ペットが死、dog dies、animal death、animals die、cat dies、hurt animals',
  'strong-language': '汚い言葉、swear、profan、bad language',
}

export function aspectOf(text: string): Aspect {
  const plain = fold(text).replaceAll(/[-‐‑–]/gu, ' ')
  return {
    text,
    genres: keysIn(plain, GENRES),
    moods: keysIn(plain, MOODS),
    content: CONTENT_KEYS.filter((key) => CONTENT_WORDS[key]?.split('、').some((word) => occurs(plain, word)) ?? false),
  }
}

/** The readership that words name: 「少女漫画」, "seinen". */
export const demographicIn = (text: string): string | undefined => keysIn(fold(text), READERSHIPS)[0]

function keysIn(plain: string, vocabulary: Vocabulary): readonly string[] {
  return Object.entries(vocabulary)
    .filter(([key, { label, synonyms }]) =>
      [key, label.ja, label.en, ...synonyms.ja, ...synonyms.en].some((word) =>
        occurs(plain, stem(fold(word).replaceAll('-', ' '))),
      ),
    )
    .map(([key]) => key)
}

/** 「怖い」 without its ending, so that 「怖く」 and 「怖さ」 are found too. */
const stem = (word: string): string => (word.length > 1 && word.endsWith('い') ? word.slice(0, -1) : word)

const LATIN = /^[a-z]/u

function occurs(plain: string, word: string): boolean {
  if (word.length < 2 && !/\p{Script=Han}/u.test(word)) return false
  if (!LATIN.test(word)) return plain.includes(word)
  const at = plain.indexOf(word)
  if (at === -1) return false
  // "war" is not in "award", but "bully" begins "bullying".
  return (
    !LATIN.test(plain[at - 1] ?? ' ') &&
    (word.length > 4 || !LATIN.test(plain[at + word.length] ?? ' ') || plain[at + word.length] === 's')
  )
}
