// Ended turns whose owner was lost while a store was unavailable get their place in the conversation and their rows from the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { fails, settleParts, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { sampleAsk, sampleAttempt, sampleOutcome, sampleSession } from '#fixtures/turns/samples.ts'
import { sampleAdmitted, sampleDelivered } from '#fixtures/turns/turns.ts'
import { resilientLedger } from '#resilience/ledger.ts'
import { createSettle } from './settle.ts'
import { createWriteTurn } from './write-turn.ts'
import { createWriteUnwritten } from './write-unwritten.ts'

const unavailable = () => Promise.reject(new StoreUnavailable('no answer'))
const OWNER_FIRST_MS = 30_000

/** A turn that ended on a node whose conversations and ledger are unavailable, and the ports of the next node. */
async function endedInOutage({ isFirst = false } = {}) {
  const ports = await testPorts()
  if (!isFirst) await ports.sessions.create(sampleSession())
  const answer = await ports.budgets.admit(sampleAsk({ sessionId: 'sess_1' }))
  assert.equal(answer.kind, 'granted')
  const { start } = sampleAdmitted({ hold: answer.hold })
  const outcome = sampleOutcome({ attempts: [sampleAttempt()] })
  await ports.turnLog.open(isFirst ? { ...start, beginsSession: true } : start, 10_000)
  const text = { kind: 'text', offset: 0, text: 'hi' } as const
  await ports.turnLog.append('turn_1', 1, [text, { kind: 'text-end', outcome }])
  const lost = {
    ...ports,
    sessions: withVerbs(ports.sessions, { append: unavailable }),
    ledger: resilientLedger({ ...ports, ledger: withVerbs(ports.ledger, { record: unavailable }) }),
  }
  const settle = createSettle(settleParts(lost))
  await settle(sampleDelivered({ start, outcome }), { mayWait: true })
  return { ports, start }
}

function nextNode(ports: TestPorts) {
  const writeTurn = createWriteTurn(settleParts(ports))
  return createWriteUnwritten({ turnLog: ports.turnLog, telemetry: ports.telemetry, writeTurn })
}

async function written({ ledger, sessions, turnLog }: TestPorts) {
  const turns = await sessions.recentTurns('sess_1', 10)
  const rows = await ledger.ofTurn('turn_1')
  return {
    turns: turns.map(({ answer, late, turnId }) => [turnId, answer, late]),
    attempts: rows.map(({ attempt }) => attempt),
    noted: await turnLog.unwritten(0, 10),
  }
}

test('a turn that ended in an outage is written from its log by another node, once', async () => {
  const { ports } = await endedInOutage()
  assert.deepEqual(await written(ports), { turns: [], attempts: [], noted: ['turn_1'] })
  const before = await ports.budgets.quota('guest_1', sampleAsk().limits, sampleAsk().day)
  const writeUnwritten = nextNode(ports)
  assert.equal(await writeUnwritten(), 0, 'the owner has time to write it itself')
  await ports.clock.advance(OWNER_FIRST_MS)
  assert.equal(await writeUnwritten(), 1)
  assert.deepEqual(await written(ports), { turns: [['turn_1', 'hi', true]], attempts: [1], noted: [] })
  assert.equal(await writeUnwritten(), 0)
  const after = await ports.budgets.quota('guest_1', sampleAsk().limits, sampleAsk().day)
  assert.deepEqual(after.used, before.used, 'it was charged when it ended')
})

test('the first turn of a conversation that could not be created begins it', async () => {
  const { ports } = await endedInOutage({ isFirst: true })
  await ports.clock.advance(OWNER_FIRST_MS)
  assert.equal(await nextNode(ports)(), 1)
  const { attempts, turns } = await written(ports)
  assert.deepEqual([turns, attempts], [[['turn_1', 'hi', true]], [1]])
  assert.equal((await ports.sessions.find('sess_1'))?.principalId, 'guest_1')
})

test('a turn that its owner wrote after all is not written twice', async () => {
  const { ports, start } = await endedInOutage()
  const writeTurn = createWriteTurn(settleParts(ports))
  await writeTurn(sampleDelivered({ start, outcome: sampleOutcome({ attempts: [sampleAttempt()] }) }), false)
  await ports.clock.advance(OWNER_FIRST_MS)
  assert.equal(await nextNode(ports)(), 1)
  const { attempts, noted, turns } = await written(ports)
  assert.deepEqual([turns.length, attempts, noted], [1, [1], []])
})

test('while the store is unavailable the turn stays noted, and a round makes few tries', async () => {
  const { ports } = await endedInOutage()
  for (const number of [2, 3, 4, 5]) await ports.turnLog.noteUnwritten(`turn_${number}`)
  await ports.clock.advance(OWNER_FIRST_MS)
  let tries = 0
  const append = async () => {
    tries += 1
    return unavailable()
  }
  const writeUnwritten = nextNode({ ...ports, sessions: withVerbs(ports.sessions, { append }) })
  assert.equal(await writeUnwritten(), 0)
  assert.equal(tries, 1)
  assert.deepEqual(await ports.turnLog.unwritten(0, 10), ['turn_1'], 'turns without a log are not tried again')
  const ledger = resilientLedger({ ...ports, ledger: withVerbs(ports.ledger, { record: unavailable }) })
  assert.equal(await nextNode({ ...ports, ledger })(), 0, 'rows that wait in this node are not written yet')
  assert.deepEqual(await ports.turnLog.unwritten(0, 10), ['turn_1'])
  assert.equal(await nextNode(ports)(), 1)
})

test('a turn whose log is gone is reported, and one that cannot be written does not stop the others', async () => {
  const { ports } = await endedInOutage()
  await ports.turnLog.noteUnwritten('turn_gone')
  await ports.clock.advance(OWNER_FIRST_MS)
  const broken = nextNode({ ...ports, sessions: withVerbs(ports.sessions, { append: fails }) })
  assert.equal(await broken(), 0)
  const events = ports.telemetry.logged.map(({ event }) => event)
  assert.ok(events.includes('turn.write-failed'), events.join())
  assert.ok(events.includes('turn.unwritten-expired'), events.join())
  assert.deepEqual(await ports.turnLog.unwritten(0, 10), ['turn_1'])
})
