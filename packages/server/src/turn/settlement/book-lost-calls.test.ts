// Books the calls of a lost owner that the log does not have: each once, with a charge of its own.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryBudgets } from '#adapters/memory/budgets.ts'
import { tierLimits } from '#domain/budget/tier-limits.ts'
import { chargeAgain, turnsOf } from '#domain/ledger/charge-again.ts'
import { fails, settleParts, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleAsk, sampleAttempt, sampleAttemptStart, sampleOutcome, TODAY } from '#fixtures/turns/samples.ts'
import { GUEST, sampleAdmitted, sampleDelivered } from '#fixtures/turns/turns.ts'
import type { LogEntry } from '#ports/turn-log/port.ts'
import { createBookLostCalls } from './book-lost-calls.ts'
import { createSettle } from './settle.ts'

const LEASE_MS = 10_000
const priced = (attempt: number) => sampleAttempt({ attempt, costMicroUsd: 100 + attempt })

/** A turn whose first owner wrote these entries before another node took it over. */
async function takenOver(logged: readonly LogEntry[] = []) {
  const ports = await testPorts()
  const limits = tierLimits(testConfig, 'free')
  const answer = await ports.budgets.admit(sampleAsk({ sessionId: 'sess_1', limits }))
  assert.equal(answer.kind, 'granted')
  const lost = sampleAdmitted({ hold: answer.hold })
  await ports.turnLog.open(lost.start, LEASE_MS)
  if (logged.length > 0) await ports.turnLog.append('turn_1', 1, logged)
  await ports.clock.advance(LEASE_MS)
  assert.equal(await ports.turnLog.takeOver('turn_1', LEASE_MS), 2)
  const books = async () => ({
    attempts: (await ports.ledger.ofTurn('turn_1')).map(({ attempt }) => attempt),
    booked: (await ports.ledger.ofTurn('turn_1')).reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0),
    charged: (await ports.budgets.quota(GUEST.id, limits, TODAY)).used.costMicroUsd,
  })
  return { ports, lost, books, bookLostCalls: createBookLostCalls(settleParts(ports)) }
}

test('a call that only the lost owner knows of is booked beside those of the owner that ends the turn', async () => {
  for (const order of ['before', 'after']) {
    const { ports, lost, books, bookLostCalls } = await takenOver()
    const outcome = sampleOutcome({ attempts: [priced(1001)] })
    const settle = () => createSettle(settleParts(ports))(sampleDelivered({ start: lost.start, outcome, epoch: 2 }))
    if (order === 'after') await settle()
    await bookLostCalls(lost, [priced(1)])
    if (order === 'before') await settle()
    assert.deepEqual(await books(), { attempts: [1, 1001], booked: 1202, charged: 1202 }, order)
  }
})

test('calls that the log has are left to the next owner, whether they had ended or not', async () => {
  const { lost, books, bookLostCalls } = await takenOver([
    { kind: 'attempt-start', attempt: sampleAttemptStart({ attempt: 1 }) },
    { kind: 'attempt-end', record: priced(1) },
    { kind: 'attempt-start', attempt: sampleAttemptStart({ attempt: 2 }) },
  ])
  await bookLostCalls(lost, [priced(1), priced(2), priced(3)])
  assert.deepEqual(await books(), { attempts: [3], booked: 103, charged: 103 })
})

test('calls of earlier owners are not booked again', async () => {
  const { lost, books, bookLostCalls } = await takenOver()
  await bookLostCalls({ ...lost, epoch: 2 }, [priced(1), priced(1001)])
  assert.deepEqual(await books(), { attempts: [1001], booked: 1101, charged: 1101 })
})

test('a booking is repeated until the log can be read, and charged once', async () => {
  const { ports, lost, books } = await takenOver()
  let failures = 2
  const { turnLog } = ports
  const read = (turnId: string, after: number) => (failures-- > 0 ? fails() : turnLog.read(turnId, after))
  const bookLostCalls = createBookLostCalls(settleParts({ ...ports, turnLog: withVerbs(turnLog, { read }) }))
  await bookLostCalls(lost, [priced(1)])
  assert.deepEqual((await books()).attempts, [])
  await ports.clock.advance(10_000)
  assert.deepEqual(await books(), { attempts: [1], booked: 101, charged: 101 })
})

test('when the log is forgotten, the ledger says which calls are booked', async () => {
  const { ports, lost, books } = await takenOver()
  const { turnLog } = ports
  const gone = withVerbs(turnLog, { read: () => Promise.resolve(undefined) })
  const bookLostCalls = createBookLostCalls(settleParts({ ...ports, turnLog: gone }))
  await bookLostCalls(lost, [priced(1)])
  await bookLostCalls(lost, [priced(1)])
  assert.deepEqual(await books(), { attempts: [1], booked: 101, charged: 101 })
})

test('a budget that lost either charge, or both, is charged again with what it lost', async () => {
  for (const lostCharges of [['turn_1'], ['turn_1:1'], ['turn_1', 'turn_1:1'], []]) {
    const { ports, lost, books, bookLostCalls } = await takenOver()
    await bookLostCalls(lost, [priced(1)])
    const outcome = sampleOutcome({ attempts: [priced(1001)] })
    await createSettle(settleParts(ports))(sampleDelivered({ start: lost.start, outcome, epoch: 2 }))
    const { booked } = await books()
    const uses = await turnsOf(ports.ledger, { principalId: GUEST.id, day: TODAY })
    assert.deepEqual(uses.map(({ hold }) => hold.id).toSorted(), ['turn_1', 'turn_1:1'])
    const emptied = memoryBudgets({ clock: ports.clock })
    const kept = uses.filter(({ hold }) => !lostCharges.includes(hold.id))
    await chargeAgain(emptied, kept)
    assert.equal(await chargeAgain(emptied, uses), lostCharges.length)
    const { used } = await emptied.quota(GUEST.id, tierLimits(testConfig, 'free'), TODAY)
    assert.equal(used.costMicroUsd, booked, lostCharges.join())
  }
})
