// How the chat identifies its guest: by cookie on the server's own pages, by ticket on other sites.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '@mangaassist/client'
import type { Remembered, Memory } from '../../memory.ts'
import { createServerAccess } from './server-access.ts'
import type { ServerAccessOptions } from './server-access.ts'

interface Request {
  readonly url: string
  readonly body: unknown
  readonly authorization: string | undefined
}
type Answer = (request: Request) => { status?: number; body?: unknown }

function onOtherSite(answer: Answer, remembered: Remembered = {}, more: Partial<ServerAccessOptions> = {}) {
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
    ...more,
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

test('a user’s token is exchanged with the guest’s, whose conversations the user adopts', async () => {
  const { socketUrl, requests, access } = onOtherSite(() => grant(), { guestToken: 'g' }, { token: async () => 'jwt' })
  await socketUrl()
  await access.fetch('/api/sessions')
  const [exchange, call] = requests
  assert.deepEqual([exchange?.authorization, exchange?.body], ['Bearer jwt', { guestToken: 'g' }])
  assert.match(call?.authorization ?? '', /^Bearer t\d+$/)
})

test('on the server’s own pages a user’s token is exchanged too, and a guest keeps the cookie', async () => {
  let token: string | null = 'jwt'
  const page = 'https://shop.example'
  const { socketUrl, access, requests } = onOtherSite(() => grant(), {}, { page, token: async () => token })
  assert.match(await socketUrl(), /\?ticket=/)
  token = null
  assert.equal(await socketUrl(), page)
  await access.fetch('/api/sessions')
  assert.equal(requests.at(-1)?.authorization, undefined)
})

test('a ticket of one person is not used for the next', async () => {
  let token = 'first'
  const { access, requests } = onOtherSite(() => grant(), {}, { token: async () => token })
  await access.fetch('/api/sessions')
  token = 'second'
  await access.fetch('/api/sessions')
  assert.deepEqual(
    requests.filter(isTicket).map(({ authorization }) => authorization),
    ['Bearer first', 'Bearer second'],
  )
})

test('a refused token is replaced once, then reported to the page, and the guest stays known', async () => {
  const error = { code: 'UNAUTHENTICATED', message: 'no', details: { reason: 'token-expired' } }
  const tokens = ['old', 'new', 'old', 'old']
  let reports = 0
  const { socketUrl, remembered, requests } = onOtherSite(
    ({ authorization }) => (authorization === 'Bearer new' ? grant('g') : { status: 401, body: { error } }),
    { guestToken: 'g' },
    { token: async () => tokens.shift() ?? null, tokenRefused: () => (reports += 1) },
  )
  assert.match(await socketUrl(), /\?ticket=/)
  assert.equal(reports, 0)
  await assert.rejects(socketUrl(), (thrown) => thrown instanceof ChatError && thrown.code === 'UNAUTHENTICATED')
  assert.deepEqual([reports, remembered().guestToken, requests.length], [1, 'g', 4])
})

test('what is no token is refused by the server and reported, whatever the page passed', async () => {
  const error = { code: 'UNAUTHENTICATED', message: 'no', details: { reason: 'key-unknown' } }
  for (const given of ['<!doctype html>\n<p>ログイン</p>', 'garbage', 'x'.repeat(100_000)]) {
    let reports = 0
    const { socketUrl, requests } = onOtherSite(
      () => ({ status: 401, body: { error } }),
      {},
      {
        token: async () => given,
        tokenRefused: () => (reports += 1),
      },
    )
    await assert.rejects(socketUrl(), (thrown) => thrown instanceof ChatError && thrown.code === 'UNAUTHENTICATED')
    const expected = `Bearer ${given === 'garbage' ? given : 'unreadable'}`
    assert.deepEqual([reports, ...requests.map(({ authorization }) => authorization)], [1, expected, expected])
  }
})

test('a token that is not there in time ends the attempt; another failure may be tried again', async () => {
  const late = new DOMException('x', 'TimeoutError')
  for (const page of ['https://blog.example', 'https://shop.example']) {
    const { socketUrl, access, requests } = onOtherSite(() => grant(), {}, { page, token: () => Promise.reject(late) })
    await assert.rejects(socketUrl(), { name: 'ChatError', code: 'CONNECTION_LOST' })
    await assert.rejects(access.fetch('/api/sessions'), { code: 'CONNECTION_LOST' })
    assert.deepEqual(requests, [])
  }
  const failed = new Error('The shop does not answer.')
  await assert.rejects(onOtherSite(() => grant(), {}, { token: () => Promise.reject(failed) }).socketUrl(), failed)
})
