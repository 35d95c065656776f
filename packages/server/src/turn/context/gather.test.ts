// Gathering what an answer may draw on, at once, and going on without what cannot be had.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '#wiring/test.ts'
import { fails, hangs, testPorts, withVerbs } from '../../../test/fixtures/ports.ts'
import type { TestPorts } from '../../../test/fixtures/ports.ts'
import { sampleSession, sampleStoredTurn } from '../../../test/fixtures/samples.ts'
import { sampleAdmitted } from '../../../test/fixtures/turns.ts'
import { createGather } from './gather.ts'

const never = new AbortController().signal
const gatherOver = (ports: TestPorts) => createGather({ ...ports, config: testConfig })

async function portsWithHistory(turns: number): Promise<TestPorts> {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  for (let version = 0; version < turns; version += 1) {
    await ports.sessions.append(
      'sess_1',
      version,
      sampleStoredTurn({ turnId: `turn_${version}`, question: `q${version}` }),
    )
  }
  return ports
}

test('the newest ten pairs and what the shelves hold come together, with nothing missing', async () => {
  const ports = await portsWithHistory(12)
  const grounded = await gatherOver(ports)(sampleAdmitted({ message: '鬼滅の刃みたいな漫画' }), never)
  assert.deepEqual([grounded.history.length, grounded.history[0]?.question], [10, 'q2'])
  assert.equal(grounded.grounding.intent, 'recommend')
  assert.equal(grounded.grounding.products[0]?.id, 'kimetsu-no-yaiba')
  assert.deepEqual(grounded.missing, [])
})

test('a question that the FAQ knows best is an FAQ question, with the entry', async () => {
  const grounded = await gatherOver(await testPorts())(sampleAdmitted({ message: '返品できますか' }), never)
  assert.equal(grounded.grounding.intent, 'faq')
  assert.equal(grounded.grounding.faq[0]?.id, 'returns')
})

test('history and retrieval are asked for at the same time', async () => {
  const ports = await portsWithHistory(1)
  const asked: string[] = []
  const slow = {
    ...ports,
    sessions: withVerbs(ports.sessions, {
      async recentTurns(sessionId, limit) {
        asked.push('history')
        await ports.clock.sleep(100)
        return ports.sessions.recentTurns(sessionId, limit)
      },
    }),
    search: withVerbs(ports.search, {
      async find(query, signal) {
        asked.push('retrieval')
        await ports.clock.sleep(100)
        return ports.search.find(query, signal)
      },
    }),
  }
  const gathering = gatherOver(slow)(sampleAdmitted(), never)
  await ports.clock.advance(0)
  assert.deepEqual(asked.toSorted(), ['history', 'retrieval'])
  await ports.clock.advance(100)
  assert.deepEqual((await gathering).missing, [])
  assert.equal(ports.clock.timers(), 0)
})

test('retrieval that is too late is missing, is told to stop, and the turn goes on with its history', async () => {
  const ports = await portsWithHistory(2)
  let told: AbortSignal | undefined
  const search = withVerbs(ports.search, {
    find(_query, signal) {
      told = signal
      return hangs()
    },
  })
  const gathering = gatherOver({ ...ports, search })(sampleAdmitted(), never)
  await ports.clock.advance(testConfig.deadlines.retrievalMs)
  const { missing, history, grounding } = await gathering
  assert.deepEqual(missing, ['retrieval'])
  assert.equal(history.length, 2)
  assert.deepEqual(grounding, { intent: 'unknown', products: [], faq: [] })
  assert.equal(told?.aborted, true)
  assert.deepEqual(ports.telemetry.counted, [{ name: 'context.late', fields: { what: 'retrieval' } }])
})

test('history that fails is missing, and the turn goes on with what was retrieved', async () => {
  const ports = await testPorts()
  const sessions = withVerbs(ports.sessions, { recentTurns: fails })
  const { missing, history, grounding } = await gatherOver({ ...ports, sessions })(sampleAdmitted(), never)
  assert.deepEqual(missing, ['history'])
  assert.deepEqual(history, [])
  assert.ok(grounding.products.length > 0)
  assert.equal(ports.telemetry.logged[0]?.event, 'context.failed')
})

test('with both down a greeting is still a greeting', async () => {
  const ports = await testPorts()
  const sessions = withVerbs(ports.sessions, { recentTurns: fails })
  const search = withVerbs(ports.search, { find: fails })
  const greeting = sampleAdmitted({ message: 'こんにちは' })
  const { missing, grounding } = await gatherOver({ ...ports, sessions, search })(greeting, never)
  assert.deepEqual(missing, ['history', 'retrieval'])
  assert.equal(grounding.intent, 'greeting')
})

test('a stop while gathering ends the wait at once', async () => {
  const ports = await testPorts()
  const controller = new AbortController()
  const search = withVerbs(ports.search, { find: hangs })
  const gathering = gatherOver({ ...ports, search })(sampleAdmitted(), controller.signal)
  await ports.clock.advance(10)
  controller.abort()
  assert.deepEqual((await gathering).missing, ['retrieval'])
  assert.equal(ports.clock.timers(), 0)
})
