// How a policy is said in a conversation: briefly, then whole, then once more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleFaq } from '../../test/fixtures/samples.ts'
import { policyInside, policySaid } from './policies.ts'
import { withSaid } from './said.ts'
import type { Said } from './said.ts'

const [shipping] = sampleFaq()
const ENTRY = {
  ...shipping!,
  answer: { ja: '500円です。窓口は /support です。', en: 'It is 500 yen. Ask at /support.' },
  brief: { ja: 'はい、500円です。', en: 'Yes, it is 500 yen.' },
}

test('the brief answer comes first, the whole one when it is asked for again, and then it is said that it was', () => {
  let said: Said = []
  const steps = ['nothing', 'brief', 'all'].map((before) => {
    const policy = policySaid(ENTRY, 'en', said)
    assert.equal(policy.before, before)
    said = withSaid(said, policy.text)
    return policy.text
  })
  const whole = 'It is 500 yen. Ask at [our support page](/support).'
  assert.deepEqual(steps, ['Yes, it is 500 yen.', whole, whole])
})

test('after words of another kind a policy has no yes and no apology of its own, and still counts as said', () => {
  const inside = policyInside(policySaid(ENTRY, 'en', []), 'en')
  assert.equal(inside, 'It is 500 yen.')
  assert.equal(policySaid(ENTRY, 'en', ['I cannot see orders. It is 500 yen.']).before, 'brief')
  const sorry = {
    ...ENTRY,
    brief: { ja: '申し訳ございません。500円です。', en: 'We are very sorry about that. It is 500 yen.' },
  }
  assert.equal(policyInside(policySaid(sorry, 'en', []), 'en'), 'It is 500 yen.')
  assert.equal(policyInside(policySaid(sorry, 'ja', []), 'ja'), '500円です。')
})

test('an entry without a brief answer is said as a whole', () => {
  const { brief: _, ...plain } = ENTRY
  assert.equal(policySaid(plain, 'ja', []).text, '500円です。窓口は [サポート窓口](/support) です。')
})
