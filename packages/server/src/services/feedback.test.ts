// A thumb belongs to the owner of the conversation, whatever is stored of the turn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { fails, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import {
  sampleOutcome,
  sampleSession,
  sampleStart,
  sampleStoredTurn,
  sampleTurnRecord,
} from '#fixtures/turns/samples.ts'
import type { StartChanges } from '#fixtures/turns/samples.ts'
import { GUEST, STRANGER } from '#fixtures/turns/turns.ts'
import { createFeedback } from './feedback.ts'
import { createSessionQueries } from './sessions.ts'

const USER: Principal = { id: 'user:id:aki', kind: 'user', tier: 'premium' }
const refused =
  (code: string, field = 'turnId') =>
  (error: unknown) =>
    error instanceof Refusal && error.code === code && error.details?.['field'] === field

const counted = ({ telemetry }: TestPorts) => telemetry.counted.filter(({ name }) => name === 'turn_feedback_total')

async function setUp() {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  const feedback = createFeedback(ports)
  const stored = async (turnId = 'turn_1') => (await ports.turnRecords.find(turnId))?.received
  /** A turn in the log, which has ended if there is an outcome. */
  const logged = async (start: StartChanges = {}, hasEnded = true, productIds: readonly string[] = []) => {
    await ports.turnLog.open(sampleStart(start), 1000)
    const outcome = sampleOutcome({ model: 'claude', promptVersion: 'v7', productIds })
    if (hasEnded) await ports.turnLog.append('turn_1', 1, [{ kind: 'text-end', outcome }])
  }
  return { ports, feedback, stored, logged }
}

test('a thumb is set, changed, explained and taken back', async () => {
  const { ports, feedback, stored } = await setUp()
  await ports.turnRecords.add([sampleTurnRecord()])
  const at = ports.clock.now()
  const set = (value: 'up' | 'down' | null, reason?: string) =>
    feedback.setFeedback(GUEST, 'turn_1', { value, ...(reason === undefined ? {} : { reason }) })
  assert.deepEqual(await set('up'), { turnId: 'turn_1', feedback: { value: 'up', at: '2026-11-04T03:00:00.000Z' } })
  await set('down', '  長すぎる\n')
  assert.deepEqual(await stored(), { feedback: { value: 'down', reason: '長すぎる', at } })
  await set('down', '   ')
  assert.deepEqual(await stored(), { feedback: { value: 'down', at } })
  assert.deepEqual(await set(null, 'ignored'), { turnId: 'turn_1', feedback: null })
  assert.deepEqual(await stored(), {})
  assert.deepEqual(
    counted(ports).map(({ fields }) => fields['value']),
    ['up', 'down', 'down', 'withdrawn'],
  )
})

test('a repeat changes nothing, not even its time, and is not counted', async () => {
  const { ports, feedback, stored } = await setUp()
  await ports.turnRecords.add([sampleTurnRecord()])
  await feedback.setFeedback(GUEST, 'turn_1', { value: null })
  const first = await feedback.setFeedback(GUEST, 'turn_1', { value: 'down', reason: 'x' })
  await ports.clock.advance(1000)
  assert.deepEqual(await feedback.setFeedback(GUEST, 'turn_1', { value: 'down', reason: ' x' }), first)
  assert.equal((await stored())?.feedback?.at, ports.clock.now() - 1000)
  assert.equal(counted(ports).length, 1)
})

test('a reason has at most 500 code points', async () => {
  const { ports, feedback, stored } = await setUp()
  await ports.turnRecords.add([sampleTurnRecord()])
  await feedback.setFeedback(GUEST, 'turn_1', { value: 'down', reason: ` ${'𠮷'.repeat(500)} ` })
  assert.equal((await stored())?.feedback?.reason?.length, 1000)
  const long = feedback.setFeedback(GUEST, 'turn_1', { value: 'down', reason: 'a'.repeat(501) })
  await assert.rejects(long, refused('INVALID_REQUEST', 'reason'))
})

test('strangers, unknown turns and prompts of a caller’s own are NOT_FOUND', async () => {
  const { ports, feedback, stored, logged } = await setUp()
  await ports.turnRecords.add([sampleTurnRecord()])
  const rate = (principal: Principal, turnId: string, sessionId?: string) =>
    feedback.setFeedback(principal, turnId, { value: 'up', ...(sessionId === undefined ? {} : { sessionId }) })
  await assert.rejects(rate(STRANGER, 'turn_1'), refused('NOT_FOUND'))
  await assert.rejects(rate(STRANGER, 'turn_1', 'sess_1'), refused('NOT_FOUND'))
  await assert.rejects(rate(GUEST, 'turn_9', 'sess_1'), refused('NOT_FOUND'))
  await assert.rejects(feedback.cardOpened(STRANGER, 'turn_1', { productId: 'akira' }), refused('NOT_FOUND'))
  assert.deepEqual(await stored(), {})
  await ports.turnRecords.forget({ sessionId: 'sess_1' })
  const completion = { system: '', messages: [], models: ['m'] }
  await logged({ sessionId: 'v1_1', completion })
  await assert.rejects(rate(GUEST, 'turn_1'), refused('NOT_FOUND'))
})

test('a turn without a record gets one from its log; a running turn is refused', async () => {
  const { ports, feedback, logged } = await setUp()
  await logged({}, false)
  await assert.rejects(feedback.setFeedback(GUEST, 'turn_1', { value: 'up' }), refused('SESSION_BUSY'))
  const outcome = sampleOutcome({ model: 'claude', promptVersion: 'v7' })
  await ports.turnLog.append('turn_1', 1, [{ kind: 'text-end', outcome }])
  await assert.rejects(feedback.setFeedback(STRANGER, 'turn_1', { value: 'up' }), refused('NOT_FOUND'))
  await feedback.setFeedback(GUEST, 'turn_1', { value: null })
  assert.equal(await ports.turnRecords.find('turn_1'), undefined, 'there was nothing to take back')
  await feedback.setFeedback(GUEST, 'turn_1', { value: 'up' })
  const record = await ports.turnRecords.find('turn_1')
  assert.deepEqual([record?.model, record?.promptVersion, record?.received.feedback?.value], ['claude', 'v7', 'up'])
})

test('an old turn without record and log is found in its conversation', async () => {
  const { ports, feedback } = await setUp()
  await ports.sessions.append('sess_1', 0, sampleStoredTurn({ turnId: 'turn_0' }))
  await ports.sessions.append('sess_1', 1, sampleStoredTurn())
  const rate = (sessionId?: string) =>
    feedback.setFeedback(GUEST, 'turn_1', { value: 'down', ...(sessionId === undefined ? {} : { sessionId }) })
  await assert.rejects(rate(), refused('NOT_FOUND'))
  await assert.rejects(rate('sess_2'), refused('NOT_FOUND'))
  await rate('sess_1')
  const record = await ports.turnRecords.find('turn_1')
  assert.deepEqual(
    [record?.position, record?.model, record?.tier, record?.received.feedback?.value],
    [1, 'unknown', sampleStoredTurn().tier, 'down'],
  )
})

test('the user who was the guest may change the thumb, and the guest no longer', async () => {
  for (const isRecorded of [true, false]) {
    const { ports, feedback, logged, stored } = await setUp()
    if (isRecorded) await ports.turnRecords.add([sampleTurnRecord()])
    else await logged()
    await ports.sessions.adopt(GUEST.id, USER.id)
    await assert.rejects(feedback.setFeedback(GUEST, 'turn_1', { value: 'up' }), refused('NOT_FOUND'))
    // Also while the record still has the guest's name.
    await feedback.setFeedback(USER, 'turn_1', { value: 'down' })
    await ports.turnRecords.adopt(GUEST.id, USER.id)
    await feedback.setFeedback(USER, 'turn_1', { value: 'up' })
    assert.equal((await stored())?.feedback?.value, 'up')
    assert.equal((await ports.turnRecords.find('turn_1'))?.principalId, USER.id)
  }
})

test('a turn of a removed conversation gets no thumb, though its log is still there', async () => {
  const { ports, feedback, logged } = await setUp()
  await logged()
  await ports.sessions.remove('sess_1')
  await ports.turnRecords.forget({ sessionId: 'sess_1' })
  await assert.rejects(feedback.setFeedback(GUEST, 'turn_1', { value: 'up' }), refused('NOT_FOUND'))
})

test('each card of an answer counts once, with or without a record, and nothing else counts', async () => {
  const { feedback, logged, stored } = await setUp()
  await logged({}, true, ['akira', 'monster', 'berserk'])
  const opened = (productId: string) => feedback.cardOpened(GUEST, 'turn_1', { productId })
  await opened('naruto')
  assert.equal(await stored(), undefined, 'nothing was opened')
  for (const productId of ['akira', 'akira', 'monster']) await opened(productId)
  assert.equal((await stored())?.cardsOpened, 2)
  for (let n = 0; n < 40; n += 1) await opened(`p${n}`)
  assert.equal((await stored())?.cardsOpened, 2)
})

test('without a log the cards of an answer are those of its conversation', async () => {
  const { ports, feedback, stored } = await setUp()
  await ports.sessions.append('sess_1', 0, sampleStoredTurn({ productIds: ['akira'] }))
  await ports.turnRecords.add([sampleTurnRecord()])
  for (const productId of ['monster', 'akira']) await feedback.cardOpened(GUEST, 'turn_1', { productId })
  assert.deepEqual(await stored(), { cardsOpened: 1 })
})

test('no more cards are counted than the answer has, also by several nodes and at once', async () => {
  const { ports, feedback, logged, stored } = await setUp()
  const cards = ['akira', 'monster', 'berserk']
  await logged({}, true, cards)
  await feedback.cardOpened(GUEST, 'turn_1', { productId: 'akira' })
  const other = createFeedback(ports)
  await Promise.all(cards.map((productId) => other.cardOpened(GUEST, 'turn_1', { productId })))
  assert.equal((await stored())?.cardsOpened, 3)
  for (const productId of cards) await feedback.cardOpened(GUEST, 'turn_1', { productId })
  assert.equal((await stored())?.cardsOpened, 3)
})

test('a conversation shows the thumb of each turn, and is shown without thumbs when their store is unavailable', async () => {
  const { ports, feedback } = await setUp()
  for (const [version, turnId] of ['turn_0', 'turn_1'].entries())
    await ports.sessions.append('sess_1', version, sampleStoredTurn({ turnId }))
  await feedback.setFeedback(GUEST, 'turn_1', { value: 'down', reason: 'x', sessionId: 'sess_1' })
  const thumbs = async (turnRecords = ports.turnRecords) => {
    const queries = createSessionQueries({ ...ports, turnRecords, config: testConfig })
    return (await queries.get(GUEST, 'sess_1')).turns.map((turn) => turn.feedback)
  }
  assert.deepEqual(await thumbs(), [undefined, { value: 'down', reason: 'x', at: '2026-11-04T03:00:00.000Z' }])
  assert.deepEqual(await thumbs(withVerbs(ports.turnRecords, { page: fails })), [undefined, undefined])
})
