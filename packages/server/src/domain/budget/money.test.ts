// Money in whole micro-dollars: rounded up once, and never more output than a budget buys.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { costMicroUsd, FREE, outputTokensAffordable } from './money.ts'

const anyPrice = fc.record({
  inputMicroUsdPerMillion: fc.integer({ min: 0, max: 75_000_000 }),
  outputMicroUsdPerMillion: fc.integer({ min: 1, max: 75_000_000 }),
})
const anyTokens = fc.integer({ min: 0, max: 200_000 })

test('the reference price of a thousand tokens each way is 18,000 micro-dollars', () => {
  const sonnet = { inputMicroUsdPerMillion: 3_000_000, outputMicroUsdPerMillion: 15_000_000 }
  assert.equal(costMicroUsd(sonnet, 1000, 1000), 18_000)
})

test('a fraction of a micro-dollar is rounded up once', () => {
  const haiku = { inputMicroUsdPerMillion: 250_000, outputMicroUsdPerMillion: 1_250_000 }
  assert.equal(costMicroUsd(haiku, 1, 0), 1)
  assert.equal(costMicroUsd(haiku, 1, 1), 2)
  assert.equal(costMicroUsd(haiku, 0, 0), 0)
})

test('a cost is the exact cost rounded up to a whole number', () => {
  fc.assert(
    fc.property(anyPrice, anyTokens, anyTokens, (price, input, output) => {
      const cost = BigInt(costMicroUsd(price, input, output)) * 1_000_000n
      const exact =
        BigInt(input) * BigInt(price.inputMicroUsdPerMillion) + BigInt(output) * BigInt(price.outputMicroUsdPerMillion)
      assert.ok(cost >= exact && cost - exact < 1_000_000n)
    }),
  )
})

test('the affordable output fits the budget, and one token more does not', () => {
  fc.assert(
    fc.property(
      anyPrice,
      fc.integer({ min: 0, max: 4000 }),
      fc.integer({ min: 0, max: 20_000_000 }),
      (price, input, budget) => {
        const tokens = outputTokensAffordable(price, input, budget)
        if (costMicroUsd(price, input, 0) > budget) return assert.equal(tokens, 0)
        assert.ok(costMicroUsd(price, input, tokens) <= budget)
        assert.ok(costMicroUsd(price, input, tokens + 1) > budget)
      },
    ),
  )
})

test('free output is affordable without limit, even with an empty budget', () => {
  assert.equal(costMicroUsd(FREE, 4000, 2048), 0)
  assert.equal(outputTokensAffordable(FREE, 4000, 0), Number.POSITIVE_INFINITY)
})
