// Who we are to a server: the cookie's business at home, tickets abroad.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '@mangaassist/client'
import type { Kept, Memory } from '../../memory.ts'
import { createDoor } from './door.ts'

interface Request {
  readonly url: string
  readonly body: unknown
  readonly authorization: string | undefined
}
type Answer = (request: Request) => { status?: number; body?: unknown }

function abroad(answer: Answer, kept: Kept = {}) {
  let memory: Kept = kept
  const requests: Request[] = []
  const request = (async (url: string, init: RequestInit = {}) => {
    const headers = init.headers as Record<string, string> | undefined
    const body: unknown = init.body === undefined ? undefined : JSON.parse(init.body as string)
    const sent = { url, body, authorization: headers?.['authorization'] }
    requests.push(sent)
    const { status = 200, body: answered = {} } = answer(sent)
    return Response.json(answered, { status })
  }) as typeof fetch
  const store: Memory = {
    recall: () => memory,
    remember: (change) => {
      memory = { ...memory, ...change } as Kept
    },
  }
  const door = createDoor({ server: 'https://shop.example', page: 'https://blog.example', memory: store, request })
  const socketUrl = door.socketUrl as () => Promise<string>
  return { door, socketUrl, requests, kept: () => memory }
}

let made = 0
const grant = (guestToken = 'guest-1', livesMs = 60_000) => ({
  body: {
    success: true,
    data: { guestToken, ticket: `t${(made += 1)}`, expiresAt: new Date(Date.now() + livesMs).toISOString() },
  },
})
const isTicket = ({ url }: Request): boolean => url.endsWith('/api/ticket')
const refused = (code: string, status: number) => ({ status, body: { success: false, error: { code, message: code } } })

test('on the server’s own pages there is no ticket', () => {
  const memory: Memory = { recall: () => ({}), remember: () => {} }
  assert.equal(createDoor({ server: 'https://a', page: 'https://a', memory }).socketUrl, 'https://a')
})

test('the guest token is kept, and given for the next ticket', async () => {
  const { socketUrl, requests, kept } = abroad(() => grant())
  assert.match(await socketUrl(), /^https:\/\/shop\.example\/ws\?ticket=t\d+$/)
  assert.equal(kept().guestToken, 'guest-1')
  await socketUrl()
  assert.deepEqual(
    requests.map(({ body }) => body),
    [{}, { guestToken: 'guest-1' }],
  )
})

test('first uses at once make one guest', async () => {
  const { door, socketUrl, requests } = abroad(() => grant())
  await Promise.all([socketUrl(), door.fetch('/api/sessions/s'), socketUrl()])
  assert.equal(requests.filter(isTicket).length, 1)
})

test('requests carry a ticket, the same one while it lives', async () => {
  const { door, requests } = abroad((request) => (isTicket(request) ? grant() : {}))
  await door.fetch('/api/sessions/a')
  await door.fetch('/api/sessions/b')
  const [, first, second] = requests
  assert.match(first?.authorization ?? '', /^Bearer t\d+$/)
  assert.equal(first?.authorization, second?.authorization)
})

test('an old ticket is renewed before, a refused one after', async () => {
  const old = abroad((request) => (isTicket(request) ? grant('guest-1', 1000) : {}))
  await old.door.fetch('/api/sessions/a')
  await old.door.fetch('/api/sessions/b')
  assert.equal(old.requests.filter(isTicket).length, 2)

  let sent = 0
  const refusing = abroad((request) => {
    if (isTicket(request)) return grant()
    return (sent += 1) === 1 ? refused('UNAUTHENTICATED', 401) : {}
  })
  assert.equal((await refusing.door.fetch('/api/sessions/a')).status, 200)
})

test('a guest whom the server no longer knows begins again, without the old conversation', async () => {
  const { socketUrl, kept } = abroad(
    ({ body }) => ('guestToken' in (body as object) ? refused('UNAUTHENTICATED', 401) : grant('guest-2')),
    { guestToken: 'guest-1', sessionId: 's1' },
  )
  await socketUrl()
  assert.equal(kept().guestToken, 'guest-2')
  assert.equal(kept().sessionId, undefined)
})

test('a page that may not is told so for good; a busy server may be asked again', async (t) => {
  t.mock.method(console, 'error', () => {})
  await assert.rejects(abroad(() => refused('FORBIDDEN', 403)).socketUrl(), ChatError)
  await assert.rejects(abroad(() => refused('RATE_LIMITED', 429)).socketUrl(), (error) => !(error instanceof ChatError))
})

test('a refusal that the browser hides is told from a network that is not there', async (t) => {
  const complain = t.mock.method(console, 'error', () => {})
  const hidden = (reachable: boolean) =>
    abroad((request) => {
      if (isTicket(request) || !reachable) throw new TypeError('Failed to fetch')
      return {}
    }).socketUrl()
  await assert.rejects(hidden(false), (error) => !(error instanceof ChatError))
  assert.equal(complain.mock.callCount(), 0)
  await assert.rejects(hidden(true), { code: 'FORBIDDEN', details: { reason: 'origin-not-allowed' } })
  assert.match(String(complain.mock.calls[0]?.arguments[0]), /https:\/\/blog\.example.*server\.allowedOrigins/)
})
