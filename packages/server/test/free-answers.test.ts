// What the catalogue and the FAQ answer surely is answered when a budget is used up or the queue is full; everything else is refused.
// The whole app over the bundled catalogue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embeddedModel } from '#adapters/embedded/model.ts'
import { systemClock } from '#adapters/system/clock.ts'
import type { Config } from '#config/config.ts'
import type { Principal } from '#domain/identity/principal.ts'
import { Refusal } from '#domain/refusal.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { openBookshop } from '#fixtures/shop/bookshop.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'

const PREMIUM: Principal = { id: 'user_premium', kind: 'user', tier: 'premium' }
const guest = (name: string): Principal => ({ id: `guest_${name}`, kind: 'guest', tier: 'free' })
const refusedAs = (code: string) => (error: unknown) => error instanceof Refusal && error.code === code

async function open(script: Script, over: Partial<Config> = {}) {
  const clock = systemClock()
  const models: Config['models'] = { primary: { provider: 'bedrock', id: 'p', connectionsMax: 1 } }
  const model = scriptedModel(clock, script, 'primary-id')
  const shop = await openBookshop({
    config: { ...testConfig, models, ladder: ['primary'], ...over },
    isLimited: true,
    rewired: () => ({ models: new Map([['primary', model]]), responder: embeddedModel({ clock, tokensPerSecond: 0 }) }),
  })
  return { ...shop, calls: () => model.requests.length }
}

const usedUp: Config['tiers'] = {
  free: { ...testConfig.tiers.free!, inputTokensPerDay: 10, outputTokensPerDay: 10, requestsPerMinute: 100 },
}

const SURE = [
  'ワンピースの値段はいくら？',
  'チェンソーマンの在庫はありますか？',
  '送料はいくらですか',
  'Is Berserk in stock?',
  'How much is shipping?',
]
const UNSURE = ['泣ける完結済みの漫画を教えて', 'something like Spy x Family but darker']

test('with the allowance of the day used up, price, stock and shipping are answered and cost nothing, and wishes are refused', async () => {
  const { app, ask, calls } = await open(answering('never'), { tiers: usedUp })
  for (const message of SURE) {
    const { done, text } = await ask(message)
    assert.ok(['embedded', 'faq'].includes(done.tier), `${message}: ${done.tier} ${text}`)
    assert.deepEqual([done.finishReason, done.costMicroUsd, done.usage.inputTokens], ['stop', 0, 0])
  }
  for (const message of UNSURE) await assert.rejects(ask(message), refusedAs('QUOTA_EXCEEDED'))
  assert.equal(calls(), 0)
  const { used, reserved } = (await app.quota(guest('reader'))).input
  assert.deepEqual([used, reserved], [0, 0])
})

test('a follow-up is understood in its conversation, also when the allowance is used up', async () => {
  const { ask } = await open(answering('never'), { tiers: usedUp })
  const { sessionId } = await ask('ベルセルクの値段はいくら？')
  const { text } = await ask('在庫はありますか？', { sessionId })
  assert.match(text, /在庫/)
})

test('free answers have a rate of their own, beside the rate of requests', async () => {
  const { ask } = await open(answering('never'), { tiers: usedUp })
  const answers = await Promise.allSettled(
    Array.from({ length: 14 }, (_, index) =>
      ask(`ワンピースの${index + 1}巻の値段はいくら？`, { principal: PREMIUM_USED_UP }),
    ),
  )
  const answered = answers.filter(({ status }) => status === 'fulfilled').length
  assert.ok(answered >= 9 && answered <= 11, `${answered}`)
})
const PREMIUM_USED_UP: Principal = { id: 'user_spent', kind: 'user', tier: 'free' }

test('with a full queue sure questions are answered, others refused, and a premium user takes the place of a guest, who gets an answer', async () => {
  const { app, ask } = await open(['hang'], { queue: { ...testConfig.queue, entriesMax: 1 } })
  const running = ask(UNSURE[0]!, { principal: guest('running') })
  await waitUntil('the model is asked', () => app.running() === 1)
  const waiting = ask(UNSURE[0]!, { principal: guest('waiting') })
  const queued = () => [...app.waiting().values()].reduce((sum, count) => sum + count, 0)
  await waitUntil('a guest waits', () => queued() === 1)
  const { done } = await ask('ワンピースの値段はいくら？', { principal: guest('free') })
  assert.equal(done.tier, 'embedded')
  await assert.rejects(ask(UNSURE[1]!, { principal: guest('refused') }), refusedAs('QUEUE_FULL'))
  const premium = ask(UNSURE[1]!, { principal: PREMIUM })
  const displaced = await waiting
  assert.ok(displaced.text !== '' && ['embedded', 'faq', 'message'].includes(displaced.done.tier))
  for (const answer of await Promise.all([running, premium])) assert.notEqual(answer.text, '')
})
