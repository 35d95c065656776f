// Answers with the one fact that was asked first: who the author is, whether it is finished, which is cheaper.
import type { Language } from '@mangaassist/protocol'
import { totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import { byMeasure } from '../../retrieval/filters.ts'
import type { Fact, Measure } from '../../understanding/ask.ts'
import { factsOf, priceOf, stockOf, titleOf, yen } from './facts.ts'

export function describeFact(products: readonly Product[], fact: Fact, language: Language): string {
  const lines = products.map((product) => factLine(product, fact, language))
  const [only] = products
  if (products.length > 1 || only === undefined) return lines.map((line) => `- ${line}`).join('\n')
  // These facts already contain the length.
  if (fact === 'total' || fact === 'status' || fact === 'length')
    return `${lines.join('')}\n\n${priceAndStock(only, language)}`
  return `${lines.join('')}\n\n${language === 'ja' ? `${factsOf(only, 'ja')}です。` : `It is ${factsOf(only, 'en')}.`}`
}

const priceAndStock = (product: Product, language: Language): string =>
  language === 'ja'
    ? `${priceOf(product, 'ja')}（税込）、${stockOf(product, 'ja')}です。`
    : `It is ${priceOf(product, 'en')}, tax included; ${stockOf(product, 'en')}.`

function factLine(product: Product, fact: Fact, language: Language): string {
  const { author, firstYear, volumes, status } = product
  const title = titleOf(product, language)
  const count = `${volumes} ${volumes === 1 ? 'volume' : 'volumes'}`
  switch (fact) {
    case 'author':
      if (author === undefined) return unknown(title, { ja: 'の作者', en: 'who made it' }, language)
      return language === 'ja' ? `${title}の作者は${author.ja}さんです。` : `${title} is by ${author.en}.`
    case 'start':
      if (firstYear === undefined) return unknown(title, { ja: 'の開始年', en: 'when it began' }, language)
      return language === 'ja' ? `${title}は${firstYear}年に始まりました。` : `${title} began in ${firstYear}.`
    case 'status':
      if (status === undefined)
        return unknown(title, { ja: 'が完結しているかどうか', en: 'whether it is finished' }, language)
      return language === 'ja' ? statusInJapanese(title, product) : statusInEnglish(title, count, product)
    case 'length':
      return language === 'ja'
        ? `${title}は${extentInJapanese(product)}です。`
        : `${title} has ${count}${extentInEnglish(product)}.`
    case 'price':
      return language === 'ja' ? `${title}は${priceOf(product, 'ja')}です。` : `${title} is ${priceOf(product, 'en')}.`
    case 'total': {
      const total = yen(totalYen(product))
      return language === 'ja'
        ? `${title}は${extentInJapanese(product)}で約${total}円です。`
        : `All ${count}${extentInEnglish(product)} of ${title} come to about ¥${total}.`
    }
  }
}

function unknown(title: string, fact: { readonly ja: string; readonly en: string }, language: Language): string {
  return language === 'ja'
    ? `${title}${fact.ja}は、当店の情報では確認できません。`
    : `Our data on ${title} do not say ${fact.en}.`
}

function extentInJapanese({ status, volumes }: Product): string {
  return `${status === undefined ? '取り扱い' : status === 'completed' ? '全' : '既刊'}${volumes}巻`
}

function extentInEnglish({ status }: Product): string {
  return status === undefined ? ' on sale' : status === 'completed' ? '' : ' so far'
}

function statusInJapanese(title: string, { status, volumes }: Product): string {
  if (status === 'completed') return `${title}は全${volumes}巻で完結しています。`
  return status === 'hiatus'
    ? `${title}はまだ完結しておらず、休載中です（既刊${volumes}巻）。`
    : `${title}はまだ完結しておらず、連載中です（既刊${volumes}巻）。`
}

function statusInEnglish(title: string, count: string, { status }: Product): string {
  if (status === 'completed') return `${title} is complete in ${count}.`
  return `${title} is not finished: ${count} so far, and ${status === 'hiatus' ? 'on hiatus' : 'still running'}.`
}

const WORDS: Readonly<Record<Measure, { readonly ja: string; readonly two: string; readonly many: string }>> = {
  shorter: { ja: '短い', two: 'shorter', many: 'shortest' },
  longer: { ja: '長い', two: 'longer', many: 'longest' },
  cheaper: { ja: '安い', two: 'cheaper', many: 'cheapest' },
  dearer: { ja: '高い', two: 'dearer', many: 'dearest' },
}

/** Names the shortest, longest, cheapest or dearest series; several if they are equal. */
export function describeExtreme(products: readonly Product[], most: Measure, language: Language): string {
  const compare = byMeasure(most)
  const [first] = products.toSorted(compare)
  const best = products.filter((product) => first !== undefined && compare(product, first) === 0)
  const isLength = most === 'shorter' || most === 'longer'
  const figure = ({ volumes, pricePerVolumeYen }: Product) => {
    if (language === 'ja') return isLength ? `${volumes}巻` : `${yen(pricePerVolumeYen)}円`
    return isLength ? `${volumes} ${volumes === 1 ? 'volume' : 'volumes'}` : `¥${yen(pricePerVolumeYen)} a volume`
  }
  const named = best.map((product) => ({ title: titleOf(product, language), figure: figure(product) }))
  const { ja, two, many } = WORDS[most]
  if (language === 'ja') {
    const titles = named.map(({ title, figure: its }) => `${title}（${its}）`).join('と')
    if (best.length === products.length)
      return `${named.map(({ title }) => title).join('と')}は、${isLength ? '巻数' : '1巻の価格'}が同じです（${named[0]?.figure}）。`
    return `${products.length > 2 ? '一番' : ''}${ja}のは${titles}です。`
  }
  if (best.length > 1) return `${named.map(({ title }) => title).join(' and ')} are level: ${named[0]?.figure}.`
  return `${named[0]?.title} is the ${products.length > 2 ? many : two} (${named[0]?.figure}).`
}
