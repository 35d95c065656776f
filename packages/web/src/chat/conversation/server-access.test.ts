// How the chat identifies its guest: by cookie on the server's own pages, by ticket on other sites.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '@mangaassist/client'
import type { Remembered, Memory } from '../../memory.ts'
import { createServerAccess } from './server-access.ts'

interface Request {
  readonly url: string
  readonly body: unknown
  readonly authorization: string | undefined
}
type Answer = (request: Request) => { status?: number; body?: unknown }

function onOtherSite(answer: Answer, remembered: Remembered = {}) {
  let memory: Remembered = remembered
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
      memory = { ...memory, ...change } as Remembered
    },
  }
  const access = createServerAccess({
    server: 'https://shop.example',
    page: 'https://blog.example',
    memory: store,
    request,
  })
  const socketUrl = access.socketUrl as () => Promise<string>
  return { access, socketUrl, requests, remembered: () => memory }
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

test('on the server’s own pages no ticket is used', () => {
  const memory: Memory = { recall: () => ({}), remember: () => {} }
  assert.equal(createServerAccess({ server: 'https://a', page: 'https://a', memory }).socketUrl, 'https://a')
})

test('the guest token is remembered and sent for the next ticket', async () => {
  const { socketUrl, requests, remembered } = onOtherSite(() => grant())
  assert.match(await socketUrl(), /^https:\/\/shop\.example\/ws\?ticket=t\d+$/)
  assert.equal(remembered().guestToken, 'guest-1')
  await socketUrl()
  assert.deepEqual(
    requests.map(({ body }) => body),
    [{}, { guestToken: 'guest-1' }],
  )
})

test('concurrent first requests create one guest', async () => {
  const { access, socketUrl, requests } = onOtherSite(() => grant())
  await Promise.all([socketUrl(), access.fetch('/api/sessions/s'), socketUrl()])
  assert.equal(requests.filter(isTicket).length, 1)
})

test('requests carry a ticket, the same one until it expires', async () => {
  const { access, requests } = onOtherSite((request) => (isTicket(request) ? grant() : {}))
  await access.fetch('/api/sessions/a')
  await access.fetch('/api/sessions/b')
  const [, first, second] = requests
  assert.match(first?.authorization ?? '', /^Bearer t\d+$/)
  assert.equal(first?.authorization, second?.authorization)
})

test('an expiring ticket is renewed before a request, a refused one after it', async () => {
  const old = onOtherSite((request) => (isTicket(request) ? grant('guest-1', 1000) : {}))
  await old.access.fetch('/api/sessions/a')
  await old.access.fetch('/api/sessions/b')
  assert.equal(old.requests.filter(isTicket).length, 2)

  let sent = 0
  const refusing = onOtherSite((request) => {
    if (isTicket(request)) return grant()
    return (sent += 1) === 1 ? refused('UNAUTHENTICATED', 401) : {}
  })
  assert.equal((await refusing.access.fetch('/api/sessions/a')).status, 200)
})

test('a guest whom the server no longer knows becomes a new guest without the old conversation', async () => {
  const { socketUrl, remembered } = onOtherSite(
    ({ body }) => ('guestToken' in (body as object) ? refused('UNAUTHENTICATED', 401) : grant('guest-2')),
    { guestToken: 'guest-1', sessionId: 's1' },
  )
  await socketUrl()
  assert.equal(remembered().guestToken, 'guest-2')
  assert.equal(remembered().sessionId, undefined)
})

test('a page that is not allowed gets a final error; after a busy server a retry works', async (t) => {
  t.mock.method(console, 'error', () => {})
  await assert.rejects(onOtherSite(() => refused('FORBIDDEN', 403)).socketUrl(), ChatError)
  await assert.rejects(
    onOtherSite(() => refused('RATE_LIMITED', 429)).socketUrl(),
    (error) => !(error instanceof ChatError),
  )
})

test('a refusal that the browser hides is distinguished from a network failure', async (t) => {
  const complain = t.mock.method(console, 'error', () => {})
  const hidden = (reachable: boolean) =>
    onOtherSite((request) => {
      if (isTicket(request) || !reachable) throw new TypeError('Failed to fetch')
      return {}
    }).socketUrl()
  await assert.rejects(hidden(false), (error) => !(error instanceof ChatError))
  assert.equal(complain.mock.callCount(), 0)
  await assert.rejects(hidden(true), { code: 'FORBIDDEN', details: { reason: 'origin-not-allowed' } })
  assert.match(String(complain.mock.calls[0]?.arguments[0]), /https:\/\/blog\.example.*server\.allowedOrigins/)
})
