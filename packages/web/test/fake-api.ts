// The JSON routes of the fake server: sessions, tickets, calls about turns. Envelope and fields are those of the real API.
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Language, ProductCard, PublicationStatus, SessionSummary } from '@mangaassist/protocol'

interface Entry {
  readonly id: string
  readonly title: { readonly ja: string; readonly en: string }
  readonly author: Record<Language, string>
  readonly demographic: string
  readonly genres: readonly string[]
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
  readonly earlierSession: object | undefined
  readonly broken: boolean
  readonly calls: TurnCall[]
  readonly conversations: SessionSummary[]
}

const catalogue = readFileSync(new URL('../../../data/catalogue.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((row) => JSON.parse(row) as Entry)

let tickets = 0

export async function answerApi(asked: Asked): Promise<void> {
  const { request, response, url, session, broken, calls } = asked
  const origin = request.headers.origin
  if (origin !== undefined) {
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-headers', 'Authorization, Content-Type')
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
  }
  if (request.method === 'OPTIONS') return void response.writeHead(204).end()
  if (broken) return fail(response, 500, 'INTERNAL_ERROR')
  if (url.pathname === '/api/ticket') return ticket(response, await bodyOf(request))
  if (url.pathname.startsWith('/api/turns/')) {
    calls.push([url.pathname, await bodyOf(request)])
    return succeed(response, {})
  }
  if (request.method === 'DELETE') return remove(asked)
  if (url.pathname === '/api/sessions') return succeed(response, asked.conversations)
  if (url.searchParams.has('before')) return succeed(response, asked.earlierSession ?? { turns: [] })
  if (url.pathname.endsWith('/handover')) return handover(request, response, calls)
  if (url.pathname.startsWith('/api/sessions/') && session !== undefined) return succeed(response, session)
  fail(response, 404, 'NOT_FOUND')
}

/** One conversation, or everything of the caller. */
function remove({ url, response, conversations }: Asked): void {
  const index = conversations.findIndex(({ sessionId }) => url.pathname === `/api/sessions/${sessionId}`)
  if (url.pathname === '/api/me') conversations.length = 0
  else if (index !== -1) conversations.splice(index, 1)
  succeed(response, {})
}

/** A desk that is open, and a request for a person that stays open. */
async function handover(request: IncomingMessage, response: ServerResponse, calls: TurnCall[]): Promise<void> {
  const desk = {
    name: 'サポート窓口',
    contact: 'support@shop.example',
    timeZone: 'Asia/Tokyo',
    hours: [],
    isOpen: true,
  }
  if (request.method === 'GET') return succeed(response, { desk, passesOn: { turns: 1, orderNumber: '123' } })
  const body = await bodyOf(request)
  calls.push([request.url ?? '', body])
  succeed(response, { handoverId: 'h1', sessionId: 's1', state: 'open', at: new Date().toISOString(), ...body })
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

function succeed(response: ServerResponse, data: unknown, metadata: object = {}): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ success: true, data, metadata: { timestamp: new Date().toISOString(), ...metadata } }))
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ success: false, error: { code, message: code }, metadata: {} }))
}
