// Whether an answer states a fact of a series, in the words of its language. What the shop does not know must be said to
// be unknown.
import type { Language } from '@mangaassist/protocol'
import { totalYen } from '../catalogue/catalogue.ts'
import type { Product } from '../catalogue/catalogue.ts'
import { fold } from '../text/words.ts'
import { authorNames } from '../understanding/people.ts'
import type { Expectation } from './conversation.ts'

type Field = NonNullable<Expectation['facts']>[number]['field']
interface Answer {
  readonly text: string
  readonly language: Language
}

const UNKNOWN =
  /わかり(?:かね|ません)|情報が(?:ありません|なく)|不明|登録が|確認でき(?:ま|て[いお])|not sure|don[’']t (?:know|have)|no (?:record|note|information)|isn[’']t recorded|unknown/iu

const STATUS: Readonly<Record<string, RegExp>> = {
  completed: /完結|全\d+巻|終わって|finished|complete|ended|concluded/iu,
  running:
    /連載中|続いて|続刊|刊行中|未完|ongoing|running|still (?:coming|going|being)|not (?:yet )?(?:finished|complete)|isn[’']t (?:finished|complete)|unfinished/iu,
  hiatus: /休載|止まって|中断|hiatus|pause/iu,
}

export function statesYen(text: string, yen: number): boolean {
  const digits = text.normalize('NFKC').replaceAll(/(?<=\d),(?=\d{3})/gu, '')
  return new RegExp(`(?<!\\d)${yen}(?!\\d)`, 'u').test(digits)
}

export function statesFact(answer: Answer, product: Product, field: Field): boolean {
  return STATED[field](answer, product) || (isUnknown(product, field) && UNKNOWN.test(answer.text))
}

const STATED: Readonly<Record<Field, (answer: Answer, product: Product) => boolean>> = {
  volumes: ({ text }, { volumes }) =>
    new RegExp(`(?<!\\d)${volumes}\\s*(?:巻|冊|volumes?|vols?|books?)|全${volumes}|1(?:〜|–|-)${volumes}`, 'iu').test(
      text.normalize('NFKC'),
    ),
  status: ({ text }, { status }) => status !== undefined && (STATUS[status]?.test(text) ?? false),
  price: ({ text }, { pricePerVolumeYen }) => statesYen(text, pricePerVolumeYen),
  total: ({ text }, product) => statesYen(text, totalYen(product)),
  author: ({ text }, { author, writer, artist }) =>
    [author, writer, artist].some((person) =>
      [...authorNames(person).ja, ...authorNames(person).en].some((name) => fold(text).includes(fold(name))),
    ),
  stock: ({ text }) => /在庫|売り切れ|品切れ|ございます|in stock|sold out|out of stock|available|copies/iu.test(text),
  magazine: ({ text }, { magazine }) =>
    magazine !== undefined && [magazine.ja, magazine.en].some((name) => fold(text).includes(fold(name))),
  year: ({ text }, { firstYear, lastYear }) =>
    [firstYear, lastYear].some((year) => year !== undefined && text.includes(String(year))),
  age: ({ text }, { age }) =>
    age !== undefined &&
    (new RegExp(`(?<!\\d)${age}\\s*(?:歳|才|years?|\\+|and (?:up|over))|ages? ${age}|aged ${age}`, 'iu').test(
      text.normalize('NFKC'),
    ) ||
      (age === 0 && /全年齢|お子さま|小さな|all ages|any age/iu.test(text))),
  synopsis: ({ text, language }, product) => sharesWords(text, product, language),
  anime: ({ text }) => /アニメ|映画|実写|ドラマ|映像化|anime|film|movie|live.action|adapt/iu.test(text),
  content: ({ text }) =>
    /描写|暴力|流血|グロ|残酷|怖|恐|死|別れ|喪失|性的|対象|歳|心配|violen|gore|blood|frighten|scary|death|loss|grief|sexual|nud|age|content|nothing to warn|war|bully|tobacco|drink/iu.test(
      text,
    ),
}

function isUnknown(product: Product, field: Field): boolean {
  const value = {
    year: product.firstYear,
    anime: product.adaptations,
    volumes: product.volumes,
    price: 1,
    total: 1,
    stock: 1,
  }
  return field in value ? value[field as keyof typeof value] === undefined : product[field as 'status'] === undefined
}

/** A synopsis is stated when a stretch of it, or of what the catalogue says of setting and hero, is in the answer. */
function sharesWords(text: string, { synopsis, setting, protagonist }: Product, language: Language): boolean {
  const answered = fold(text)
  const length = language === 'ja' ? 6 : 14
  return [synopsis, setting, protagonist].some((source) => {
    const words = fold(source?.[language] ?? '')
    for (let at = 0; at + length <= words.length; at += 3)
      if (answered.includes(words.slice(at, at + length))) return true
    return false
  })
}
