// Ending turns whose owner died, from their log alone.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { quotaView } from '#domain/quota-view.ts'
import type { TurnMeta } from '#domain/turn-record.ts'
import type { LogEntry } from '#ports/turn-log.ts'
import { testConfig } from '#wiring/test.ts'
import { recordsOf, testPorts, withVerbs } from '../../test/fixtures/ports.ts'
import type { TestPorts } from '../../test/fixtures/ports.ts'
import { sampleOutcome, sampleSession } from '../../test/fixtures/samples.ts'
import { PRICED, sampleAdmitted, sampleQuota } from '../../test/fixtures/turns.ts'
import { createRecover } from './recover.ts'
import { createSettle } from './settlement/settle.ts'

const LEASE_MS = testConfig.turns.leaseMs

function meta(over: Partial<TurnMeta> = {}): LogEntry {
  const said = { tier: 'primary', model: 'model-1', degraded: false, confidence: 1 } as const
  return { kind: 'meta', meta: { ...said, products: [], quota: quotaView(sampleQuota()), ...over } }
}
const text = (said: string, offset = 0): LogEntry => ({ kind: 'text', offset, text: said })

async function setUp() {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  const leave = async (turnId: string, ...entries: readonly LogEntry[]) => {
    await ports.turnLog.open(sampleAdmitted({ turnId }).start, LEASE_MS)
    if (entries.length > 0) await ports.turnLog.append(turnId, 1, entries)
  }
  const endOf = async (turnId = 'turn_1') => {
    const last = (await recordsOf(ports.turnLog, turnId)).at(-1)
    assert.equal(last?.kind, 'turn-end')
    return last
  }
  return { ports, leave, endOf, recover: recoverOver(ports) }
}

function recoverOver(ports: TestPorts, isOurs: (turnId: string) => boolean = () => false) {
  return createRecover({ ...ports, config: testConfig, settle: createSettle(ports), priceOf: () => PRICED, isOurs })
}

test('a turn that runs in this very process is left to its owner, however long the process was asleep', async () => {
  const { ports, leave } = await setUp()
  await leave('turn_1', meta(), text('進撃'))
  await ports.clock.advance(LEASE_MS)
  assert.equal(await recoverOver(ports, (turnId) => turnId === 'turn_1')(), 0)
  assert.ok(await ports.turnLog.renew('turn_1', 1, LEASE_MS))
})

test('one scan ends all orphans, however many there are', async () => {
  const { ports, leave, recover } = await setUp()
  for (let index = 0; index < 250; index += 1) await leave(`turn_${index}`, meta(), text('進撃'))
  await ports.clock.advance(LEASE_MS)
  assert.equal(await recover(), 250)
  assert.deepEqual(await ports.turnLog.orphans(1), [])
})

test('a turn that died while it spoke ends as interrupted, with what the shopper was shown', async () => {
  const { ports, leave, endOf, recover } = await setUp()
  await leave('turn_1', meta(), text('進撃'), text('の巨人', 2))
  await ports.clock.advance(LEASE_MS)
  assert.equal(await recover(), 1)
  const { end, epoch } = await endOf()
  assert.equal(epoch, 2)
  assert.deepEqual([end.finishReason, end.length, end.model], ['interrupted', 5, 'model-1'])
  assert.equal(end.sha256, createHash('sha256').update('進撃の巨人').digest('hex'))
  assert.deepEqual((await ports.sessions.recentTurns('sess_1', 1))[0]?.answer, '進撃の巨人')
})

test('what the dead owner’s call used is estimated, charged, and said to be an estimate', async () => {
  const { ports, leave, recover } = await setUp()
  await leave('turn_1', meta(), text('進撃の巨人'))
  await ports.clock.advance(LEASE_MS)
  await recover()
  const [row] = await ports.ledger.ofTurn('turn_1')
  assert.deepEqual([row?.estimated, row?.outputTokens, row?.outcome], [true, 5, 'interrupted'])
  assert.ok((row?.costMicroUsd ?? 0) > 0 && (row?.inputTokens ?? 0) > 0)
})

test('a turn whose text was complete is only settled: its end is the one it had', async () => {
  const { ports, leave, endOf, recover } = await setUp()
  const outcome = sampleOutcome({ finishReason: 'length' })
  await leave('turn_1', meta(), text('hi'), { kind: 'text-end', outcome })
  await ports.clock.advance(LEASE_MS)
  assert.equal(await recover(), 1)
  assert.equal((await endOf()).end.finishReason, 'length')
  assert.equal((await recordsOf(ports.turnLog)).filter(({ kind }) => kind === 'text-end').length, 1)
})

test('a turn that died before a word ends too, and is charged for nothing', async () => {
  const { ports, leave, endOf, recover } = await setUp()
  await leave('turn_1')
  await ports.clock.advance(LEASE_MS)
  await recover()
  assert.deepEqual([(await endOf()).end.finishReason, (await endOf()).end.length], ['interrupted', 0])
  assert.deepEqual(
    (await ports.ledger.ofTurn('turn_1')).map((row) => [row.attempt, row.outputTokens]),
    [[0, 0]],
  )
})

test('an answer of the FAQ that was cut off is charged to no model', async () => {
  const { ports, leave, recover } = await setUp()
  await leave('turn_1', meta({ tier: 'faq', model: 'faq', degraded: true }), text('3,000円以上で'))
  await ports.clock.advance(LEASE_MS)
  await recover()
  assert.deepEqual(
    (await ports.ledger.ofTurn('turn_1')).map((row) => [row.attempt, row.tier, row.outputTokens]),
    [[0, 'faq', 0]],
  )
})

test('a live owner’s turn is left alone, as is one that has ended', async () => {
  const { ports, leave, recover } = await setUp()
  await leave('turn_1', meta(), text('hi'))
  await ports.clock.advance(LEASE_MS - 1)
  assert.equal(await recover(), 0)
  await ports.turnLog.renew('turn_1', 1, LEASE_MS)
  await ports.clock.advance(LEASE_MS - 1)
  assert.equal(await recover(), 0)
  assert.equal((await recordsOf(ports.turnLog)).length, 3)
  await ports.clock.advance(1)
  assert.deepEqual([await recover(), await recover()], [1, 0])
})

test('of two who look at once, one ends it', async () => {
  const { ports, leave, recover } = await setUp()
  await leave('turn_1', meta(), text('hi'))
  await ports.clock.advance(LEASE_MS)
  const ended = await Promise.all([recover(), recoverOver(ports)()])
  assert.deepEqual(ended.toSorted(), [0, 1])
  assert.equal((await recordsOf(ports.turnLog)).filter(({ kind }) => kind === 'turn-end').length, 1)
  assert.equal((await ports.sessions.find('sess_1'))?.version, 1)
})

test('one damaged turn does not keep the others from their end', async () => {
  const { ports, leave, endOf } = await setUp()
  await leave('turn_1', meta(), text('hi'))
  await leave('turn_2', meta(), text('ho'))
  await ports.clock.advance(LEASE_MS)
  const turnLog = withVerbs(ports.turnLog, {
    read: async (turnId, afterSeq) => (turnId === 'turn_1' ? [] : ports.turnLog.read(turnId, afterSeq)),
  })
  assert.equal(await recoverOver({ ...ports, turnLog })(), 1)
  await endOf('turn_2')
  assert.deepEqual(
    ports.telemetry.logged.filter(({ level }) => level === 'error').map(({ event }) => event),
    ['turn.recovery-failed'],
  )
})
