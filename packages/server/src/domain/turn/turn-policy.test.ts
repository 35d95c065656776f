// What each kind of turn may do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleStart } from '#fixtures/turns/samples.ts'
import { textMessage } from '../model/model-message.ts'
import { policyOf } from './turn-policy.ts'
import type { TurnStart } from './log-records.ts'

const completion = { system: '', messages: [textMessage('user', 'hi')], models: ['only'] }

test('a chat may do everything that needs a conversation, a completion nothing of it', () => {
  const [chat, own] = [policyOf(sampleStart()), policyOf(sampleStart({ completion }))]
  for (const [may, policy] of [
    [true, chat],
    [false, own],
  ] as const) {
    const { isStreamed, hasAnswerUsage, ...rest } = policy
    assert.ok(
      Object.values(rest).every((value) => value === may),
      JSON.stringify(rest),
    )
    assert.deepEqual([isStreamed, hasAnswerUsage], [true, !may])
  }
})

test('a completion in one piece is not streamed, and is otherwise like every completion', () => {
  const whole = policyOf(sampleStart({ completion: { ...completion, inOnePiece: true } }))
  assert.deepEqual(whole, { ...policyOf(sampleStart({ completion })), isStreamed: false })
})

test('a kind that this version does not know is refused, and the error names it', () => {
  const newer = { ...sampleStart(), kind: 'toString' } as unknown as TurnStart
  assert.throws(() => policyOf(newer), /turn_1 is of an unknown kind/)
})
