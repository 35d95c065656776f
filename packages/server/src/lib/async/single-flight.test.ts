// One piece of work for all callers that want the same result.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { SingleFlight } from './single-flight.ts'

const never = new AbortController().signal

function leadOf(flights: SingleFlight<string>, key = 'key') {
  const joined = flights.join(key)
  assert.ok(joined.kind === 'lead')
  return joined
}

function followOf(flights: SingleFlight<string>, key = 'key') {
  const joined = flights.join(key)
  assert.ok(joined.kind === 'follow')
  return joined
}

test('the first caller leads, later callers get its result, and the next caller after that leads again', async () => {
  const clock = manualClock()
  const flights = new SingleFlight<string>(clock)
  const lead = leadOf(flights)
  const waiting = [followOf(flights), followOf(flights)].map((one) => one.landed({ ms: 1000, signal: never }))
  leadOf(flights, 'another')
  lead.land('answer')
  assert.deepEqual(await Promise.all(waiting), ['answer', 'answer'])
  assert.equal(flights.join('key').kind, 'lead')
  assert.equal(clock.timers(), 0)
})

test('a leader that lands nothing ends the wait of its followers at once', async () => {
  const flights = new SingleFlight<string>(manualClock())
  const waiting = (() => {
    using _lead = leadOf(flights)
    return followOf(flights).landed({ ms: 1000, signal: never })
  })()
  assert.equal(await waiting, undefined)
  assert.equal(flights.size, 0)
})

test('a follower stops waiting at its time limit or when its own signal aborts', async () => {
  const clock = manualClock()
  const flights = new SingleFlight<string>(clock)
  const lead = leadOf(flights)
  const own = new AbortController()
  const [late, stopped] = [
    followOf(flights).landed({ ms: 1000, signal: never }),
    followOf(flights).landed({ ms: 5000, signal: own.signal }),
  ]
  own.abort()
  assert.equal(await stopped, undefined)
  await clock.advance(1000)
  assert.equal(await late, undefined)
  lead.land('too late')
  assert.equal(clock.timers(), 0)
  assert.equal(await followAfterAbort(flights), undefined)
})

function followAfterAbort(flights: SingleFlight<string>): Promise<string | undefined> {
  leadOf(flights)
  return followOf(flights).landed({ ms: 1000, signal: AbortSignal.abort() })
}

test('a leader that lands twice, or after another leader started, changes nothing', () => {
  const flights = new SingleFlight<string>(manualClock())
  const first = leadOf(flights)
  first.land('one')
  const second = leadOf(flights)
  first[Symbol.dispose]()
  assert.equal(flights.join('key').kind, 'follow')
  second.land('two')
  assert.equal(flights.size, 0)
})

test('in any order of joins and landings a key never has two leaders, and none is left over', () => {
  const keys = fc.constantFrom('a', 'b')
  fc.assert(
    fc.property(fc.array(fc.tuple(keys, fc.boolean()), { maxLength: 60 }), (steps) => {
      const flights = new SingleFlight<string>(manualClock())
      const leads = new Map<string, { land(value: string): void }>()
      for (const [key, lands] of steps) {
        if (lands) {
          leads.get(key)?.land(key)
          leads.delete(key)
          continue
        }
        const joined = flights.join(key)
        assert.equal(joined.kind, leads.has(key) ? 'follow' : 'lead')
        if (joined.kind === 'lead') leads.set(key, joined)
      }
      assert.equal(flights.size, leads.size)
    }),
  )
})
