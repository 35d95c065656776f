// Describes series that were named: what one is about, price and stock, and how several differ.
import type { Language } from '@mangaassist/protocol'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Measure } from '../../understanding/ask.ts'
import { GENRES, labelOf, MOODS } from '../../understanding/vocabulary.ts'
import { describeExtreme } from './describe-fact.ts'
import { creditedTitleOf, factsOf, lengthOf, priceOf, stockOf, titleOf, yen } from './facts.ts'

export function describeSeries(product: Product, language: Language): string {
  const known = language === 'ja' ? knownInJapanese(product) : knownInEnglish(product)
  const described = [...known, product.synopsis?.[language] ?? []].flat().join(language === 'ja' ? '' : ' ')
  // A product may be only a name and a price.
  if (described === '') return describePrices([product], language)
  return language === 'ja'
    ? `${described}\n\n${factsOf(product, 'ja')}です。`
    : `${described}\n\nIt is ${factsOf(product, 'en')}.`
}

function knownInJapanese(product: Product): readonly string[] {
  const { author, magazine, firstYear } = product
  const title = titleOf(product, 'ja')
  const origin = [
    ...(magazine === undefined ? [] : [`掲載は「${magazine.ja}」`]),
    ...(firstYear === undefined ? [] : [`開始は${firstYear}年`]),
  ]
  if (author !== undefined)
    return [`${title}は、${author.ja}さんの作品です。`, ...(origin.length === 0 ? [] : [`${origin.join('、')}です。`])]
  return origin.length === 0 ? [] : [`${title}の${origin.join('、')}です。`]
}

function knownInEnglish(product: Product): readonly string[] {
  const { author, magazine, firstYear } = product
  const title = titleOf(product, 'en')
  const origin = [
    ...(magazine === undefined ? [] : [`ran in ${magazine.en}`]),
    ...(firstYear === undefined ? [] : [`began in ${firstYear}`]),
  ]
  if (author !== undefined)
    return [`${title} is by ${author.en}.`, ...(origin.length === 0 ? [] : [`It ${origin.join('; it ')}.`])]
  return origin.length === 0 ? [] : [`${title} ${origin.join('; it ')}.`]
}

export function describePrices(products: readonly Product[], language: Language): string {
  const lines = products.map((product) => priceLine(product, language))
  const sorry = products.some((product) => product.stock === 0)
  const onward =
    language === 'ja'
      ? '次の入荷時期は、お問い合わせ窓口でお調べできます。'
      : 'Our support can tell you when it is back.'
  return [...lines, ...(sorry ? [onward] : [])].join(language === 'ja' ? '' : ' ')
}

function priceLine(product: Product, language: Language): string {
  const title = titleOf(product, language)
  if (language === 'ja') {
    const stock = product.stock === 0 ? 'ただいま品切れです' : `${stockOf(product, 'ja')}ございます`
    return `${title}は${priceOf(product, 'ja')}（税込）で、${stock}。${lengthOf(product, 'ja')}です。`
  }
  const stock = product.stock === 0 ? 'is out of stock just now' : `is available (${stockOf(product, 'en')})`
  return `${title} ${stock} at ${priceOf(product, 'en')}, tax included; ${lengthOf(product, 'en')}.`
}

export function compareSeries(products: readonly Product[], language: Language, most?: Measure): string {
  const lines = products.map((product) => profile(product, language)).join('\n')
  return most === undefined
    ? `${lines}\n\n${verdict(products, language)}`
    : `${describeExtreme(products, most, language)}\n\n${lines}`
}

function profile(product: Product, language: Language): string {
  const genres = product.genres.map((genre) => labelOf(GENRES, genre, language)).join(language === 'ja' ? '・' : ', ')
  const moods = product.moods.map((mood) => labelOf(MOODS, mood, language)).join(language === 'ja' ? '、' : ', ')
  const title = creditedTitleOf(product, language)
  const parts = [
    ...(genres === '' ? [] : [genres]),
    ...(moods === '' ? [] : [language === 'ja' ? `${moods}作品です` : moods]),
  ]
  if (language === 'ja') return `- ${title}：${[...parts, factsOf(product, 'ja')].join('。')}。`
  return `- ${title}: ${parts.length === 0 ? '' : `${parts.join('; ')}. `}${factsOf(product, 'en')}.`
}

/** The differences in length and price, if there are any; the choice by taste is left to the reader. */
function verdict(products: readonly Product[], language: Language): string {
  const shortest = least(products, (product) => product.volumes)
  const cheapest = least(products, (product) => product.pricePerVolumeYen)
  if (shortest !== undefined && shortest === cheapest) return both(shortest, products.length, language)
  const parts: string[] = []
  if (shortest !== undefined) {
    parts.push(
      language === 'ja'
        ? `早く読み終えられるのは${titleOf(shortest, 'ja')}（${shortest.volumes}巻）`
        : `${titleOf(shortest, 'en')} is the ${products.length > 2 ? 'shortest' : 'shorter'} read (${shortest.volumes} volumes)`,
    )
  }
  if (cheapest !== undefined) {
    parts.push(
      language === 'ja'
        ? `1巻あたりお手頃なのは${titleOf(cheapest, 'ja')}（${yen(cheapest.pricePerVolumeYen)}円）`
        : `${titleOf(cheapest, 'en')} costs ${products.length > 2 ? 'the least' : 'less'} a volume (¥${yen(cheapest.pricePerVolumeYen)})`,
    )
  }
  if (language === 'ja')
    return `${parts.length === 0 ? '' : `${parts.join('、')}です。`}どんな気分で読みたいか教えていただければ、一緒に選びます。`
  return `${parts.length === 0 ? '' : `${parts.join('; ')}. `}Tell me what you are in the mood for and I’ll help you choose.`
}

function both(product: Product, among: number, language: Language): string {
  const title = titleOf(product, language)
  const { volumes, pricePerVolumeYen } = product
  const [shorter, cheaper] = among > 2 ? ['the shortest', 'the cheapest'] : ['shorter', 'cheaper']
  return language === 'ja'
    ? `巻数（${volumes}巻）も1巻の価格（${yen(pricePerVolumeYen)}円）も控えめなのは${title}です。どんな気分で読みたいか教えていただければ、一緒に選びます。`
    : `${title} is both ${shorter} (${volumes} volumes) and ${cheaper} a volume (¥${yen(pricePerVolumeYen)}). Tell me what you are in the mood for and I’ll help you choose.`
}

/** The product with the smallest value; undefined when two share it. */
function least(products: readonly Product[], of: (product: Product) => number): Product | undefined {
  const smallest = Math.min(...products.map(of))
  const having = products.filter((product) => of(product) === smallest)
  return having.length === 1 ? having[0] : undefined
}
