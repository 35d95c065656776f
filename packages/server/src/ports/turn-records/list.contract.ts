// The part of the contract of the turn records that is about lists for operators: every filter, pages, and refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { idOf } from '#domain/turn-records/records-filter.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { sampleRefusal, sampleTurnRecord } from '#fixtures/turns/turn-records.ts'
import type { RecordPosition, RecordsFilter, TurnRecord, TurnRecords } from './port.ts'

type Make = (context: TestContext, clock: ManualClock) => Promise<TurnRecords>

const HOUR_MS = 3_600_000
const UP = { value: 'up', at: NOON + 5 } as const

/** `noSweep`: why `sweep` removes nothing. */
export function turnRecordListContract(name: string, make: Make, noSweep: string | undefined): void {
  listContract(name, make)
  refusalsContract(name, make)
  refusalBoundsContract(name, make, noSweep)
}

async function idsOf(records: TurnRecords, filter: RecordsFilter): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { turnId } of records.all(filter)) ids.push(turnId)
  return ids
}

const PAGES_MAX = 1000

/** Every page of the list. A page may be short, and `next` says where the list continues. */
async function listed(records: TurnRecords, filter: RecordsFilter, limit = 100): Promise<readonly string[]> {
  const ids: string[] = []
  let after: RecordPosition | undefined
  for (let pages = 0; pages < PAGES_MAX; pages += 1) {
    const page = await records.list(filter, limit, after)
    ids.push(...page.records.map(idOf))
    after = page.next
    if (after === undefined) return ids
  }
  throw new Error('the list does not end')
}

/** One record for each thing that can be asked for, and a plain one. */
const ASKED: readonly (readonly [string, Partial<TurnRecord>, RecordsFilter])[] = [
  ['request', { requestId: 'req 9/x' }, { requestId: 'req 9/x' }],
  ['kind', { kind: 'completion' }, { kind: 'completion' }],
  ['door', { door: 'v1' }, { door: 'v1' }],
  ['model', { model: 'other' }, { model: 'other' }],
  ['tier', { tier: 'economy' }, { tier: 'economy' }],
  ['reason', { reason: 'throttled no-history' }, { reason: 'no-history' }],
  ['failure', { failure: 'stream-broken' }, { reason: 'stream-broken' }],
  ['outcome', { finishReason: 'interrupted' }, { outcome: 'interrupted' }],
  ['degraded', { isDegraded: true }, { isDegraded: true }],
  ['cost', { costMicroUsd: 7001 }, { costMicroUsdMin: 7001 }],
  ['free', { costMicroUsd: 0 }, { costMicroUsdMax: 0 }],
  ['slow', { totalMs: 7500 }, { totalMsMin: 7500 }],
  ['thumb', { received: { feedback: UP } }, { feedback: 'up' }],
]

function listContract(name: string, make: Make): void {
  test(`${name}: the list finds what is asked for, and nothing else`, async (context) => {
    const records = await make(context, manualClock())
    const plain = sampleTurnRecord({ turnId: 'turn_plain', kind: 'chat', door: 'stream', requestId: 'req_1' })
    const added = ASKED.map(([key, over], index) => ({
      ...plain,
      turnId: `turn_${key}`,
      at: NOON + index * HOUR_MS,
      ...over,
    }))
    await records.add([plain, ...added])
    for (const [key, , filter] of ASKED) assert.deepEqual(await listed(records, filter), [`turn_${key}`], key)
    const all = added.map(({ turnId }) => turnId).toReversed()
    assert.deepEqual(await listed(records, {}), [...all, 'turn_plain'])
    assert.deepEqual(await listed(records, {}, 3), [...all, 'turn_plain'])
    assert.deepEqual(await listed(records, { recordId: 'turn_plain' }), ['turn_plain'])
    assert.deepEqual(await listed(records, { recordId: 'turn_plain', tier: 'economy' }), [])
    assert.deepEqual(await listed(records, { isDegraded: false, outcome: 'stop', costMicroUsdMin: 7000 }), [
      'turn_cost',
    ])
    assert.deepEqual(await listed(records, { tier: 'economy', model: 'other' }), [])
    assert.equal((await listed(records, { principalId: 'guest_1', costMicroUsdMax: 5 }, 4)).length, ASKED.length)
  })

  test(`${name}: the pages of a filtered list follow one another within a time`, async (context) => {
    const records = await make(context, manualClock())
    const tier = (index: number) => (index % 3 === 0 ? 'economy' : 'primary')
    const at = (index: number) => NOON + Math.floor(index / 4) * HOUR_MS * 7
    await records.add(
      Array.from({ length: 30 }, (_, index) =>
        sampleTurnRecord({ turnId: `turn_${index}`, at: at(index), tier: tier(index), totalMs: 100 * index }),
      ),
    )
    const expected = Array.from({ length: 30 }, (_, index) => index)
      .filter((index) => tier(index) === 'economy' && at(index) >= at(4) && at(index) < at(28) && index >= 9)
      .map((index) => `turn_${index}`)
    const filter = { tier: 'economy', from: at(4), to: at(28), totalMsMin: 900 }
    const found = await listed(records, filter, 2)
    assert.deepEqual(found.toSorted(), expected.toSorted())
    assert.deepEqual(found, await listed(records, filter, 100))
  })
}

function refusalsContract(name: string, make: Make): void {
  test(`${name}: a refusal is in the list, and in no list of turns`, async (context) => {
    const records = await make(context, manualClock())
    const refusal = sampleRefusal({ at: NOON + 1000 })
    await records.add([sampleTurnRecord(), refusal, sampleTurnRecord({ turnId: 'turn_2', at: NOON + 2000 })])
    await records.add([{ ...refusal, count: 99 }])
    assert.deepEqual(await listed(records, {}), ['turn_2', 'ref_1', 'turn_1'])
    assert.deepEqual(await listed(records, {}, 1), ['turn_2', 'ref_1', 'turn_1'])
    assert.deepEqual((await records.list({ recordId: 'ref_1' }, 1)).records, [refusal])
    for (const filter of [
      { kind: 'refusal' },
      { outcome: 'refused' },
      { outcome: 'RATE_LIMITED' },
      { reason: 'user-rate' },
      { requestId: 'req_9' },
      { kind: 'refusal', principalId: 'guest_1', door: 'ws' },
    ] as const)
      assert.deepEqual(await listed(records, filter), ['ref_1'], JSON.stringify(filter))
    assert.deepEqual(await listed(records, { kind: 'refusal', outcome: 'MAINTENANCE' }), [])
    assert.deepEqual(await listed(records, { kind: 'refusal', tier: 'primary' }), [])
    assert.deepEqual(await idsOf(records, {}), ['turn_2', 'turn_1'])
    assert.deepEqual(await idsOf(records, { principalId: 'guest_1' }), ['turn_2', 'turn_1'])
    assert.equal(await records.find('ref_1'), undefined)
    assert.equal(await records.setFeedback('ref_1', UP), false)
  })

  test(`${name}: refusals are adopted and forgotten with the person`, async (context) => {
    const records = await make(context, manualClock())
    const refused = Array.from({ length: 6 }, (_, index) =>
      sampleRefusal({ refusalId: `ref_${index}`, at: NOON + index, principalId: `guest_${index % 2}` }),
    )
    await records.add([...refused, sampleTurnRecord({ principalId: 'guest_9' })])
    await records.adopt('guest_1', 'user:a')
    assert.equal(await records.unitOf('user:a'), 'guest_1')
    assert.deepEqual(await listed(records, { principalId: 'user:a' }), ['ref_5', 'ref_3', 'ref_1'])
    assert.equal(await records.forget({ principalId: 'user:a' }), 3)
    assert.deepEqual(await listed(records, {}), ['ref_4', 'ref_2', 'turn_1', 'ref_0'])
  })
}

function refusalBoundsContract(name: string, make: Make, skip: string | undefined): void {
  test(`${name}: refusals are bounded by themselves`, { skip: skip ?? false }, async (context) => {
    const records = await make(context, manualClock())
    const refused = [0, 2, 4].map((index) => sampleRefusal({ refusalId: `ref_${index}`, at: NOON + index }))
    await records.add([...refused, sampleTurnRecord()])
    assert.equal(await records.sweep({ before: 0, countMax: 1, refusalsMax: 2 }, 10), 1)
    assert.deepEqual(await listed(records, {}), ['ref_4', 'ref_2', 'turn_1'])
    assert.equal(await records.sweep({ before: NOON + 1, countMax: 10, refusalsMax: 10 }, 10), 1)
    assert.deepEqual(await listed(records, {}), ['ref_4', 'ref_2'])
  })
}
