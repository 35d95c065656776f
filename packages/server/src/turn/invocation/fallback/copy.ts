// The assistant's own messages when no model answers, in both languages: that it cannot answer, that it will later, that it
// will not after all, and what it can help with. Each has several variants, chosen by the turn, with next steps.
import type { Language } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { pickBy } from '#lib/text/pick-by.ts'

export interface Words {
  readonly language: Language
  readonly turnId: string
  readonly store: Pick<Config['store'], 'name' | 'contact'>
}

/** A popular series to suggest meanwhile. */
interface PopularSeries {
  readonly id: string
  readonly title: Readonly<Record<Language, string>>
}

export interface MessageExtras {
  /** Named with links; may be empty. */
  readonly popular: readonly PopularSeries[]
  /** A person was called to this conversation. */
  readonly isHandedOver: boolean
}

type Variants = Readonly<Record<Language, readonly [string, ...string[]]>>

const POPULAR_MAX = 3

const APOLOGIES: Variants = {
  ja: [
    '申し訳ございません。ただいまアシスタントがお答えできません。少し時間をおいて、もう一度お試しください。',
    '申し訳ございません。アシスタントが混み合っており、今はお答えをご用意できません。しばらくしてからお声がけください。',
    'お待たせして申し訳ございません。ただいまお答えできない状態です。少しあとでもう一度おたずねください。',
  ],
  en: [
    'I’m sorry, I can’t answer properly just now. Please try again in a little while.',
    'I’m sorry, I wasn’t able to put an answer together this time. Please ask me again in a few minutes.',
    'I’m sorry to keep you waiting: I can’t give you a good answer at the moment. Please try again shortly.',
  ],
}

const ONWARD: Readonly<Record<Language, (contact: string) => string>> = {
  ja: (contact) => `お急ぎのときは[サポートページ](/support)をご覧いただくか、${contact}へお問い合わせください。`,
  en: (contact) => `If it can’t wait, see the [support page](/support) or contact ${contact}.`,
}

const HANDED_OVER: Readonly<Record<Language, string>> = {
  ja: '担当者にもこの会話のことを知らせています。',
  en: 'I’m also letting a member of our staff know about this conversation.',
}

const POPULAR: Readonly<Record<Language, (list: string) => string>> = {
  ja: (list) => `その間に、人気の作品はいかがでしょう：${list}`,
  en: (list) => `In the meantime, here are some popular series: ${list}`,
}

const DEFERRED: Variants = {
  ja: [
    'ご質問を承りました。ただいまアシスタントが大変混み合っているため、お答えできるようになりしだい、この会話でお返事いたします。',
    'ご質問はたしかにお預かりしました。アシスタントが戻りましたら、こちらの会話にお答えをお届けします。',
  ],
  en: [
    'I’ve taken your question. The assistant is very busy just now; the answer will appear in this conversation as soon as it is back.',
    'Your question is safe with me. I’ll answer it right here in this conversation once the assistant is available again.',
  ],
}

const DEFERRED_UNTIL: Readonly<Record<Language, (minutes: number, contact: string) => string>> = {
  ja: (minutes, contact) =>
    `${minutes}分ほどたってもお返事できないときは、この会話でお知らせします。お急ぎの場合は${contact}へどうぞ。`,
  en: (minutes, contact) =>
    `If that isn’t possible within about ${minutes} minutes, I’ll say so here. If it’s urgent, please contact ${contact}.`,
}

const GAVE_UP: Variants = {
  ja: [
    '先ほどお預かりしたご質問に、時間内にお答えすることができませんでした。申し訳ございません。お手数ですが、もう一度おたずねください。',
    'お待たせしたうえに申し訳ございません。お預かりしたご質問へのお答えをご用意できませんでした。改めてご質問いただけますと幸いです。',
  ],
  en: [
    'I’m sorry: I couldn’t answer the question I had kept for you in time. Please ask it again.',
    'Thank you for waiting, and I’m sorry: the assistant did not come back in time to answer your question. Please try it once more.',
  ],
}

const REDIRECTS: Variants = {
  ja: ['申し訳ございませんが、そのご質問にはお答えできません。', 'あいにく、その内容についてはお手伝いできません。'],
  en: ['I’m sorry, I can’t help with that one.', 'That’s something I’m not able to help with, I’m afraid.'],
}

const CAN_HELP: Readonly<Record<Language, (store: string) => string>> = {
  ja: (store) =>
    `${store}では、作品探しやおすすめ、あらすじ・巻数・価格・在庫のご案内、配送やお支払いについてのご質問を承っています。たとえば「泣ける完結済みの漫画は？」のようにおたずねください。`,
  en: (store) =>
    `Here at ${store} I can help you find or choose a manga, tell you about stories, volumes, prices and stock, and answer questions about delivery and payment. Try, for instance, “a finished series that will make me cry”.`,
}

/** No model can answer now. */
export function messageWords(words: Words, { popular, isHandedOver }: MessageExtras): string {
  const { language, store } = words
  const shown = popular.slice(0, POPULAR_MAX).map(({ id, title }) => `[${linkText(title[language])}](/series/${id})`)
  return joined(language, [
    varied(words, APOLOGIES),
    ONWARD[language](store.contact[language]),
    ...(isHandedOver ? [HANDED_OVER[language]] : []),
    ...(shown.length === 0 ? [] : [POPULAR[language](shown.join(language === 'ja' ? '、' : ', '))]),
  ])
}

/** The question is stored and will be answered in this conversation. */
export function deferredWords(words: Words, waitMs: number): string {
  const { language, store } = words
  const minutes = Math.max(1, Math.round(waitMs / 60_000))
  return joined(language, [varied(words, DEFERRED), DEFERRED_UNTIL[language](minutes, store.contact[language])])
}

/** A deferred question will not be answered after all. */
export function gaveUpWords(words: Words): string {
  const { language, store } = words
  return joined(language, [varied(words, GAVE_UP), ONWARD[language](store.contact[language])])
}

/** This question is not answered; the text names questions that are. */
export function redirectWords(words: Words): string {
  const { language, store } = words
  return joined(language, [varied(words, REDIRECTS), CAN_HELP[language](store.name[language])])
}

function varied({ language, turnId }: Words, variants: Variants): string {
  return pickBy(turnId, variants[language])
}

function joined(language: Language, sentences: readonly string[]): string {
  return sentences.join(language === 'ja' ? '' : ' ')
}

/** A bracket in a title would end the link early. */
function linkText(title: string): string {
  return title.replaceAll(/[[\]\\]/gu, String.raw`\$&`)
}
