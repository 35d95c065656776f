// The sentence says why the first choice did not answer, in each of the ways in which it can happen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleTurnRecord } from '#fixtures/turns/turn-records.ts'
import type { TurnCall, TurnRecord } from './turn-record.ts'
import { whyNotFirstChoice } from './why-not-first-choice.ts'

function call(over: Partial<TurnCall>): TurnCall {
  const figures = { inputTokens: 1, outputTokens: 1, costMicroUsd: 1 }
  return { attempt: 1, model: 'claude', name: 'primary', tier: 'primary', outcome: 'end', ...figures, ...over }
}

const why = (over: Partial<TurnRecord>): string | undefined =>
  whyNotFirstChoice(sampleTurnRecord({ firstChoice: 'primary', ...over }))

const ECONOMY = call({ attempt: 3, name: 'economy', model: 'haiku', tier: 'economy' })

test('nothing is said when the first choice answered', () => {
  assert.equal(why({ calls: [call({ outcome: 'timeout' }), call({ attempt: 2 })] }), undefined)
  assert.equal(whyNotFirstChoice(sampleTurnRecord()), undefined)
})

test('failed calls are counted, and the last has the vendor’s words', () => {
  const fault = { status: 429, code: 'rate_limit', message: 'slow down' }
  const calls = [call({ outcome: 'timeout' }), call({ attempt: 2, outcome: 'throttled', fault }), ECONOMY]
  assert.equal(
    why({ calls, model: 'haiku', tier: 'economy' }),
    'primary failed 2 times, last because the vendor throttled it (HTTP 429 rate_limit “slow down”); economy answered.',
  )
  assert.equal(
    why({ calls: [call({ outcome: 'odd' })], model: 'message', tier: 'message' }),
    'primary failed, last because of odd; no source could answer.',
  )
})

test('a model that was not asked is explained by its lane, the time or the budget', () => {
  const passed = [{ model: 'primary', reason: 'circuit-open' }]
  assert.equal(
    why({ calls: [ECONOMY], passed, model: 'haiku', tier: 'economy' }),
    'primary was not asked because its circuit was open; economy answered.',
  )
  assert.equal(
    why({ calls: [], reason: 'store-budget no-history', model: 'responder', tier: 'embedded' }),
    'primary was not asked because the ceiling of the shop’s spending of the day was reached; the answer came from embedded (responder).',
  )
})

test('cache, route and stop are reasons of their own', () => {
  assert.match(why({ isCached: true }) ?? '', /came from the cache/)
  assert.match(why({ stop: 'stopped', calls: [] }) ?? '', /stopped the turn/)
  const judged = {
    level: 'simple',
    probabilities: { simple: 1, moderate: 0, complex: 0 },
    floor: 'simple',
    sureness: 1,
  } as const
  const choice = { first: 'economy', rule: 'complexity', why: 'economy: simple, 0.93', judged }
  const routing = { choice, exposures: [], unit: 'u' }
  assert.equal(
    why({ firstChoice: 'economy', calls: [ECONOMY], tier: 'economy', routing }),
    'The route chose economy first (economy: simple, 0.93), and it answered.',
  )
  const alone = { ...routing, choice: { ...choice, first: 'embedded', rule: 'no-model', why: 'price' } }
  assert.match(
    why({ firstChoice: 'embedded', calls: [], tier: 'embedded', routing: alone }) ?? '',
    /needed none \(price\)/,
  )
})

test('a first choice that was still writing at the deadline answered, and one without a word did not', () => {
  const cut = { stop: 'timeout', finishReason: 'timeout' } as const
  assert.equal(why({ ...cut, calls: [call({ outcome: 'deadline', firstTokenMs: 400 })] }), undefined)
  // As earlier versions recorded it.
  assert.equal(why({ ...cut, calls: [call({ outcome: 'timeout', firstTokenMs: 400 })] }), undefined)
  const { firstTokenMs: _, ...silent } = call({ outcome: 'deadline' })
  assert.equal(
    why({ ...cut, calls: [silent], tier: 'message', model: 'message' }),
    'primary failed, last because the time of the turn was over before its first word; no source could answer.',
  )
})

test('older records say what they have', () => {
  const old = sampleTurnRecord({ isDegraded: true, failure: 'timeout', model: 'haiku' })
  assert.equal(whyNotFirstChoice(old), 'haiku answered in place of the first choice: it was silent for too long.')
})
