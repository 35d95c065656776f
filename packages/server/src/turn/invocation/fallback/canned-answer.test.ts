// The answers when no model can answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaults } from '#config/config.ts'
import { fallbackSaid } from './canned-answer.ts'
import type { FallbackMaterial } from './canned-answer.ts'

const material: FallbackMaterial = {
  language: 'en',
  turnId: 'turn_1',
  store: defaults.store,
  popular: [{ id: 'one-piece', title: { ja: 'ONE PIECE', en: 'One Piece' } }],
  isHandedOver: false,
  faqAnswer: 'Free from 3,000 yen.',
  waitMs: 900_000,
}

test('the message offers a next step, in the language of the question', () => {
  for (const language of ['ja', 'en'] as const) {
    for (const turnId of ['turn_1', 'turn_2', 'turn_3', 'turn_4', 'turn_5']) {
      const { tier, text } = fallbackSaid({ kind: 'message' }, { ...material, language, turnId })
      assert.equal(tier, 'message')
      assert.ok(text.includes(defaults.store.contact[language]))
      assert.match(text, language === 'ja' ? /申し訳/ : /sorry/)
    }
  }
})

test('each step has its own finish reason', () => {
  const said = (step: Parameters<typeof fallbackSaid>[0]) => fallbackSaid(step, material)
  assert.deepEqual([said({ kind: 'faq' }).text, said({ kind: 'faq' }).confidence], ['Free from 3,000 yen.', 0.3])
  assert.deepEqual([said({ kind: 'defer' }).finishReason, said({ kind: 'defer' }).tier], ['deferred', 'message'])
  assert.deepEqual([said({ kind: 'redirect' }).finishReason, said({ kind: 'redirect' }).confidence], ['blocked', 0.1])
  const message = said({ kind: 'message' })
  assert.equal(message.finishReason, 'stop')
  assert.ok(message.text.includes('[One Piece](/series/one-piece)'))
})
