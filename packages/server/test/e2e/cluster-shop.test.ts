// A shop on two real processes with one real Redis: carts, orders, requests for a person and the model history are the same on both,
// and what two callers do at the same time on both is done once.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AddedToCart, CartView, HandoverView, OrderView } from '@mangaassist/protocol'
import type { HandoverEntry, ModelsView } from '@mangaassist/protocol/admin'
import { secretHash } from '#lib/text/secret-hash.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { cookieOf, postChat, startServer, temporaryFolder } from './server-process.ts'

const TOKEN = 'maa_shop'

async function startNode(redisUrl: string) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const env = {
    MANGA_DEMO: 'true',
    MANGA_STATE__REDIS: redisUrl,
    MANGA_STATE__CALLMS: '10000',
    MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]),
    MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
    MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '0',
    // A cached answer calls no model.
    MANGA_ANSWERS__FRESHMS: '1',
    MANGA_ANSWERS__FOLLOWMS: '1',
  }
  const { address } = opened.use(await startServer({ dataDir: folder.path, env }))
  const keep = opened.move()
  return { address, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

const redis = await startRedis()
const [tokyo, osaka] = await Promise.all([startNode(redis.url), startNode(redis.url)])
const nodes = [tokyo, osaka]
after(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()))
  await redis[Symbol.asyncDispose]()
})

type Headers = Readonly<Record<string, string>>
interface Answer<Data> {
  readonly status: number
  readonly data: Data
  readonly code: string | undefined
}

const STAFF: Headers = { authorization: `Bearer ${TOKEN}` }

/** A GET, or with a body a POST. */
async function call<Data>(url: string, headers: Headers, body?: object): Promise<Answer<Data>> {
  const post = { method: 'POST', body: JSON.stringify(body) }
  const type: Headers = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url, { ...(body === undefined ? {} : post), headers: { ...headers, ...type } })
  const { data, error } = (await response.json()) as { data: Data; error?: { code: string } }
  return { status: response.status, data, code: error?.code }
}

/** A guest of the cluster with so many conversations, asked on both nodes in turn. */
async function guestWith(conversations: number) {
  let headers: Headers = {}
  const sessionIds: string[] = []
  for (let count = 0; count < conversations; count += 1) {
    const { address } = count % 2 === 0 ? tokyo : osaka
    const response = await postChat(address, { message: `${count + 1}巻の在庫はありますか` }, headers)
    assert.equal(response.status, 200)
    if (count === 0) headers = { cookie: cookieOf(response) }
    sessionIds.push(((await response.json()) as { data: { sessionId: string } }).data.sessionId)
  }
  return { headers, sessionIds }
}

/** Puts volumes into the cart on one node, and returns the cart as the other shows it. */
async function filledCart(headers: Headers): Promise<CartView> {
  const wanted = { productId: 'berserk', volumes: [1, 2], idempotencyKey: 'fill' }
  const added = await call<AddedToCart>(`${tokyo.address}/api/cart/items`, headers, wanted)
  assert.equal(added.status, 200)
  const { data: seen } = await call<CartView>(`${osaka.address}/api/cart`, headers)
  assert.deepEqual(seen, added.data.cart)
  return seen
}

async function ordersOf(headers: Headers): Promise<readonly OrderView[]> {
  const lists = await Promise.all(nodes.map(({ address }) => call<OrderView[]>(`${address}/api/orders`, headers)))
  assert.deepEqual(lists[0]?.data, lists[1]?.data)
  return lists[0]?.data ?? []
}

test('a cart filled on one node is seen on the other, and a checkout that is sent to both makes one order', async () => {
  const { headers } = await guestWith(1)
  const { totalYen, version } = await filledCart(headers)
  const order = { idempotencyKey: 'order', version, totalYen }
  const placed = await Promise.all(
    nodes.map(({ address }) => call<OrderView>(`${address}/api/checkout`, headers, order)),
  )
  assert.deepEqual(
    placed.map(({ status }) => status),
    [200, 200],
  )
  const [made, ...more] = await ordersOf(headers)
  assert.deepEqual([placed.map(({ data }) => data.id), more], [[made?.id, made?.id], []])
  for (const { address } of nodes)
    assert.equal((await call<CartView>(`${address}/api/cart`, headers)).data.count, 0, 'it is taken out once')
})

test('two checkouts of one cart at the same time, one on each node, make one order', async () => {
  const { headers } = await guestWith(1)
  const { totalYen, version } = await filledCart(headers)
  const placed = await Promise.all(
    nodes.map(({ address }, index) =>
      call<OrderView>(`${address}/api/checkout`, headers, { idempotencyKey: `tab ${index}`, version, totalYen }),
    ),
  )
  const refused = placed.filter(({ status }) => status !== 200).map(({ code = '' }) => code)
  assert.equal(refused.length, 1)
  // INVALID_REQUEST for one that came when the cart was empty already.
  assert.match(refused[0] ?? '', /^(?:CART_CHANGED|INVALID_REQUEST)$/)
  assert.equal((await ordersOf(headers)).length, 1)
})

test('a request for a person is in the inbox of the other node, is taken once, and the shopper sees it on both', async () => {
  const { headers, sessionIds } = await guestWith(1)
  const path = `/api/sessions/${sessionIds[0]}/handover`
  const asked = await call<HandoverView>(`${tokyo.address}${path}`, headers, { orderNumber: '48213' })
  assert.deepEqual([asked.status, asked.data.state], [200, 'open'])
  const { handoverId } = asked.data
  const inbox = await call<HandoverEntry[]>(`${osaka.address}/api/admin/handovers?state=open`, STAFF)
  const found = inbox.data.find((entry) => entry.handoverId === handoverId)
  assert.equal(found?.orderNumber, '48213')
  const take = { reason: 'I call them' }
  const taken = await Promise.all(
    nodes.map(({ address }) => call(`${address}/api/admin/handovers/${handoverId}/take`, STAFF, take)),
  )
  assert.equal(taken.filter(({ status }) => status === 200).length, 1)
  for (const { address } of nodes) {
    const { data } = await call<{ request?: HandoverView }>(`${address}${path}`, headers)
    assert.equal(data.request?.state, 'taken')
  }
})

test('a shopper who asks on both nodes at the same time gets as many people as one may ask for', async () => {
  const { headers, sessionIds } = await guestWith(8)
  const asked = await Promise.all(
    sessionIds.map((id, index) =>
      call(`${index % 2 === 0 ? tokyo.address : osaka.address}/api/sessions/${id}/handover`, headers, {}),
    ),
  )
  const codes = asked.filter(({ status }) => status !== 200).map(({ code }) => code)
  assert.deepEqual(codes, Array(3).fill('RATE_LIMITED'))
})

test('the calls of both nodes are in the model history of either', async () => {
  let asked = 0
  // Equal questions within seconds share one report: each asks for other hours.
  const turnsAt = async (address: string) => {
    asked += 1
    const { data } = await call<ModelsView>(`${address}/api/admin/models?hours=${1 + (asked % 100)}`, STAFF)
    const { calls } = data.models.find(({ model }) => model === 'embedded') ?? { calls: 0 }
    return { turns: data.turns, calls }
  }
  const shown = async () => {
    // A node stores its own counts before it reports: the first report is read for that only.
    await turnsAt(tokyo.address)
    return [await turnsAt(osaka.address), await turnsAt(tokyo.address)]
  }
  const [before] = await shown()
  assert.ok(before !== undefined)
  await guestWith(3)
  await waitUntil('both nodes show the calls of both', async () =>
    (await shown()).every(({ calls, turns }) => turns === before.turns + 3 && calls === before.calls + 3),
  )
})
