// Data for search engines in the words of schema.org: the shop, a series with its offer, the way to a page, questions and answers.
import type { FaqItem, ProductDetail } from '@mangaassist/protocol'
import { hrefIn, seriesPath } from '../addresses.ts'
import { shareHref } from '../covers/cover-address.ts'
import type { StoreContext } from '../store-page.ts'
import type { Crumb } from './parts.ts'

const SCHEMA = 'https://schema.org'

export function webSite({ href, language, origin, shopName }: StoreContext): object {
  return {
    '@context': SCHEMA,
    '@type': 'WebSite',
    name: shopName,
    url: origin + href('/'),
    inLanguage: language,
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${origin}${href('/')}?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  }
}

/** The offer is one volume at the price of the series. */
export function product(series: ProductDetail, { href, language, origin, shopName }: StoreContext): object {
  const { author, firstYear, id, labels, pricePerVolumeYen, publisher, stock, synopsis, title, volumes } = series
  const url = origin + href(seriesPath(id))
  return {
    '@context': SCHEMA,
    '@type': ['Product', 'BookSeries'],
    name: title[language],
    alternateName: title[language === 'ja' ? 'en' : 'ja'],
    url,
    image: `${origin}${shareHref(series)}`,
    sku: id,
    inLanguage: 'ja',
    numberOfItems: volumes,
    genre: labels.genres,
    ...(synopsis === undefined ? {} : { description: synopsis }),
    ...(author === undefined ? {} : { author: { '@type': 'Person', name: author } }),
    ...(publisher === undefined ? {} : { publisher: { '@type': 'Organization', name: publisher } }),
    ...(firstYear === undefined ? {} : { startDate: String(firstYear) }),
    offers: {
      '@type': 'Offer',
      url,
      price: pricePerVolumeYen,
      priceCurrency: 'JPY',
      availability: `${SCHEMA}/${stock > 0 ? 'InStock' : 'OutOfStock'}`,
      itemCondition: `${SCHEMA}/NewCondition`,
      seller: { '@type': 'Organization', name: shopName },
    },
  }
}

export function breadcrumbs(crumbs: readonly Crumb[], { language, origin }: StoreContext): object {
  return {
    '@context': SCHEMA,
    '@type': 'BreadcrumbList',
    itemListElement: crumbs.map(({ name, path }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name,
      item: origin + hrefIn(language, path),
    })),
  }
}

export function faqPage(items: readonly FaqItem[]): object {
  return {
    '@context': SCHEMA,
    '@type': 'FAQPage',
    mainEntity: items.map(({ answer, question }) => ({
      '@type': 'Question',
      name: question,
      acceptedAnswer: { '@type': 'Answer', text: answer },
    })),
  }
}
