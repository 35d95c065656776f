// Rounds over the accounts of recent users reach every one of them, however many there are, also around midnight.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryLedger } from '#adapters/memory/ledger.ts'
import { dayOf } from '#domain/budget/day.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleLedgerRow } from '#fixtures/turns/samples.ts'
import { RecentAccounts } from './recent-accounts.ts'

const MINUTE_MS = 60_000
const timeZone = 'Asia/Tokyo'

function setUp() {
  const [clock, ledger] = [manualClock(), memoryLedger()]
  const recent = new RecentAccounts({ clock, ledger, timeZone })
  const answer = (...numbers: readonly number[]) =>
    ledger.record(
      numbers.map((number) => {
        const at = clock.now() + (number % 1000)
        const day = dayOf(at, timeZone).key
        return sampleLedgerRow({ turnId: `turn_${number}`, principalId: `guest_${number}`, day, at })
      }),
    )
  const round = async (usersMax?: number) => {
    const { accounts, behindMs, done } = await recent.next(usersMax)
    done()
    return { users: accounts.map(({ day, principalId }) => `${day.key} ${principalId}`), behindMs }
  }
  return { answer, clock, recent, round }
}

test('a round that is full is continued by the next one, until every user was compared', async () => {
  const { answer, clock, round } = setUp()
  const seen = new Set<string>()
  for (let minute = 0; minute < 60; minute += 1) {
    if (minute < 40) await answer(...Array.from({ length: 10 }, (_, index) => 10 * minute + index))
    await clock.advance(MINUTE_MS)
    if (minute % 5 !== 4) continue
    const { behindMs, users } = await round(40)
    assert.ok(users.length <= 40)
    if (minute === 24) assert.ok(behindMs > 5 * MINUTE_MS)
    for (const user of users) seen.add(user)
  }
  assert.equal(seen.size, 400)
  assert.equal((await round(40)).behindMs, 0)
})

test('turns of the last minutes before midnight are compared after it, on their day', async () => {
  const { answer, clock, round } = setUp()
  const { endsAt, key } = dayOf(clock.now(), timeZone)
  await clock.advance(endsAt - clock.now() - MINUTE_MS)
  await answer(1)
  await clock.advance(2 * MINUTE_MS)
  await answer(2)
  await clock.advance(3 * MINUTE_MS)
  const next = dayOf(clock.now(), timeZone).key
  assert.deepEqual((await round()).users, [`${key} guest_1`, `${next} guest_2`])
})

test('turns that ended just now are left to the next round, and a round that fails is repeated', async () => {
  const { answer, clock, recent, round } = setUp()
  await answer(1)
  await clock.advance(3 * MINUTE_MS)
  await answer(2)
  assert.equal((await recent.next()).accounts.length, 1)
  await clock.advance(20 * MINUTE_MS)
  assert.equal((await round()).users.length, 2)
  assert.equal((await round()).users.length, 0)
})
