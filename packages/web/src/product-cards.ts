// The titles that an answer mentions, as cards. Everything is set as text: the catalogue is data, never markup.
import type { ProductCard } from '@mangaassist/protocol'
import { element } from './element.ts'
import { say } from './words.ts'
import type { Word } from './words.ts'

const fewLeftMax = 5
const statusWords = {
  completed: 'statusCompleted',
  running: 'statusRunning',
  hiatus: 'statusHiatus',
} as const satisfies Record<ProductCard['status'], Word>

export function productCards(products: readonly ProductCard[]): HTMLElement[] {
  return products.map((product) => {
    const card = element('li', 'card')
    card.append(heading(product), author(product), facts(product), purchase(product))
    if (product.why !== undefined) card.append(element('p', 'why', product.why))
    return card
  })
}

/** Both titles, each in its language; the page's language decides which one is large. */
function heading({ title, url }: ProductCard): HTMLElement {
  const link = linkTo(url)
  link.className = 'title'
  const ja = element('span', '', title.ja)
  const en = element('span', '', title.en)
  ja.lang = 'ja'
  en.lang = 'en'
  link.append(ja, en)
  return link
}

/** A shop imports its own addresses: one that is not a web address (`javascript:`) makes no link. */
function linkTo(url: string): HTMLElement {
  const address = URL.parse(url, location.href)
  if (address === null || !/^https?:$/.test(address.protocol)) return document.createElement('span')
  const link = document.createElement('a')
  link.href = address.href
  return link
}

function author({ author }: ProductCard): HTMLElement {
  return element('p', 'author', author)
}

function facts({ status, volumes }: ProductCard): HTMLElement {
  const line = element('p', 'facts')
  const count = say(element('span'), status === 'completed' ? 'volumes' : 'volumesSoFar', volumes)
  line.append(count, say(element('span'), statusWords[status]))
  return line
}

function purchase({ pricePerVolumeYen, stock }: ProductCard): HTMLElement {
  const line = element('p', 'purchase')
  line.append(say(element('strong'), 'pricePerVolume', pricePerVolumeYen), stockLabel(stock))
  return line
}

function stockLabel(stock: number): HTMLElement {
  if (stock === 0) return say(element('span', 'stock out'), 'outOfStock')
  if (stock <= fewLeftMax) return say(element('span', 'stock few'), 'fewLeft', stock)
  return say(element('span', 'stock'), 'inStock')
}
