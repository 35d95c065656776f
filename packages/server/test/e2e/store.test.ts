// The requests of the storefront and of a reloading page at the real server, over the bundled catalogue.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { FaqItem, ProductDetail, ProductItem, SessionDetail, successEnvelope } from '@mangaassist/protocol'
import Type from 'typebox'
import type { Static, TSchema } from 'typebox'
import Value from 'typebox/value'
import { cookieOf, postChat, SLOWLY, startServer, temporaryFolder } from './server-process.ts'

const folder = await temporaryFolder()
// Just slow enough that a page can reload before the end.
const server = await startServer({
  dataDir: folder.path,
  env: { ...SLOWLY, MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '60' },
})
after(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const Loose = Type.Object({ next: Type.Optional(Type.String()), contact: Type.Optional(Type.String()) })

async function get<Data extends TSchema>(path: string, data: Data, headers: Record<string, string> = {}) {
  const response = await fetch(server.address + path, { headers })
  assert.equal(response.status, 200, path)
  const body = (await response.json()) as { data: Static<Data>; metadata: Static<typeof Loose> }
  assert.deepEqual([...Value.Errors(successEnvelope(data, Loose), body)], [], path)
  return body
}

/** More than the shelf has. */
const PAGES_MAX = 1000

test('the whole catalogue can be paged through, and each page satisfies the filter', async () => {
  const seen: string[] = []
  let after: string | undefined = ''
  for (let page = 0; page < PAGES_MAX && after !== undefined; page += 1) {
    const query: string = `limit=50&status=completed&after=${after}`
    const { data, metadata } = await get(`/api/products?${query}`, Type.Array(ProductItem))
    assert.ok(data.every(({ status }) => status === 'completed'))
    seen.push(...data.map(({ id }) => id))
    after = metadata.next
  }
  assert.equal(after, undefined)
  assert.ok(seen.length > 50)
  assert.deepEqual(seen, [...new Set(seen)].toSorted())
})

test('a search finds a series by either of its names, and a filter applies', async () => {
  const first = async (query: string) => (await get(`/api/products?${query}`, Type.Array(ProductItem))).data[0]
  assert.equal((await first(`q=${encodeURIComponent('ベルセルク')}`))?.author, '三浦建太郎')
  assert.equal((await first('q=Berserk'))?.author, 'Kentaro Miura')
  assert.equal((await first('q=Berserk&language=ja'))?.author, '三浦建太郎')
  const { data } = await get('/api/products?q=dark&genre=horror&inStock=true', Type.Array(ProductItem))
  assert.ok(data.length > 0)
  assert.ok(data.every(({ genres, stock }) => genres.includes('horror') && stock > 0))
})

test('a series has a page in both languages with similar ones; an unknown one has none', async () => {
  const { data } = await get('/api/products/berserk?language=en', ProductDetail)
  assert.equal(data.labels.demographic, 'seinen')
  assert.equal(data.similar.length, 6)
  assert.ok(data.similar.every(({ id }) => id !== 'berserk'))
  const japanese = (await get('/api/products/berserk', ProductDetail)).data
  assert.equal(japanese.labels.demographic, '青年漫画')
  const unknown = await fetch(`${server.address}/api/products/no-such-series`, { headers: { accept: 'text/html' } })
  assert.equal(unknown.status, 404)
  assert.equal(((await unknown.json()) as { error: { code: string } }).error.code, 'NOT_FOUND')
})

test('the FAQ is listed by topic with a contact', async () => {
  const { data, metadata } = await get('/api/faq', Type.Array(FaqItem), { 'accept-language': 'en' })
  assert.ok(data.some(({ topicLabel }) => topicLabel === 'Shipping'))
  assert.match(metadata.contact ?? '', /support desk/)
})

test('a page that reloads in mid-answer finds the question, and afterwards the answer with its cards', async () => {
  const question = '進撃の巨人が好きなら次は何を読む？'
  const streaming = await postChat(server.address, { message: question }, { accept: 'text/event-stream' })
  const cookie = cookieOf(streaming)
  const reader = streaming.body?.pipeThrough(new TextDecoderStream())
  let text = ''
  let runningTurn: Static<typeof SessionDetail>['runningTurn']
  let sessionId = ''
  for await (const piece of reader ?? []) {
    text += piece
    sessionId = /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? ''
    if (runningTurn !== undefined || !text.includes('event: chunk')) continue
    ;({ runningTurn } = (await get(`/api/sessions/${sessionId}`, SessionDetail, { cookie })).data)
  }
  assert.equal(runningTurn?.question, question)
  const { data } = await get(`/api/sessions/${sessionId}`, SessionDetail, { cookie })
  assert.equal('runningTurn' in data, false)
  const [turn] = data.turns
  assert.equal(turn?.turnId, runningTurn?.turnId)
  const shown = turn?.products[0]
  assert.ok(shown)
  const { data: now } = await get(`/api/products/${shown.id}?language=ja`, ProductDetail)
  assert.deepEqual([shown.title, shown.author, shown.stock], [now.title, now.author, now.stock])
})
