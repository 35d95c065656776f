// The bundled turns are those of today's weights, prompts and answers: a part of the conversations is held again and compared.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldTurns } from '../../../bench/routing/held-turns.ts'
import type { RecordedTurn } from '#domain/routing/replay.ts'
import { readBundledTurns, writeBundledTurns } from '#wiring/bundled-turns.ts'

const STEP = 12
/** Answers are worded by chance, and a word in a prompt is no reason to hold all conversations again. */
const TOKENS_WITHIN = 0.05
const PROBABILITY_WITHIN = 0.02

test('npm run bench -- bundled-turns would write much the same', async () => {
  const held = await heldTurns(STEP)
  const conversations = new Set(held.map(({ sessionId }) => sessionId))
  const stored = (await readBundledTurns()).filter(({ sessionId }) => conversations.has(sessionId)).toReversed()
  assert.ok(held.length > 50, `${held.length} turns`)
  assert.equal(stored.length, held.length, writeBundledTurns(held))
  const sum = (turns: readonly RecordedTurn[], name: 'inputTokens' | 'outputTokens') =>
    turns.reduce((total, turn) => total + turn[name], 0)
  for (const name of ['inputTokens', 'outputTokens'] as const) {
    const ratio = sum(held, name) / sum(stored, name)
    assert.ok(Math.abs(ratio - 1) < TOKENS_WITHIN, `${name} are ${ratio} times those of the file`)
  }
  const complex = (turns: readonly RecordedTurn[]) =>
    turns.reduce((total, { weighed }) => total + (weighed?.judged.probabilities.complex ?? 0), 0) / turns.length
  assert.ok(Math.abs(complex(held) - complex(stored)) < PROBABILITY_WITHIN, `${complex(held)}, ${complex(stored)}`)
})
