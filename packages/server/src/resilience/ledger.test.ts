// Rows for an unavailable ledger are written once when it answers again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { ledgerContract } from '#ports/ledger/contract.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { resilientLedger } from './ledger.ts'

function setUp() {
  const clock = manualClock()
  const books = memoryLedger()
  const { port, store } = switchableStore(books)
  const parts = { clock, telemetry: memoryTelemetry() }
  const ledger = resilientLedger({ ...parts, ledger: { ...books, record: port.record } })
  return { clock, books, ledger, store }
}

ledgerContract('resilient ledger', async () => setUp().ledger)

test('rows wait while the ledger is unavailable, and are written once when it answers again', async () => {
  const { books, clock, ledger, store } = setUp()
  store.isUnavailable = true
  await ledger.record([sampleLedgerRow()])
  store.losesAnswers = true
  await ledger.record([sampleLedgerRow({ turnId: 'turn_2' })])
  await clock.advance(10_000)
  store.isUnavailable = false
  await clock.advance(10_000)
  assert.deepEqual([(await books.ofTurn('turn_1')).length, (await books.ofTurn('turn_2')).length], [1, 1])
  assert.equal(clock.timers(), 0)
})

test('the first successful write also writes the rows that waited', async () => {
  const { books, ledger, store } = setUp()
  store.isUnavailable = true
  await ledger.record([sampleLedgerRow()])
  store.isUnavailable = false
  await ledger.record([sampleLedgerRow({ turnId: 'turn_2' })])
  await ledger[Symbol.asyncDispose]()
  assert.equal((await books.ofTurn('turn_1')).length, 1)
})

test('rows of one turn that are recorded apart all wait, and are all written', async () => {
  const { books, clock, ledger, store } = setUp()
  store.isUnavailable = true
  const [first, second] = [sampleLedgerRow({ attempt: 2, lostOwner: 1 }), sampleLedgerRow({ attempt: 2001 })]
  await ledger.record([first])
  await ledger.record([second])
  assert.deepEqual([ledger.isWaiting?.([first]), ledger.isWaiting?.([second])], [true, true])
  assert.equal(ledger.isWaiting?.([sampleLedgerRow({ turnId: 'turn_2' })]), false)
  store.isUnavailable = false
  await clock.advance(10_000)
  assert.deepEqual(
    (await books.ofTurn('turn_1')).map(({ attempt }) => attempt),
    [2, 2001],
  )
  assert.equal(ledger.isWaiting?.([first]), false)
})
