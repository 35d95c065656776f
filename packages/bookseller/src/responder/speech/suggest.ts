// Suggests series: an opening, one line for each series with its reason, and a closing that offers more.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../../catalogue/catalogue.ts'
import { isEmptyWish } from '../../understanding/ask.ts'
import type { AskInContext } from '../../understanding/in-context.ts'
import { authorNames } from '../../understanding/people.ts'
import { reasonFor } from '../../understanding/reasons.ts'
import { creditedTitleOf, factsOf, titleOf } from './facts.ts'
import type { Vary } from './vary.ts'

export interface Suggesting {
  readonly ask: AskInContext
  readonly liked: readonly Product[]
  readonly products: readonly Product[]
  readonly language: Language
  readonly vary: Vary
}

export function suggest(parts: Suggesting): string {
  const { ask, liked, products, language } = parts
  if (products.length === 0) return nothingFits(parts)
  const lines = products.map((product) =>
    lineOf(product, reasonFor(product, { wish: ask.wish, liked }, language), language),
  )
  return `${opening(parts)}\n\n${lines.join('\n')}\n\n${closing(parts)}`
}

function lineOf(product: Product, reason: string, language: Language): string {
  const title = creditedTitleOf(product, language)
  return language === 'ja'
    ? `- ${title}：${reason}です。${factsOf(product, 'ja')}。`
    : `- ${title}: ${reason}. ${factsOf(product, 'en')}.`
}

function opening({ ask, liked, language, products, vary }: Suggesting): string {
  const first = liked[0]
  if (ask.followsUp && first === undefined) return vary(FOLLOW_UP[language])
  if (first !== undefined)
    return vary(LIKED[language])(
      liked.map((product) => titleOf(product, language)).join(language === 'ja' ? 'や' : ' and '),
    )
  const { author } = ask.wish.filters
  if (author !== undefined) return AUTHOR[language](calledIn(language, author, products))
  return isEmptyWish(ask.wish) ? vary(ANYTHING[language]) : vary(WISHED[language])
}

/** The name of the author that was asked for, who may be one of two authors of a series. */
function calledIn(language: Language, author: string, products: readonly Product[]): string {
  const names = products.map((product) => authorNames(product.author))
  return (
    names
      .map(({ ja, en }) => (language === 'ja' ? author : en[ja.indexOf(author)]))
      .find((name) => name !== undefined) ?? author
  )
}

type Say = (title: string) => string

const LIKED: Readonly<Record<Language, readonly Say[]>> = {
  ja: [
    (title) => `${title}がお好きでしたら、こちらはいかがでしょうか。`,
    (title) => `${title}の次でしたら、このあたりがおすすめです。`,
    (title) => `${title}に通じるところのある作品を選びました。`,
  ],
  en: [
    (title) => `If you enjoy ${title}, these should suit you:`,
    (title) => `After ${title}, I would reach for one of these:`,
    (title) => `These share something with ${title}:`,
  ],
}
const FOLLOW_UP: Readonly<Record<Language, readonly string[]>> = {
  ja: ['でしたら、こちらはいかがでしょうか。', 'それでは、このあたりはいかがでしょう。'],
  en: ['In that case, how about these?', 'Then one of these might fit better:'],
}
const WISHED: Readonly<Record<Language, readonly string[]>> = {
  ja: [
    'ご希望に合いそうな作品を選びました。',
    'こちらの作品はいかがでしょうか。',
    '棚を見てまいりました。このあたりがおすすめです。',
  ],
  en: ['Here is what fits on our shelves:', 'These should be what you are after:', 'I would pick from these:'],
}
const ANYTHING: Readonly<Record<Language, readonly string[]>> = {
  ja: ['まずはこのあたりから、いかがでしょうか。'],
  en: ['Here are a few to start from:'],
}
const AUTHOR: Readonly<Record<Language, (author: string) => string>> = {
  ja: (author) => `${author}さんの作品は、当店ではこちらを取り扱っております。`,
  en: (author) => `By ${author}, we carry:`,
}

const CLOSING: Readonly<Record<Language, readonly string[]>> = {
  ja: [
    '気になる作品があれば、あらすじや在庫を詳しくご案内します。',
    'もっと短いもの、明るいものなど、お好みに合わせて選び直すこともできます。',
    '気になるものはありましたか？',
  ],
  en: [
    'Tell me which one catches your eye and I’ll say more.',
    'If you’d like something shorter, lighter or cheaper, just say so.',
    'Does one of them appeal to you?',
  ],
}

function closing({ language, vary }: Suggesting): string {
  return vary(CLOSING[language])
}

function nothingFits({ ask, language }: Suggesting): string {
  if (ask.followsUp) {
    return language === 'ja'
      ? '申し訳ございません、その条件に合うものは当店の棚には見つかりませんでした。条件をひとつゆるめて探してみましょうか？'
      : 'I’m sorry, nothing else on our shelves fits that. Shall I look again with one condition less?'
  }
  return language === 'ja'
    ? '申し訳ございません、ちょうど合うものは当店の棚には見つかりませんでした。お好きな作品をひとつ教えていただけますか？'
    : 'I’m sorry, nothing on our shelves fits that quite. Could you name one series that you like?'
}
