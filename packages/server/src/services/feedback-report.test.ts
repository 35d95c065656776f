// Thumbs for operators, in pages and with bounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '#domain/refusal.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { fails, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { sampleSession, sampleStoredTurn, sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { createFeedbackQueries } from './feedback-report.ts'

const READER = { by: 'aki', reason: 'many thumbs down' }
const { at } = sampleTurnRecord()

async function setUp() {
  const ports = await testPorts()
  const add = (turnId: string, value: 'up' | 'down', more: object = {}) =>
    ports.turnRecords.add([sampleTurnRecord({ turnId, ...more, received: { feedback: { value, at } } })])
  return { ports, add, queries: createFeedbackQueries({ ...ports, config: testConfig }) }
}

test('the worst turns come in pages, and a wrong position is refused', async () => {
  const { add, queries } = await setUp()
  for (const [index, turnId] of ['a', 'b', 'c'].entries()) await add(turnId, 'down', { at: at + index })
  await add('d', 'up')
  const ids = async (after?: string) => {
    const page = await queries.worstFeedback({}, { limit: 2, ...(after === undefined ? {} : { after }) })
    return { ids: page.turns.map(({ turnId }) => turnId), next: page.next }
  }
  const first = await ids()
  assert.deepEqual(first.ids, ['c', 'b'])
  assert.deepEqual(await ids(first.next), { ids: ['a'], next: undefined })
  const refused = (error: unknown) => error instanceof Refusal && error.details?.['field'] === 'after'
  await assert.rejects(ids('x'), refused)
})

test('groups are ordered by their thumbs, and a turn of two experiments is in both', async () => {
  const { add, queries } = await setUp()
  const exposed = (...experiments: string[]) => ({
    routing: { exposures: experiments.map((experiment) => ({ experiment, arm: 'control' })), unit: 'u' },
  })
  await add('a', 'up', exposed('one', 'two'))
  await add('b', 'down', exposed('two'))
  await add('c', 'up', { routing: undefined })
  const { groups, totals } = await queries.feedback('experiment', {})
  assert.deepEqual(
    groups.map(({ down, key, up }) => [key, up, down]),
    [
      ['two', 1, 1],
      ['none', 1, 0],
      ['one', 1, 0],
    ],
  )
  assert.deepEqual([totals.up, totals.down], [2, 1])
})

test('no text is read when the audit cannot be written', async () => {
  const { add, ports } = await setUp()
  await add('turn_1', 'down')
  await ports.sessions.create(sampleSession())
  await ports.sessions.append('sess_1', 0, sampleStoredTurn())
  let reads = 0
  const sessions = withVerbs(ports.sessions, {
    recentTurns: async () => {
      reads += 1
      return []
    },
  })
  const admin = withVerbs(ports.admin, { note: fails })
  const queries = createFeedbackQueries({ ...ports, admin, sessions, config: testConfig })
  await assert.rejects(queries.worstFeedback({}, { limit: 10 }, READER))
  assert.equal(reads, 0)
  assert.equal((await queries.worstFeedback({}, { limit: 10 })).turns[0]?.question, undefined)
})
