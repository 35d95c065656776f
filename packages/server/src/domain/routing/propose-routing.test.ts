// What is proposed to a shop that has routing off, and to which shops nothing is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleJudged, sampleRouting } from '#fixtures/turns/routing.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import type { Price } from '../budget/money.ts'
import type { TurnRecord } from '../turn-records/turn-record.ts'
import { isFarAbove, OWN_TURNS_MIN, proposeRouting } from './propose-routing.ts'
import type { RoutingSettings } from './routing-settings.ts'

const DOLLAR = 1_000_000
const price = (input: number, output = input): Price => ({
  inputMicroUsdPerMillion: input * DOLLAR,
  outputMicroUsdPerMillion: output * DOLLAR,
})

function turns(count: number, level: 'simple' | 'complex', over: Partial<TurnRecord> = {}): TurnRecord[] {
  return Array.from({ length: count }, (_, index) =>
    sampleTurnRecord({
      turnId: `turn_${level}_${index}`,
      sessionId: `sess_${level}_${index}`,
      weighed: { judged: sampleJudged(level, 0.95), plain: [], promptTokens: 1000 },
      inputTokens: 1000,
      outputTokens: 100,
      isCached: false,
      ...over,
    }),
  )
}

async function* stream(records: readonly TurnRecord[]) {
  yield* records
}

interface Shop {
  readonly prices?: Readonly<Record<string, Price | undefined>>
  readonly routing?: Partial<RoutingSettings>
  readonly recorded?: readonly TurnRecord[]
}

/** The bundled turns of this shop are half simple, half complex. */
function propose({ prices = { primary: price(3), economy: price(1) }, recorded, routing = {} }: Shop = {}) {
  return proposeRouting(
    {
      routing: sampleRouting({ enabled: false, ...routing }),
      ladder: Object.keys(prices),
      priceOf: (name) => prices[name],
    },
    {
      ...(recorded === undefined ? {} : { recorded: stream(recorded) }),
      bundled: async () => [...turns(50, 'simple'), ...turns(50, 'complex')],
    },
  )
}

test('a shop without turns of its own sees the saving of the bundled ones', async () => {
  const proposal = await propose()
  assert.deepEqual([proposal?.source, proposal?.turns], ['bundled', 100])
  assert.equal(proposal?.saved.toFixed(3), '0.333')
  assert.deepEqual(proposal?.levels, { simple: 'economy', moderate: 'economy', complex: 'primary' })
  assert.equal(proposal?.setting, 'routing: { enabled: true }')
})

test('its own turns count from a number of them on, cached answers aside', async () => {
  const enough = await propose({ recorded: turns(OWN_TURNS_MIN, 'simple') })
  assert.deepEqual([enough?.source, enough?.turns, enough?.saved.toFixed(3)], ['recorded', OWN_TURNS_MIN, '0.667'])
  assert.deepEqual([enough?.ladderMicroUsd, enough?.routedMicroUsd], [OWN_TURNS_MIN * 3300, OWN_TURNS_MIN * 1100])
  const few = [...turns(OWN_TURNS_MIN - 1, 'simple'), ...turns(20, 'complex', { isCached: true })]
  assert.equal((await propose({ recorded: few }))?.source, 'bundled')
})

test('of its own turns the newest are read, and no more than needed', async () => {
  let read = 0
  async function* endless() {
    for (;;) {
      read += 1
      yield sampleTurnRecord({ ...turns(1, 'simple')[0]!, sessionId: `sess_${read}` })
    }
  }
  const prices = { primary: price(3), economy: price(1) }
  const proposal = await proposeRouting(
    {
      routing: sampleRouting({ enabled: false }),
      ladder: Object.keys(prices),
      priceOf: (name) => prices[name as 'primary'],
    },
    { recorded: endless(), bundled: async () => [] },
  )
  assert.deepEqual([proposal?.turns, read], [2000, 2000])
})

test('a model that costs nothing may be proposed, and nothing saves on one that does', async () => {
  assert.equal((await propose({ prices: { primary: price(3), economy: price(0) } }))?.saved, 1 / 2)
  assert.equal(await propose({ prices: { primary: price(0), economy: price(0) } }), undefined)
})

test('prices are compared by a typical turn, of which the prompt is the most', () => {
  assert.equal(isFarAbove(price(3, 15), price(1, 5)), true)
  assert.equal(isFarAbove(price(3, 15), price(1, 5.1)), false)
  assert.equal(isFarAbove(price(3, 3), price(0.5, 9)), true)
})

test('with names of its own the cheapest model of the ladder is proposed, with the levels to set', async () => {
  const proposal = await propose({ prices: { big: price(3), mid: price(2), small: price(0.5), last: undefined } })
  assert.deepEqual(proposal?.levels, { simple: 'small', moderate: 'small', complex: 'big' })
  assert.equal(
    proposal?.setting,
    'routing: { enabled: true, levels: { simple: "small", moderate: "small", complex: "big" } }',
  )
})

test('nothing is proposed where it would not pay or could not be switched on', async () => {
  const one = { rules: [{ name: 'night', when: {}, use: 'missing' }] }
  const shops: Readonly<Record<string, Shop>> = {
    'it is on': { routing: { enabled: true } },
    'prices are near': { prices: { primary: price(3), economy: price(1.1) } },
    'the cheaper one is asked first': { prices: { economy: price(1), primary: price(3) } },
    'one model': { prices: { primary: price(3), last: undefined } },
    'no price is known': { prices: { primary: undefined, economy: price(1) } },
    'no model at all': { prices: {} },
    'a rule names a model that is not there': { routing: one },
    'all its questions are complex': { recorded: turns(300, 'complex') },
  }
  for (const [why, shop] of Object.entries(shops)) assert.equal(await propose(shop), undefined, why)
})
