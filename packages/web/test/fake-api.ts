// The JSON routes of the fake server: catalogue, FAQ, sessions, tickets. Envelope and fields are those of the real API.
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Language, ProductCard, PublicationStatus } from '@mangaassist/protocol'
import { genreNames, nameOf, readershipNames } from '../src/i18n.ts'

interface Entry {
  readonly id: string
  readonly title: { readonly ja: string; readonly en: string; readonly romaji: string }
  readonly author: Record<Language, string>
  readonly magazine: Record<Language, string>
  readonly synopsis: Record<Language, string>
  readonly demographic: string
  readonly genres: readonly string[]
  readonly moods: readonly string[]
  readonly firstYear: number
  readonly volumes: number
  readonly status: PublicationStatus
  readonly pricePerVolumeYen: number
  readonly stock: number
}

export type TurnCall = readonly [path: string, body: object]

interface Asked {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  readonly session: object | undefined
  readonly broken: boolean
  readonly calls: TurnCall[]
}

const catalogue = readFileSync(new URL('../../../data/catalogue.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((row) => JSON.parse(row) as Entry)

const faq = {
  ja: [
    {
      id: 'shipping-fee',
      topic: 'shipping',
      topicLabel: '配送',
      question: '送料はいくらですか',
      answer: '日本国内の送料は500円です。3,000円以上で無料になります。',
    },
    {
      id: 'shipping-time',
      topic: 'shipping',
      topicLabel: '配送',
      question: 'どのくらいで届きますか',
      answer: '日本国内へは3〜5日ほどでお届けします。',
    },
    {
      id: 'returns',
      topic: 'returns',
      topicLabel: '返品',
      question: '返品はできますか',
      answer: 'お届けから14日以内で未読のものはお受けします。',
    },
  ],
  en: [
    {
      id: 'shipping-fee',
      topic: 'shipping',
      topicLabel: 'Shipping',
      question: 'How much is shipping?',
      answer: 'Shipping within Japan is 500 yen, and free from 3,000 yen.',
    },
    {
      id: 'returns',
      topic: 'returns',
      topicLabel: 'Returns',
      question: 'Can I return a book?',
      answer: 'Unread books can come back within 14 days.',
    },
  ],
} as const

let tickets = 0

export async function answerApi({ request, response, url, session, broken, calls }: Asked): Promise<void> {
  const origin = request.headers.origin
  if (origin !== undefined) {
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-headers', 'Authorization, Content-Type')
  }
  if (request.method === 'OPTIONS') return void response.writeHead(204).end()
  if (broken) return fail(response, 500, 'INTERNAL_ERROR')
  const language = languageOf(request, url)
  if (url.pathname === '/api/products') return succeed(response, ...list(url.searchParams, language))
  if (url.pathname === '/api/faq')
    return succeed(response, faq[language], { contact: '窓口 support@shop.example（10:00〜21:00）' })
  if (url.pathname === '/api/ticket') return ticket(response, await bodyOf(request))
  if (url.pathname.startsWith('/api/turns/')) {
    calls.push([url.pathname, await bodyOf(request)])
    return succeed(response, {})
  }
  const [, id] = /^\/api\/products\/(.+)$/.exec(url.pathname) ?? []
  const entry = catalogue.find((one) => one.id === id)
  if (entry !== undefined) return succeed(response, detail(entry, language))
  if (url.pathname.startsWith('/api/sessions/') && session !== undefined) return succeed(response, session)
  fail(response, 404, 'NOT_FOUND')
}

export function cards(ids: readonly string[], language: Language): ProductCard[] {
  return ids.flatMap((id) => catalogue.filter((entry) => entry.id === id).map((entry) => card(entry, language)))
}

function card(entry: Entry, language: Language): ProductCard & { demographic: string } {
  const { id, title, author, volumes, status, pricePerVolumeYen, stock, genres, demographic } = entry
  return {
    id,
    volumes,
    status,
    pricePerVolumeYen,
    stock,
    genres: [...genres],
    demographic,
    title: { ja: title.ja, en: title.en },
    author: author[language],
    url: `/series/${id}`,
  }
}

function list(query: URLSearchParams, language: Language): [object[], object] {
  const q = query.get('q')?.toLowerCase() ?? ''
  const wanted = (name: string): string => query.get(name) ?? ''
  const found = catalogue.filter(
    (entry) =>
      JSON.stringify([entry.title, entry.author]).toLowerCase().includes(q) &&
      (wanted('genre') === '' || entry.genres.includes(wanted('genre'))) &&
      (wanted('demographic') === '' || entry.demographic === wanted('demographic')) &&
      (wanted('status') === '' || entry.status === wanted('status')) &&
      (query.get('inStock') !== 'true' || entry.stock > 0),
  )
  const from = found.findIndex(({ id }) => id === query.get('after')) + 1
  const page = found.slice(from, from + Number(query.get('limit') ?? 20))
  const next = from + page.length < found.length ? page.at(-1)?.id : undefined
  return [page.map((entry) => card(entry, language)), next === undefined ? {} : { next }]
}

function detail(entry: Entry, language: Language): object {
  const similar = catalogue.filter(
    (other) => other !== entry && other.genres.some((genre) => entry.genres.includes(genre)),
  )
  return {
    ...card(entry, language),
    romaji: entry.title.romaji,
    magazine: entry.magazine[language],
    moods: entry.moods,
    firstYear: entry.firstYear,
    synopsis: entry.synopsis[language],
    labels: {
      genres: entry.genres.map((genre) => nameOf(genreNames, genre, language)),
      moods: entry.moods,
      demographic: nameOf(readershipNames, entry.demographic, language),
    },
    similar: similar.slice(0, 6).map((other) => card(other, language)),
  }
}

function ticket(response: ServerResponse, body: { guestToken?: string }): void {
  tickets += 1
  const expiresAt = new Date(Date.now() + 60_000).toISOString()
  succeed(response, { guestToken: body.guestToken ?? `guest-${tickets}`, ticket: `ticket-${tickets}`, expiresAt })
}

async function bodyOf(request: IncomingMessage): Promise<{ guestToken?: string }> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString()) as { guestToken?: string }
}

function languageOf(request: IncomingMessage, url: URL): Language {
  const wanted = url.searchParams.get('language') ?? request.headers['accept-language'] ?? 'ja'
  return wanted.startsWith('en') ? 'en' : 'ja'
}

function succeed(response: ServerResponse, data: unknown, metadata: object = {}): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, data, metadata: { timestamp: new Date().toISOString(), ...metadata } }))
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: false, error: { code, message: code }, metadata: {} }))
}
