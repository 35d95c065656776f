// Redis loses the accounts of the day, or comes back with an old file, while the ledger is in DynamoDB: a spent day is not granted
// again, on any node, however many questions arrive at once; while DynamoDB is unavailable too, only the allowance is granted.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { dynamoLedger } from '#adapters/aws/dynamodb/ledger/ledger.ts'
import { ledgerTable } from '#adapters/aws/dynamodb/ledger/table.ts'
import type { Dynamo } from '#adapters/aws/dynamodb/client/dynamo.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { redisBudgets } from '#adapters/redis/budgets/budgets.ts'
import { openRedis } from '#adapters/redis/client/connection.ts'
import { watchForEmptied } from '#adapters/redis/client/emptied-watch.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { createCompareDay } from '#resilience/lost-day.ts'
import { resilientBudgets } from '#resilience/budgets.ts'
import { memoryBudgets } from '#adapters/memory/budgets.ts'
import type { AdmissionAnswer, Budgets } from '#ports/budgets/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import { amounts, GENEROUS } from '#fixtures/budgets/budgets.ts'
import { cleanDynamo } from '#fixtures/stores/clean-dynamo.ts'
import { startRedis } from '#fixtures/stores/redis-server.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { sampleAsk, sampleLedgerRow, TODAY } from '#fixtures/turns/samples.ts'

const openDynamo = cleanDynamo([ledgerTable])
const DAY = amounts(10_000, 5000, 1_000_000)
const LIMITS = { ...GENEROUS, day: DAY, session: { inputTokens: 50_000, outputTokens: 50_000 } }
const ALLOWANCE = { nodes: () => 2, perUser: amounts(3000, 2000, 100_000), microUsdPerNode: 1_000_000 }
const CHECK_MS = 5000
const NODES = 2
const CALL_MS = 2000

interface Node {
  readonly budgets: Budgets
  readonly ledger: Ledger
  epoch(): Promise<string>
}

/** Two nodes; `check` lets each of them look whether Redis has lost data, as it does every five seconds. */
async function setUp(context: TestContext, dynamoMs = 30_000) {
  const folder = mkdtempSync(join(tmpdir(), 'lost-days-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const args = ['--dir', folder]
  let server = await startRedis({ args })
  context.after(() => server[Symbol.asyncDispose]())
  const clock = manualClock()
  const { dynamo, faults } = await openDynamo(context, { callMs: dynamoMs })
  const parts = { context, clock, url: server.url, dynamo }
  const nodes: Node[] = []
  for (let index = 0; index < NODES; index += 1) nodes.push(await openNode(parts))
  const admin = await openRedis({ ...redisParts(server.url), callMs: 30_000 })
  context.after(() => admin[Symbol.asyncDispose]())
  return {
    admin,
    faults,
    nodes,
    check: async () => {
      await clock.advance(CHECK_MS)
      await admin.command(undefined, 'PING')
    },
    /** Kills Redis, and starts it with the file that was saved last. */
    restart: async () => {
      const exited = once(server.process, 'exit')
      server.process.kill('SIGKILL')
      await exited
      server = await startRedis({ args, port: server.port })
    },
  }
}

const redisParts = (url: string) => ({
  url,
  clock: systemClock(),
  random: systemRandom(),
  telemetry: memoryTelemetry(),
  connectMs: 30_000,
})

async function openNode({
  clock,
  context,
  dynamo,
  url,
}: {
  readonly context: TestContext
  readonly clock: ReturnType<typeof manualClock>
  readonly url: string
  readonly dynamo: Dynamo
}): Promise<Node> {
  const telemetry = memoryTelemetry()
  const redis = await openRedis({ ...redisParts(url), callMs: CALL_MS, now: () => clock.now() })
  context.after(() => redis[Symbol.asyncDispose]())
  const watch = await watchForEmptied({ redis, clock, random: systemRandom(), telemetry, onEmptied: async () => {} })
  context.after(() => watch[Symbol.dispose]())
  const [ledger, shared] = [dynamoLedger({ dynamo }), redisBudgets({ redis })]
  const budgets = resilientBudgets({
    shared,
    local: memoryBudgets({ clock }),
    compareDay: createCompareDay({ ledger, budgets: shared, clock, telemetry }),
    epoch: () => watch.epoch(),
    troubledAt: () => 0,
    callMs: CALL_MS,
    clock,
    telemetry,
    allowance: ALLOWANCE,
  })
  return { budgets, ledger, epoch: () => watch.epoch() }
}

let turns = 0
const nextAsk = (principalId = 'guest_1') => {
  turns += 1
  const idempotency = { ...sampleAsk().idempotency, key: `key_${turns}` }
  const ids = { turnId: `turn_${turns}`, sessionId: `sess_${turns}` }
  return sampleAsk({ ...ids, principalId, limits: LIMITS, idempotency })
}

/** One turn: granted, charged, and in the ledger. */
async function spend({ budgets, ledger }: Node, used = amounts(1000, 500, 5000)): Promise<void> {
  const answer = await budgets.admit(nextAsk())
  assert.ok(answer.kind === 'granted', answer.kind)
  const { hold } = answer
  await budgets.settle(hold, used, { claimMs: 0 })
  const row = { turnId: hold.id, sessionId: hold.sessionId, principalId: hold.principalId, day: TODAY.key, ...used }
  await ledger.record([sampleLedgerRow(row)])
}

async function spendAll(nodes: readonly Node[], count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await spend(nodes[index % nodes.length] as Node)
}

async function askMany(nodes: readonly Node[], count: number): Promise<readonly AdmissionAnswer[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => (nodes[index % nodes.length] as Node).budgets.admit(nextAsk())),
  )
}

const kindsOf = (answers: readonly AdmissionAnswer[]) => [...new Set(answers.map(({ kind }) => kind))]
const grantedInput = (answers: readonly AdmissionAnswer[]) =>
  answers.reduce((sum, answer) => sum + (answer.kind === 'granted' ? answer.hold.granted.inputTokens : 0), 0)

test('after Redis was emptied a spent day is refused on every node, also to many questions at once', async (context) => {
  const { admin, nodes } = await setUp(context)
  await spendAll(nodes, 10)
  assert.deepEqual(kindsOf(await askMany(nodes, 4)), ['quota-exceeded'])
  await admin.command(undefined, 'FLUSHALL')
  assert.deepEqual(kindsOf(await askMany(nodes, 40)), ['quota-exceeded'])
  const quota = await nodes[1]!.budgets.quota('guest_1', LIMITS, TODAY)
  assert.deepEqual(quota.used, amounts(10_000, 5000, 50_000))
  assert.equal((await nodes[0]!.budgets.admit(nextAsk('guest_2'))).kind, 'granted')
})

test('after Redis was emptied the rest of a day is granted once, whatever the nodes had seen', async (context) => {
  const { admin, nodes } = await setUp(context)
  // The second node saw the day when nothing was used.
  await spend(nodes[1]!, amounts(0, 1, 1))
  await spendAll([nodes[0]!], 8)
  await admin.command(undefined, 'FLUSHALL')
  const answers = await askMany(nodes.toReversed(), 30)
  assert.equal(grantedInput(answers), 2000)
})

test('Redis that restarts with an old file is compared with the ledger again', async (context) => {
  const { admin, check, nodes, restart } = await setUp(context)
  await spendAll(nodes, 3)
  const before = await nodes[0]!.epoch()
  await admin.command(undefined, 'SAVE')
  await check()
  await spendAll(nodes, 7)
  await restart()
  await waitUntil('both nodes reach Redis again', async () =>
    (await Promise.all(nodes.map((node) => node.epoch().catch(() => before)))).every((epoch) => epoch !== before),
  )
  assert.equal(await nodes[0]!.epoch(), await nodes[1]!.epoch())
  assert.deepEqual(kindsOf(await askMany(nodes, 20)), ['quota-exceeded'])
  const quota = await nodes[0]!.budgets.quota('guest_1', LIMITS, TODAY)
  assert.deepEqual(quota.used, amounts(10_000, 5000, 50_000), 'each turn is charged once')
})

test('while DynamoDB does not answer after the loss, all nodes together grant the allowance of a user', async (context) => {
  const { admin, faults, nodes } = await setUp(context, 300)
  await spendAll(nodes, 10)
  await admin.command(undefined, 'FLUSHALL')
  faults.spoil(() => 'hang')
  const answers = await askMany(nodes, 20)
  assert.deepEqual(kindsOf(answers).toSorted(), ['granted', 'unavailable'])
  assert.ok(grantedInput(answers) <= ALLOWANCE.perUser.inputTokens, String(grantedInput(answers)))
  faults.spoil(() => undefined)
  await waitUntil('the circuit of DynamoDB closes', async () => {
    const [answer] = await askMany(nodes, 1)
    return answer?.kind === 'quota-exceeded'
  })
})
