// The contract of the turn records. `make` returns an empty store on the clock of the test.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { fullTurnRecord, sampleTurnRecord } from '#fixtures/turns/turn-records.ts'
import { LATE_MS } from './port.ts'
import { turnRecordListContract } from './list.contract.ts'
import type { RecordsFilter, TurnRecord, TurnRecords } from './port.ts'

type Make = (context: TestContext, clock: ManualClock) => Promise<TurnRecords>

const HOUR_MS = 3_600_000
const UP = { value: 'up', at: NOON + 5 } as const
const DOWN = { value: 'down', reason: '巻数が違う "x"', at: NOON + 6 } as const

export interface TurnRecordsSkips {
  /** Why `sweep` removes nothing. */
  readonly noSweep?: string
}

export function turnRecordsContract(name: string, make: Make, { noSweep }: TurnRecordsSkips = {}): void {
  readingContract(name, make)
  receptionContract(name, make)
  personContract(name, make)
  boundsContract(name, make, noSweep)
  turnRecordListContract(name, make, noSweep)
}

async function idsOf(records: TurnRecords, filter: RecordsFilter): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { turnId } of records.all(filter)) ids.push(turnId)
  return ids
}

/** Records `turn_0` to `turn_<count - 1>`, a second apart. */
function several(count: number, over: (index: number) => Partial<TurnRecord> = () => ({})): readonly TurnRecord[] {
  return Array.from({ length: count }, (_, index) =>
    sampleTurnRecord({ turnId: `turn_${index}`, at: NOON + index * 1000, ...over(index) }),
  )
}

function readingContract(name: string, make: Make): void {
  test(`${name}: a record is found unchanged, and absent fields stay absent`, async (context) => {
    const records = await make(context, manualClock())
    await records.add([fullTurnRecord({ turnId: 'turn_2' }), sampleTurnRecord()])
    assert.deepEqual(await records.find('turn_1'), sampleTurnRecord())
    assert.deepEqual(await records.find('turn_2'), fullTurnRecord({ turnId: 'turn_2' }))
    assert.equal(await records.find('turn_unknown'), undefined)
    assert.deepEqual(await records.page({}, 10), [fullTurnRecord({ turnId: 'turn_2' }), sampleTurnRecord()])
  })

  test(`${name}: a repeat of a turn changes nothing`, async (context) => {
    const records = await make(context, manualClock())
    await records.add([sampleTurnRecord(), sampleTurnRecord({ model: 'other' })])
    await records.add([sampleTurnRecord({ model: 'other', principalId: 'guest_2', at: NOON + 9 })])
    await records.add([])
    assert.deepEqual(await records.page({}, 10), [sampleTurnRecord()])
    assert.deepEqual(await idsOf(records, { principalId: 'guest_2' }), [])
  })

  test(`${name}: pages are newest first and follow one another, also among equal times`, async (context) => {
    const records = await make(context, manualClock())
    const added = several(7, (index) => ({ at: NOON + Math.floor(index / 3) * HOUR_MS * 13 }))
    await records.add(added)
    const first = await records.page({}, 3)
    const second = await records.page({}, 3, first.at(-1))
    const third = await records.page({}, 3, second.at(-1))
    const ids = [first, second, third].map((page) => page.map(({ turnId }) => turnId))
    assert.deepEqual(ids, [['turn_6', 'turn_5', 'turn_4'], ['turn_3', 'turn_2', 'turn_1'], ['turn_0']])
    assert.deepEqual(await idsOf(records, {}), ids.flat())
    assert.deepEqual(await records.page({}, 3, third.at(-1)), [])
  })

  test(`${name}: more than one page of records is read completely`, async (context) => {
    const records = await make(context, manualClock())
    const added = several(1100, (index) => ({ sessionId: `sess_${index % 2}` }))
    for (let from = 0; from < added.length; from += 200) await records.add(added.slice(from, from + 200))
    assert.equal((await idsOf(records, {})).length, 1100)
    assert.equal((await idsOf(records, { sessionId: 'sess_1' })).length, 550)
  })

  test(`${name}: filters by time, person, conversation, experiment and thumb apply together`, async (context) => {
    const records = await make(context, manualClock())
    const exposed = (...experiments: string[]) => ({
      routing: { unit: 'guest_1', exposures: experiments.map((experiment) => ({ experiment, arm: 'short' })) },
    })
    await records.add([
      sampleTurnRecord({ turnId: 'turn_a', ...exposed('prompt', 'ladder') }),
      sampleTurnRecord({ turnId: 'turn_b', at: NOON + 10, sessionId: 'sess_2', ...exposed('ladder') }),
      sampleTurnRecord({ turnId: 'turn_c', at: NOON + 20, principalId: 'guest_2', sessionId: 'sess_2' }),
      sampleTurnRecord({
        turnId: 'turn_d',
        at: NOON + 30,
        principalId: 'guest',
        sessionId: 'sess',
        received: { feedback: UP },
      }),
    ])
    await records.setFeedback('turn_b', DOWN)
    assert.deepEqual(await idsOf(records, { from: NOON + 10, to: NOON + 30 }), ['turn_c', 'turn_b'])
    assert.deepEqual(await idsOf(records, { principalId: 'guest_1' }), ['turn_b', 'turn_a'])
    assert.deepEqual(await idsOf(records, { principalId: 'guest' }), ['turn_d'])
    assert.deepEqual(await idsOf(records, { sessionId: 'sess_2' }), ['turn_c', 'turn_b'])
    assert.deepEqual(await idsOf(records, { sessionId: 'sess_2', principalId: 'guest_1' }), ['turn_b'])
    assert.deepEqual(await idsOf(records, { experiment: 'ladder' }), ['turn_b', 'turn_a'])
    assert.deepEqual(await idsOf(records, { experiment: 'ladder', feedback: 'down' }), ['turn_b'])
    assert.deepEqual(await idsOf(records, { experiment: 'lad' }), [])
    assert.deepEqual(await idsOf(records, { feedback: 'up' }), ['turn_d'])
    assert.deepEqual(await idsOf(records, { principalId: 'guest_1', to: NOON + 10 }), ['turn_a'])
    assert.deepEqual(
      (await records.page({ principalId: 'guest_1' }, 1)).map(({ turnId }) => turnId),
      ['turn_b'],
    )
  })
}

function receptionContract(name: string, make: Make): void {
  test(`${name}: a thumb is set, replaced and taken back`, async (context) => {
    const records = await make(context, manualClock())
    await records.add([sampleTurnRecord()])
    assert.equal(await records.setFeedback('turn_1', UP), true)
    assert.deepEqual((await records.find('turn_1'))?.received, { feedback: UP })
    assert.equal(await records.setFeedback('turn_1', DOWN), true)
    assert.deepEqual((await records.find('turn_1'))?.received, { feedback: DOWN })
    assert.deepEqual(await idsOf(records, { feedback: 'up' }), [])
    assert.equal(await records.setFeedback('turn_1', UP), true)
    assert.deepEqual(await idsOf(records, { feedback: 'up' }), ['turn_1'])
    assert.equal(await records.setFeedback('turn_1', null), true)
    assert.deepEqual(await records.find('turn_1'), sampleTurnRecord())
    assert.deepEqual([await idsOf(records, { feedback: 'up' }), await idsOf(records, { feedback: 'down' })], [[], []])
    assert.equal(await records.setFeedback('turn_unknown', UP), false)
    assert.equal(await records.find('turn_unknown'), undefined)
  })

  test(`${name}: notes are added to one another, and cards are counted`, async (context) => {
    const records = await make(context, manualClock())
    await records.add([sampleTurnRecord()])
    await records.note('turn_1', { followedUp: true })
    await records.note('turn_1', { cardsOpened: 1 })
    await records.setFeedback('turn_1', UP)
    await records.note('turn_1', { cardsOpened: 2, askedAgain: true })
    await records.note('turn_1', { handedOver: true })
    assert.deepEqual((await records.find('turn_1'))?.received, {
      followedUp: true,
      askedAgain: true,
      handedOver: true,
      cardsOpened: 3,
      feedback: UP,
    })
  })

  test(`${name}: notes at the same time are all kept`, async (context) => {
    const records = await make(context, manualClock())
    const add = records.add([sampleTurnRecord()])
    await Promise.all([add, ...Array.from({ length: 20 }, () => records.note('turn_1', { cardsOpened: 1 }))])
    await records.setFeedback('turn_1', UP)
    assert.deepEqual((await records.find('turn_1'))?.received, { cardsOpened: 20, feedback: UP })
  })

  test(`${name}: notes that came before their record are kept with it`, async (context) => {
    const clock = manualClock()
    const records = await make(context, clock)
    await records.note('turn_1', { followedUp: true, cardsOpened: 1 })
    await records.note('turn_1', { cardsOpened: 1 })
    await records.note('turn_2', { followedUp: true })
    assert.equal(await records.find('turn_1'), undefined)
    await records.add([sampleTurnRecord({ received: { cardsOpened: 1 } })])
    await records.add([sampleTurnRecord()])
    assert.deepEqual((await records.find('turn_1'))?.received, { followedUp: true, cardsOpened: 3 })
    await clock.advance(LATE_MS + 1000)
    await records.add([sampleTurnRecord({ turnId: 'turn_2' })])
    assert.deepEqual((await records.find('turn_2'))?.received, {}, 'a note does not wait for ever')
  })
}

function personContract(name: string, make: Make): void {
  test(`${name}: a user keeps the unit of the guest that was adopted first`, async (context) => {
    const records = await make(context, manualClock())
    assert.equal(await records.unitOf('guest_1'), 'guest_1')
    assert.equal(await records.unitOf('user:a'), 'user:a')
    await records.adopt('guest_1', 'user:a')
    await records.adopt('guest_2', 'user:a')
    await records.adopt('guest_1', 'user:a')
    assert.equal(await records.unitOf('user:a'), 'guest_1')
    assert.equal(await records.unitOf('guest_1'), 'guest_1')
    assert.equal(await records.unitOf('user:b'), 'user:b')
  })

  test(`${name}: a user who was seen before a guest is adopted keeps their own unit`, async (context) => {
    const records = await make(context, manualClock())
    await records.add([sampleTurnRecord({ principalId: 'user:a' })])
    await records.adopt('guest_1', 'user:a')
    assert.equal(await records.unitOf('user:a'), 'user:a')
    await records.forget({ principalId: 'user:a' })
    await records.adopt('guest_2', 'user:a')
    assert.equal(await records.unitOf('user:a'), 'guest_2')
  })

  test(`${name}: an adopted guest’s records are the user’s`, async (context) => {
    const records = await make(context, manualClock())
    await records.add([
      sampleTurnRecord({ received: { feedback: UP } }),
      sampleTurnRecord({ turnId: 'turn_2', at: NOON + 1, principalId: 'guest_2' }),
    ])
    await records.note('turn_1', { cardsOpened: 1 })
    await records.adopt('guest_1', 'user:a')
    await records.adopt('guest_1', 'user:a')
    assert.deepEqual(await records.find('turn_1'), {
      ...sampleTurnRecord(),
      principalId: 'user:a',
      received: { feedback: UP, cardsOpened: 1 },
    })
    assert.deepEqual(await idsOf(records, { principalId: 'user:a' }), ['turn_1'])
    assert.deepEqual(await idsOf(records, { principalId: 'guest_1' }), [])
    assert.deepEqual(await idsOf(records, { principalId: 'guest_2' }), ['turn_2'])
    await records.setFeedback('turn_1', DOWN)
    assert.deepEqual(await idsOf(records, { principalId: 'user:a', feedback: 'down' }), ['turn_1'])
    assert.equal(await records.forget({ principalId: 'user:a' }), 1)
  })

  test(`${name}: a person’s records are forgotten with the unit`, async (context) => {
    const clock = manualClock()
    const records = await make(context, clock)
    await records.add([
      fullTurnRecord({ turnId: 'turn_1' }),
      fullTurnRecord({ turnId: 'turn_2', sessionId: 'sess_2' }),
      fullTurnRecord({ turnId: 'turn_3', principalId: 'guest_2' }),
    ])
    await records.adopt('guest_9', 'guest_1')
    assert.equal(await records.forget({ principalId: 'guest_1' }), 2)
    assert.equal(await records.forget({ principalId: 'guest_1' }), 0)
    assert.deepEqual(await idsOf(records, {}), ['turn_3'])
    assert.equal(await records.find('turn_1'), undefined)
    assert.equal(await records.setFeedback('turn_1', UP), false)
    assert.equal(await records.unitOf('guest_1'), 'guest_1')
    assert.deepEqual(await idsOf(records, { feedback: 'down' }), ['turn_3'])
  })

  test(`${name}: a record that comes after its person was forgotten is not stored, and a later turn is`, async (context) => {
    const clock = manualClock()
    const records = await make(context, clock)
    await clock.advance(1000)
    await records.forget({ principalId: 'guest_1' })
    await records.add([
      sampleTurnRecord({ turnId: 'turn_1', at: NOON + 500 }),
      sampleTurnRecord({ turnId: 'turn_2', at: NOON + 2000 }),
      sampleTurnRecord({ turnId: 'turn_3', at: NOON + 500, principalId: 'guest_2' }),
    ])
    assert.deepEqual(await idsOf(records, {}), ['turn_2', 'turn_3'])
    assert.equal(await records.find('turn_1'), undefined)
  })

  test(`${name}: a conversation’s records are forgotten, and none of it are stored later`, async (context) => {
    const clock = manualClock()
    const records = await make(context, clock)
    await records.add([sampleTurnRecord(), sampleTurnRecord({ turnId: 'turn_2', sessionId: 'sess_2' })])
    assert.equal(await records.forget({ sessionId: 'sess_1' }), 1)
    await records.add([sampleTurnRecord(), sampleTurnRecord({ turnId: 'turn_3', at: NOON + 5000 })])
    assert.deepEqual(await idsOf(records, {}), ['turn_2'])
    assert.equal(await records.find('turn_1'), undefined)
  })
}

function boundsContract(name: string, make: Make, skip: string | undefined): void {
  test(`${name}: a sweep leaves no more than the newest, in batches`, { skip: skip ?? false }, async (context) => {
    const records = await make(context, manualClock())
    await records.add(several(10, (index) => ({ at: NOON + index * HOUR_MS * 5 })))
    await records.setFeedback('turn_1', UP)
    const bounds = { before: 0, countMax: 4, refusalsMax: 100 }
    assert.equal(await records.sweep(bounds, 4), 4)
    assert.deepEqual(await idsOf(records, {}), ['turn_9', 'turn_8', 'turn_7', 'turn_6', 'turn_5', 'turn_4'])
    assert.equal(await records.sweep(bounds, 4), 2)
    assert.equal(await records.sweep(bounds, 4), 0)
    assert.equal(await records.find('turn_1'), undefined)
    assert.deepEqual(await idsOf(records, { feedback: 'up' }), [])
  })

  test(`${name}: a sweep removes what ended before`, { skip: skip ?? false }, async (context) => {
    const records = await make(context, manualClock())
    await records.add(
      several(5, (index) => ({
        at: NOON + index * HOUR_MS * 12,
        ...(index === 0 ? { received: { feedback: DOWN } } : {}),
      })),
    )
    assert.equal(await records.sweep({ before: NOON + 20 * HOUR_MS, countMax: 100, refusalsMax: 100 }, 100), 2)
    assert.deepEqual(await idsOf(records, {}), ['turn_4', 'turn_3', 'turn_2'])
    assert.deepEqual(await idsOf(records, { feedback: 'down' }), [])
  })
}
