// Thumbs by group, and the interval of their share.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FEEDBACK_PARTS } from '@mangaassist/protocol/admin'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { groupsOf, thumbShare } from './thumbs.ts'

test('a turn is in one group of each part, and in one for each experiment', () => {
  const { routing: _, promptVersion: __, ...plain } = sampleTurnRecord({ model: 'claude', language: 'en' })
  assert.deepEqual(
    FEEDBACK_PARTS.map((part) => groupsOf(plain, part)),
    [['claude'], ['none'], ['none'], ['none'], ['none'], ['en']],
  )
  const judged = { level: 'simple', probability: 0.9, floor: 'simple' } as never
  const choice = { first: 'economy', rule: 'complexity', why: 'economy: simple, 0.90', judged }
  const exposures = [
    { experiment: 'a', arm: 'control' },
    { experiment: 'b', arm: 'short' },
  ]
  const routed = sampleTurnRecord({ promptVersion: 'v7', routing: { choice, exposures, unit: 'u' } })
  assert.deepEqual(
    (['prompt', 'route', 'experiment', 'arm'] as const).map((part) => groupsOf(routed, part)),
    [['v7'], ['economy (complexity)'], ['a', 'b'], ['a/control', 'b/short']],
  )
})

test('the interval is the one of Wilson', () => {
  const rounded = ({ high, low, shareUp }: ReturnType<typeof thumbShare>) =>
    [shareUp, low, high].map((value) => Math.round(value * 1000) / 1000)
  assert.deepEqual(rounded(thumbShare({ up: 8, down: 2 })), [0.8, 0.49, 0.943])
  assert.deepEqual(rounded(thumbShare({ up: 10, down: 0 })), [1, 0.722, 1])
  assert.deepEqual(rounded(thumbShare({ up: 0, down: 10 })), [0, 0, 0.278])
  assert.deepEqual(rounded(thumbShare({ up: 0, down: 0 })), [0, 0, 1])
})
