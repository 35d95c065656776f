// Two nodes over one real Redis. The opening of a turn arrives there, its reply does not, and its node stays cut off for
// longer than the lease: another node answers the turn too. One of them ends it, every call of either is booked, and the
// shopper at the first node gets an end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { createApp } from '#app/app.ts'
import type { App } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { configure } from '#wiring/configure.ts'
import { wireCluster } from '#wiring/profiles/cluster.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { cuttableLine } from '#fixtures/stores/cuttable-line.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { lendIndex } from '#fixtures/stores/stored-index.ts'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { PRICED } from '#fixtures/turns/turns.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'

const CALL_MS = 300
const LEASES = { leaseMs: 2500, renewMs: 800, holdMs: 20_000, orphanScanMs: 200 }
const SHOPPER: Principal = { id: 'guest_1', kind: 'guest', tier: 'free' }
const FACTS = {
  contextTokensMax: 200_000,
  outputTokensMax: 4096,
  trailingAssistant: true,
  temperature: true,
  tokenizer: 'claude',
} as const

async function startNode(context: TestContext, url: string, answer: readonly string[]) {
  const folder = tempDir(context)
  const env = { DATA_DIR: folder, MANGA_STATE__REDIS: url, MANGA_STATE__CALLMS: String(CALL_MS) }
  const { config: base, readBook } = await configure({ env, workspaceRoot: folder })
  const config: Config = { ...base, turns: { ...base.turns, ...LEASES } }
  const clock = systemClock()
  const storeIndex = lendIndex(folder)
  const wiring = await wireCluster(config, {
    clock,
    random: systemRandom(),
    telemetry: memoryTelemetry(),
    env,
    readBook,
  })
  storeIndex()
  const scripted = scriptedModel(clock, answering(...answer))
  const model = { ...scripted, facts: { ...FACTS, price: PRICED } }
  const ports = { ...wiring.ports, models: new Map([['embedded', model]]) }
  const app = createApp(ports, config)
  app.start()
  context.after(async () => {
    await app.drain()
    await wiring[Symbol.asyncDispose]()
  })
  return { app, clock, config, ports, requests: scripted.requests }
}

type Node = Awaited<ReturnType<typeof startNode>>

/** Reads the turn to its end, as a shopper who stays at the node. */
async function readAt(app: App, turnId: string) {
  const read = { text: '', finishReason: '', length: -1 }
  for await (const frame of await app.read(SHOPPER, { turnId, offset: 0 }, new AbortController().signal)) {
    if (frame.type === 'chunk') read.text += frame.text
    if (frame.type === 'done') Object.assign(read, { finishReason: frame.finishReason, length: frame.length })
  }
  return read
}

/** The rows of a turn, and whether the shopper's budget has been charged for all of them. */
async function booksOf({ clock, config, ports }: Node, turnId: string) {
  const day = dayOf(clock.now(), config.store.timeZone)
  const rows = await ports.ledger.ofTurn(turnId)
  const { used, reserved } = await ports.budgets.quota(SHOPPER.id, tierLimits(config, 'free'), day)
  const booked = rows.reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0)
  return { rows, booked, charged: used.costMicroUsd, reserved: reserved.costMicroUsd }
}

test('a turn whose opening was not answered is ended by one node, and the calls of both nodes are booked', async (context) => {
  await using server = await startRedis()
  await using line = await cuttableLine(server.url)
  const cutOff = await startNode(context, line.address.replace('http', 'redis'), ['はい', '、あります。'])
  const other = await startNode(context, server.url, ['いいえ', '、ありません。'])

  const asked = { principal: SHOPPER, requestId: 'req', route: 'stream', scope: NO_SCOPE } as const
  // The node has leased money, and Redis knows the scripts: one that it does not know is sent twice.
  const first = await cutOff.app.chat({ ...asked, message: '質問 1' })
  await readAt(cutOff.app, first.turnId)
  const before = await booksOf(other, first.turnId)

  line.silenceAfter('"kind":"start"')
  const { turnId } = await cutOff.app.chat({ ...asked, message: '質問 2' })
  assert.equal(line.isSilent, true)
  const reading = readAt(cutOff.app, turnId)
  await waitUntil('the other node answers the turn', () => other.requests.length === 1)
  const elsewhere = await readAt(other.app, turnId)
  assert.deepEqual([elsewhere.text, elsewhere.finishReason], ['いいえ、ありません。', 'stop'])

  line.mend()
  const own = await reading
  assert.deepEqual(own, { text: 'はい、あります。', finishReason: 'interrupted', length: 8 })
  assert.equal(cutOff.requests.length, 2)
  await waitUntil('both calls are booked', async () => (await booksOf(other, turnId)).rows.length === 2)
  await waitUntil('both calls are charged, and nothing is reserved', async () => {
    const { booked, charged, reserved } = await booksOf(other, turnId)
    return charged === before.booked + booked && reserved === 0
  })
  const { rows } = await booksOf(other, turnId)
  assert.deepEqual(
    rows.map(({ attempt }) => attempt),
    [1, 1001],
  )
})
