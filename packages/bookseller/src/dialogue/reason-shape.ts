// Whether a reason can be said as a sentence of its own. The fields of a series are phrases of varying shape, and a frame
// around the wrong shape is no sentence: 「…が、小学5年生に戻るが主人公です」. What fits no frame is left out.
import type { Language } from '@mangaassist/protocol'

export type ReasonKind =
  | 'alike'
  | 'pitch'
  | 'story'
  | 'protagonist'
  | 'setting'
  | 'themes'
  | 'lovedBy'
  | 'art'
  | 'labels'

export interface Reason {
  readonly kind: ReasonKind
  readonly text: string
}

/** Ends in a verb or an adjective. */
const CLAUSE = /(?:[うくすつぬむるぐぶ]|った|んだ|[いきしちにみりぎびえけせてねめれ]た|ない)$/u
/** Ends in a particle, or is more than one sentence. */
const UNFINISHED = /(?:[にへをでもとは]|から|まで)$|[。！？]/u
const PEOPLE =
  /(?:少女|少年|男|女|人|子|者|大人|若者|青年|娘|息子|兄弟|姉妹|親子|夫婦|家族|仲間|二人|三人|四人|たち|男子|女子|生徒|学生|主人公|[男女]性|棋士|選手|刑事|探偵|作家|漫画家|医師|教師)$/u
/** Says how one stands to the other, and not what both have. */
const RELATED =
  /^(?:同じ|こちら|師匠の)|源流|双璧|裏返し|先輩|後輩|元祖|本家|後継|続編|代表作|原点|大作|もう一つ|もうひとつ|元ネタ|ルーツ/u
const ENGLISH_RELATED =
  /^(?:the )?same\b|^(?:the (?:other|author|source|next|original|classic|elder|heir|great|manga|series|root|first)|its|also|where|what|honest|another|one who|how|when|who|from|in|on|by)\b|[:;.]/iu
/** People, and no place. */
const NO_PLACE = /^(?:[\w-]+ )?(?:high-schoolers|schoolchildren|students|people|friends|classmates|members)\b/iu

/** What both series have: people, a thing, or something that happens. */
export function alikeShape(text: string): 'clause' | 'people' | 'noun' {
  return CLAUSE.test(text) ? 'clause' : PEOPLE.test(text) ? 'people' : 'noun'
}

type Shape = (text: string) => boolean
const always: Shape = () => true

const JAPANESE: Readonly<Record<Reason['kind'], Shape>> = {
  alike: (text) => !RELATED.test(text) && !UNFINISHED.test(text),
  pitch: always,
  story: always,
  labels: always,
  protagonist: (text) => !CLAUSE.test(text) && !UNFINISHED.test(text),
  setting: (text) => !CLAUSE.test(text) && !UNFINISHED.test(text) && !PEOPLE.test(text),
  themes: (text) => !CLAUSE.test(text) && !UNFINISHED.test(text),
  art: (text) => !CLAUSE.test(text) && !UNFINISHED.test(text),
  lovedBy: (text) => text.endsWith('に') && !/。/u.test(text),
}

const ENGLISH: Readonly<Record<Reason['kind'], Shape>> = {
  alike: (text) => !ENGLISH_RELATED.test(text),
  pitch: always,
  story: always,
  labels: always,
  protagonist: (text) => !/[.;]/u.test(text),
  setting: (text) => !NO_PLACE.test(text) && !/[.;]/u.test(text),
  themes: (text) => !/[.;:]/u.test(text),
  art: (text) => !/[.;:]/u.test(text),
  lovedBy: (text) => !/^(?:loved|from|the one|for evenings)\b/iu.test(text),
}

const SHAPES = { ja: JAPANESE, en: ENGLISH }

export const isSayable = ({ kind, text }: Reason, language: Language): boolean => SHAPES[language][kind](text)
