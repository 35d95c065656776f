// What was read from the words of a search, in one plain line, and what had to be left out to find something.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { ConditionName } from '@mangaassist/bookseller/dialogue/conditions'
import type { Intent } from '@mangaassist/bookseller/dialogue/intent'
import type { Grounding } from '@mangaassist/bookseller/grounding'
import { authorNames } from '@mangaassist/bookseller/understanding/people'
import type { Aspect, NamedSeries } from '@mangaassist/bookseller/understanding/reading'
import { english } from '@mangaassist/bookseller/wording/en/words'
import { japanese } from '@mangaassist/bookseller/wording/ja/words'

interface Words {
  line(what: string, details: readonly string[]): string
  readonly kinds: Readonly<Record<Intent['kind'], string>>
  readonly series: Readonly<Record<NamedSeries['role'], (title: string) => string>>
  quoted(text: string): string
  not(text: string): string
  by(name: string): string
  in(name: string): string
  age(years: number): string
  forReader(text: string): string
  relaxed(texts: readonly string[]): string
  readonly unsure: string
}

const EN: Words = {
  line: (what, details) => `Understood as ${[what, ...details].join(', ')}.`,
  kinds: {
    suggest: 'a wish',
    identify: 'a story to recognise',
    introduce: 'a title',
    inform: 'a question about a series',
    sum: 'a question about the total',
    fit: 'whether a series is like that',
    compare: 'a comparison',
    works: 'a search for an author’s works',
    explain: 'a question about a suggestion',
    unstocked: 'a series that the shop does not have',
    choose: 'a choice between series',
    buy: 'an order of a series',
    order: 'a question about an order',
    complaint: 'a complaint',
    person: 'a wish to speak with a person',
    faq: 'a question about the shop',
    ask: 'a question without a series',
    talk: 'talk without a search',
  },
  series: {
    title: (title) => title,
    like: (title) => `like ${title}`,
    read: (title) => `${title} already read`,
    hate: (title) => `not ${title}`,
  },
  quoted: (text) => `“${text}”`,
  not: (text) => `not ${text}`,
  by: (name) => `by ${name}`,
  in: (name) => `in ${name}`,
  age: (years) => `for age ${years}`,
  forReader: (text) => `for “${text}”`,
  relaxed: (texts) => `No series meets all of that. Left out: ${texts.join(', ')}.`,
  unsure: 'These are the nearest, and may not be what was meant.',
}

const JA: Words = {
  line: (what, details) => `読み取り：${[what, ...details].join('、')}`,
  kinds: {
    suggest: '作品の希望',
    identify: 'うろ覚えの作品',
    introduce: '作品名',
    inform: '作品についての質問',
    sum: '合計金額の質問',
    fit: '作品の内容の確認',
    compare: '作品の比較',
    works: '作者のほかの作品',
    explain: 'おすすめの理由',
    unstocked: '取り扱いのない作品',
    choose: '作品の選択',
    buy: '作品の購入',
    order: '注文についての質問',
    complaint: '苦情',
    person: '担当者への取り次ぎ',
    faq: 'お店についての質問',
    ask: '作品名のない質問',
    talk: '検索ではない会話',
  },
  series: {
    title: (title) => `『${title}』`,
    like: (title) => `『${title}』に似た作品`,
    read: (title) => `『${title}』は既読`,
    hate: (title) => `『${title}』以外`,
  },
  quoted: (text) => `「${text}」`,
  not: (text) => `${text}以外`,
  by: (name) => `作者：${name}`,
  in: (name) => `掲載：${name}`,
  age: (years) => `${years}歳向け`,
  forReader: (text) => `読む人：${text}`,
  relaxed: (texts) => `すべての条件に合う作品はありません。外した条件：${texts.join('、')}`,
  unsure: '近い作品を表示しています。お探しのものと違うかもしれません。',
}

const WORDS: Readonly<Record<Language, Words>> = { en: EN, ja: JA }
const WORDING = { en: english, ja: japanese }

export function readingLines(grounding: Grounding, language: Language): readonly string[] {
  const words = WORDS[language]
  const { intent, reading, relaxed, isUnsure } = grounding
  const { limits, publishedIn, want } = reading
  const left = relaxed.flatMap((name: ConditionName) =>
    WORDING[language].conditionTexts(name, { limits, publishedIn, want }),
  )
  return [
    words.line(words.kinds[intent.kind], details(grounding, language)),
    ...(left.length === 0 ? [] : [words.relaxed([...new Set(left)])]),
    ...(isUnsure && left.length === 0 && grounding.products.length > 0 ? [words.unsure] : []),
  ]
}

function details({ reading, products, liked }: Grounding, language: Language): readonly string[] {
  const words = WORDS[language]
  const known = [...products, ...liked]
  const titled = ({ id, text }: NamedSeries) => known.find((product) => product.id === id)?.title[language] ?? text
  const person = (name: string) => nameIn(known, name, language)
  const magazine = (name: string) => magazineIn(known, name, language)
  const quoted = ({ text }: Aspect) => words.quoted(text)
  const { series, by, notBy, publishedIn, notPublishedIn, want, avoid, plot, limits, audience } = reading
  return [
    ...series.map((one) => words.series[one.role](titled(one))),
    ...by.map((name) => words.by(person(name))),
    ...notBy.map((name) => words.not(words.by(person(name)))),
    ...publishedIn.map((name) => words.in(magazine(name))),
    ...notPublishedIn.map((name) => words.not(words.in(magazine(name)))),
    ...want.map(quoted),
    ...(plot === '' ? [] : [words.quoted(plot)]),
    ...WORDING[language].limitTexts(limits),
    ...avoid.map((aspect) => words.not(quoted(aspect))),
    ...(limits.age === undefined ? [] : [words.age(limits.age)]),
    ...(audience === undefined ? [] : [words.forReader(audience)]),
  ]
}

/** People are read as their Japanese names. */
function nameIn(products: readonly Product[], name: string, language: Language): string {
  for (const product of products) {
    for (const person of [product.author, product.writer, product.artist]) {
      const names = authorNames(person)
      const place = names.ja.indexOf(name)
      if (place !== -1) return names[language][place] ?? name
    }
  }
  return name
}

function magazineIn(products: readonly Product[], name: string, language: Language): string {
  const places = products.flatMap(({ magazine, publisher }) => [magazine, publisher])
  return places.find((place) => place?.ja === name)?.[language] ?? name
}
