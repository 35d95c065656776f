// The score of one configuration against another, and its interval.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import type { JudgedPair, PairVerdict } from './pair.ts'
import { scoreOf } from './score.ts'

type Winner = 'a' | 'b' | 'tie'
const judged = (winner: Winner): PairVerdict => ({ kind: 'judged', winner, margin: 1, reasons: [] })
const pair = (conversation: number, verdict: PairVerdict) =>
  ({ conversation: String(conversation), verdict }) as JudgedPair
const pairs = (winners: readonly Winner[], perConversation = 1) =>
  winners.map((winner, index) => pair(Math.floor(index / perConversation), judged(winner)))

test('a tie is half a win, and a pair without a verdict counts for no side', () => {
  const unjudged = pair(9, { kind: 'unjudged', why: 'unparsable' })
  const { interval, ...score } = scoreOf([...pairs(['a', 'b', 'tie', 'tie']), unjudged], '1')
  assert.deepEqual(score, { pairs: 4, wins: 1, ties: 2, losses: 1, winShare: 0.5 })
  assert.ok(interval !== null && interval[0] < 0.5 && interval[1] > 0.5)
  assert.equal(scoreOf([unjudged], '1').winShare, null)
})

test('the interval has a width even where all end alike, and none for a single conversation', () => {
  const [low, high] = scoreOf(pairs(['b', 'b', 'b', 'b', 'b']), '1').interval ?? [1, 1]
  assert.ok(low < 0.8 && high === 1)
  assert.equal(scoreOf(pairs(['b', 'a', 'b'], 3), '1').interval, null)
})

test('turns of one conversation count as one unit, so the interval is wider than of as many conversations', () => {
  const winners = Array.from({ length: 60 }, (_, index): Winner => (index % 12 < 6 ? 'a' : 'b'))
  const width = ([low, high]: readonly [number, number]) => high - low
  const alone = width(scoreOf(pairs(winners), '1').interval ?? [0, 0])
  const together = width(scoreOf(pairs(winners, 6), '1').interval ?? [0, 0])
  assert.ok(together > 1.5 * alone)
})

test('the interval holds the true share about as often as it says', () => {
  const draw = seededFloats('coverage')
  const isCovered = Array.from({ length: 200 }, (_, run) => {
    const winners = Array.from({ length: 40 }, (): Winner => (draw() < 0.6 ? 'b' : 'a'))
    const [low, high] = scoreOf(pairs(winners), String(run)).interval ?? [0, 0]
    return low <= 0.6 && 0.6 <= high
  })
  assert.ok(isCovered.filter(Boolean).length / isCovered.length > 0.9)
})
