// Operators of a cluster: a change at one node applies at the others within seconds, the ledger of all is read from any
// node, and a budget is shared by all nodes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { QuotaView } from '@mangaassist/protocol'
import type { NodesView } from '@mangaassist/protocol/admin'
import type { LedgerTotals } from '#domain/ledger/ledger-row.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { cookieOf, postChat, startServer, temporaryFolder } from './server-process.ts'

interface UsageShown {
  readonly groups: readonly unknown[]
  readonly totals: LedgerTotals
}

const TOKEN = 'maa_fleet'

async function startNode(redisUrl: string) {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await temporaryFolder())
  const env = {
    MANGA_STATE__REDIS: redisUrl,
    MANGA_STATE__CALLMS: '10000',
    MANGA_AUTH__ADMINS: JSON.stringify([{ name: 'aki', hash: secretHash(TOKEN) }]),
    MANGA_MODELS__EMBEDDED__PROVIDER: 'embedded',
    MANGA_MODELS__EMBEDDED__TOKENSPERSECOND: '0',
  }
  const { address, child, exited } = opened.use(await startServer({ dataDir: folder.path, env }))
  const keep = opened.move()
  return { address, child, exited, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

const redis = await startRedis()
const [tokyo, osaka] = await Promise.all([startNode(redis.url), startNode(redis.url)])
after(async () => {
  await Promise.all([tokyo, osaka].map((node) => node[Symbol.asyncDispose]()))
  await redis[Symbol.asyncDispose]()
})

async function admin<Data>(address: string, method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(`${address}/api/admin${path}`, {
    method,
    headers: {
      authorization: `Bearer ${TOKEN}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  assert.equal(response.status, 200, `${method} ${path}`)
  return ((await response.json()) as { data: Data }).data
}

test('an override made at one node applies at the other, and both share one ledger', async () => {
  const first = await postChat(tokyo.address, { message: '送料はいくらですか' })
  const cookie = cookieOf(first)
  const id = cookie.slice('ma_guest='.length).split('.')[0] ?? ''
  assert.equal((await postChat(osaka.address, { message: '返品できますか' }, { cookie })).status, 200)
  for (const { address } of [tokyo, osaka]) {
    const { groups, totals } = await admin<UsageShown>(address, 'GET', `/usage?by=user,model&user=${id}`)
    assert.deepEqual([groups.length, totals.rows], [1, 2])
  }
  await admin(tokyo.address, 'PUT', `/users/${id}/override`, { limits: { outputTokensPerDay: 1 }, reason: 'a test' })
  // It is read when questions arrive.
  await waitUntil('the limit is known on the other node', async () => {
    const quota = await fetch(`${osaka.address}/api/quota`, { headers: { cookie } })
    const { data } = (await quota.json()) as { data: { output: { limit: number } } }
    if (data.output.limit !== 1) return false
    return (await postChat(osaka.address, { message: 'もう一つ' }, { cookie })).status === 429
  })
  await admin(osaka.address, 'DELETE', `/users/${id}/override?reason=over`)
  const reset = await admin<{ before: Amounts }>(osaka.address, 'POST', `/users/${id}/reset`, {
    scope: 'day',
    reason: 'our mistake',
  })
  assert.ok(reset.before.outputTokens > 0)
  assert.equal((await admin<{ quota: QuotaView }>(tokyo.address, 'GET', `/users/${id}`)).quota.output.used, 0)
  const audit = await admin<readonly { action: string; number: number }[]>(tokyo.address, 'GET', '/audit')
  assert.deepEqual(
    audit.map(({ action, number }) => [action, number]),
    [
      ['day-reset', 3],
      ['user-cleared', 2],
      ['user-set', 1],
    ],
  )
})

test('every node lists all nodes, of which one leads; when the leader is stopped the other leads', async () => {
  const listed = (address: string) => admin<NodesView>(address, 'GET', '/nodes')
  const leaderOf = ({ nodes }: NodesView) => nodes.find(({ leader }) => leader)
  // A node writes its own line again every few seconds.
  const isWhole = async ({ address }: typeof tokyo) => (await listed(address)).nodes.length === 2
  await waitUntil('each lists both', async () => (await isWhole(tokyo)) && (await isWhole(osaka)))
  const [atTokyo, atOsaka] = [await listed(tokyo.address), await listed(osaka.address)]
  assert.deepEqual(
    atTokyo.nodes.map(({ id }) => id),
    atOsaka.nodes.map(({ id }) => id),
  )
  assert.equal(atTokyo.nodes.length, 2)
  assert.equal(leaderOf(atTokyo)?.id, leaderOf(atOsaka)?.id)
  const [stopped, other] = leaderOf(atTokyo)?.self === true ? [tokyo, osaka] : [osaka, tokyo]
  stopped.child.kill('SIGTERM')
  await stopped.exited
  await waitUntil('one is left', async () => (await listed(other.address)).nodes.length === 1)
  const { nodes } = await listed(other.address)
  assert.deepEqual(
    nodes.map(({ leader, self }) => [leader, self]),
    [[true, true]],
  )
})
