// One call of one model: bounded by silence, cut at its budget, always stopped, and always booked.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { textMessage } from '#domain/model/model-message.ts'
import { modelError } from '#domain/model/model-part.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { answering, END, failure, say, scriptedModel, START, think, usage } from '#fixtures/models/scripted-model.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { listenersOf } from '#fixtures/time/streams.ts'
import { PRICED, sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import type { Rung } from '../turn.ts'
import { attempt } from './attempt.ts'
import type { Attempted } from './attempt.ts'

const limits = { ...testConfig.deadlines, ...testConfig.tokens }

function begin(steps: readonly ModelStep[], over: Partial<Rung> = {}, routed = sampleRouted()) {
  const clock = manualClock()
  const controller = new AbortController()
  const model = scriptedModel(clock, steps)
  const rung = sampleRung(model, { price: PRICED, ...over })
  const said: string[] = []
  let attempted: Attempted | undefined
  const ended = (async () => {
    const context = { clock, limits, number: 1, counter: genericCounter }
    const turn = { signal: controller.signal, say: (text: string) => void said.push(text) }
    attempted = await attempt(context, { ...routed, rung, shown: '' }, turn)
  })()
  const last = () => {
    assert.ok(attempted !== undefined, 'the attempt has ended')
    return attempted
  }
  return { clock, controller, model, ended, text: () => said.join(''), last }
}

test('an answer is passed on as it arrives, with the provider’s usage', async () => {
  const { ended, text, last, clock, controller } = begin(answering('鬼滅', 'の刃'))
  await ended
  assert.equal(text(), '鬼滅の刃')
  assert.deepEqual(last().end, { kind: 'ended', stopReason: 'end' })
  const { startedAt, ...record } = last().record
  assert.equal(startedAt, clock.now())
  assert.deepEqual(record, {
    attempt: 1,
    model: 'scripted',
    tier: 'primary',
    usage: { inputTokens: 20, outputTokens: 2, estimated: false },
    estimate: { system: 40, retrieval: 30, history: 10, message: 20, total: 100 },
    costMicroUsd: 90,
    outcome: 'end',
    name: 'scripted',
    firstWordMs: 0,
    tookMs: 0,
  })
  assert.deepEqual([clock.timers(), listenersOf(controller.signal)], [0, 0])
})

test('the record of a failed call has what the vendor said, without the prompt that it repeats', async () => {
  const fault = { status: 400, code: 'bad', message: 'cannot read 12345678901234567890 here', requestId: 'req_1' }
  const messages = [textMessage('user', 'x 12345678901234567890 y')]
  const parts = [modelError({ class: 'invalid', message: 'as it came', fault })]
  const { ended, last } = begin(parts, {}, sampleRouted({ messages }))
  await ended
  assert.deepEqual(last().end, { kind: 'failed', class: 'invalid' })
  assert.deepEqual(last().record.fault, { ...fault, message: 'cannot read[text]here' })
})

test('the model gets the prompt, the output grant and a signal of its own', async () => {
  const { ended, model, controller } = begin(answering('a'), { maxOutputTokens: 77 })
  await ended
  const request = model.requests[0]
  assert.deepEqual([request?.maxOutputTokens, request?.temperature, request?.language], [77, 0.3, 'ja'])
  assert.notEqual(request?.signal, controller.signal)
})

test('the record of a call has the version of its prompt; the built-in responder reads none', async () => {
  for (const [tier, prompt] of [
    ['primary', 'bookseller-1.5f3a9c21'],
    ['embedded', undefined],
  ] as const) {
    const routed = sampleRouted({ promptVersion: 'bookseller-1.5f3a9c21' })
    const { ended, last } = begin(answering('a'), { tier }, routed)
    await ended
    assert.equal(last().record.prompt, prompt)
  }
})

test('a prompt without a temperature is sent without one', async () => {
  const { temperature: _, ...routed } = sampleRouted()
  const { ended, model } = begin(answering('a'), {}, routed)
  await ended
  assert.ok(model.requests[0] !== undefined && !('temperature' in model.requests[0]))
})

test('a model without a first token in time has timed out, and is aborted', async () => {
  const { clock, ended, model, last } = begin([START, 'hang'])
  await clock.advance(limits.firstTokenMs - 1)
  assert.equal(model.aborts.length, 0)
  await clock.advance(1)
  await ended
  assert.deepEqual(last().end, { kind: 'failed', class: 'timeout' })
  assert.equal(model.aborts.length, 1)
})

test('empty deltas do not count as text and extend no timeout', async () => {
  const mumbling = Array.from({ length: 9 }, () => [{ waitMs: 1000 }, say('')]).flat()
  const { clock, ended, last, text } = begin([START, ...mumbling, say('late'), END])
  await clock.advance(limits.firstTokenMs)
  await ended
  assert.deepEqual([last().end, text()], [{ kind: 'failed', class: 'timeout' }, ''])
})

test('a model that falls silent in mid-answer has timed out, counted from its last text', async () => {
  const { clock, ended, last, text } = begin([START, { waitMs: 7000 }, say('a'), { waitMs: 9000 }, say('b'), 'hang'])
  await clock.advance(16_000 + limits.stallMs - 1)
  assert.equal(text(), 'ab')
  await clock.advance(1)
  await ended
  assert.deepEqual(last().end, { kind: 'failed', class: 'timeout' })
  assert.equal(clock.timers(), 0)
})

test('a model that thinks first has its own time to the first text, and its reasoning is not shown', async () => {
  const thinking = Array.from({ length: 14 }, () => [{ waitMs: 1000 }, think('hm ')]).flat()
  const { clock, ended, last, text } = begin([START, ...thinking, say('a'), END])
  await clock.advance(14_000)
  await ended
  assert.deepEqual([last().end, text(), last().thought], [{ kind: 'ended', stopReason: 'end' }, 'a', true])
  const { outputTokens } = last().record.usage
  assert.ok(outputTokens >= genericCounter.text('hm '.repeat(14)), `${outputTokens} tokens of thinking and speaking`)
})

test('a model that thinks beyond its time or tokens, or falls silent while thinking, has timed out', async () => {
  const endless = Array.from({ length: 40 }, () => [{ waitMs: 1000 }, think('hm ')]).flat()
  const slow = begin([START, ...endless, say('late'), END])
  await slow.clock.advance(limits.thinkingMs)
  await slow.ended
  assert.deepEqual([slow.last().end, slow.model.aborts.length], [{ kind: 'failed', class: 'timeout' }, 1])
  const much = begin([START, think('hm '.repeat(limits.thinkingTokensMax)), say('late'), END])
  await much.ended
  assert.deepEqual([much.last().end, much.text()], [{ kind: 'failed', class: 'timeout' }, ''])
  const mute = begin([START, think('hm'), 'hang'])
  await mute.clock.advance(limits.stallMs)
  await mute.ended
  assert.deepEqual(mute.last().end, { kind: 'failed', class: 'timeout' })
})

test('a delta that is longer than the limit is cut at it, between characters, and neither shown nor booked beyond', async () => {
  const limit = Math.floor(512 * limits.overshootFactor)
  for (const whole of ['word '.repeat(20_000), '漫画の'.repeat(30_000), '𠮷'.repeat(20_000)]) {
    const { ended, last, text } = begin([START, say('a'), say(whole), say('never'), END])
    await ended
    assert.equal(last().end.kind, 'over-budget')
    assert.ok(`a${whole}`.startsWith(text()) && text().isWellFormed())
    const { outputTokens } = last().record.usage
    assert.ok(outputTokens <= limit && outputTokens > limit - 5, `${outputTokens}`)
  }
})

test('a model that ignores its signal does not delay the turn', async () => {
  const { clock, controller, ended, last, model } = begin([START, say('a'), 'hang'])
  await clock.advance(100)
  controller.abort(new TurnAbort('stopped'))
  await ended
  assert.equal(last().end.kind, 'aborted')
  assert.equal(last().record.outcome, 'stopped')
  assert.ok(model.aborts[0] instanceof TurnAbort)
  assert.deepEqual([clock.timers(), listenersOf(controller.signal)], [0, 0])
})

test('a call that writes until the deadline of its turn was neither silent nor stopped by anyone', async () => {
  const { clock, controller, ended, last } = begin([START, say('a'), 'hang'])
  await clock.advance(100)
  controller.abort(new TurnAbort('timeout'))
  await ended
  assert.deepEqual([last().record.outcome, last().record.fault], ['deadline', undefined])
})

test('unreported usage is estimated and flagged, completely or in part', async () => {
  const { ended, last } = begin([START, say('漫画'), END])
  await ended
  assert.deepEqual(last().record.usage, {
    inputTokens: 100,
    outputTokens: genericCounter.text('漫画'),
    estimated: true,
  })
  const partly = begin([START, say('漫画'), { type: 'usage', inputTokens: 31 }, END])
  await partly.ended
  assert.deepEqual(partly.last().record.usage, {
    inputTokens: 31,
    outputTokens: genericCounter.text('漫画'),
    estimated: true,
  })
})

test('prompt-cache reads and writes are recorded with the estimate', async () => {
  const cached = { type: 'usage', inputTokens: 31, outputTokens: 2, cacheReadTokens: 20, cacheWriteTokens: 3 } as const
  const { ended, last } = begin([START, say('漫画'), cached, END])
  await ended
  const { cacheReadTokens, cacheWriteTokens, estimate } = last().record
  assert.deepEqual([cacheReadTokens, cacheWriteTokens, estimate], [20, 3, sampleRouted().estimate])
})

test('a provider’s zero usage for an answer with text is not trusted', async () => {
  const { ended, last } = begin([START, say('漫画'), usage(0, 0), END])
  await ended
  assert.deepEqual(last().record.usage, {
    inputTokens: 100,
    outputTokens: genericCounter.text('漫画'),
    estimated: true,
  })
})

test('the estimate of a text does not depend on how it was cut into deltas', async () => {
  const text = 'A quiet story about a long road and the people on it.'
  const [whole, crumbs] = [begin([START, say(text), END]), begin([START, ...[...text].map(say), END])]
  await Promise.all([whole.ended, crumbs.ended])
  assert.deepEqual(crumbs.last().record.usage, whole.last().record.usage)
})

test('output beyond 110 % of its grant is cut, and the text so far is charged', async () => {
  const { ended, last, text, model } = begin([START, ...Array.from({ length: 200 }, () => say('漫')), END], {
    maxOutputTokens: 100,
  })
  await ended
  assert.deepEqual([last().end, last().record.outcome], [{ kind: 'over-budget' }, 'budget'])
  assert.ok(genericCounter.text(text()) > 110 && genericCounter.text(text().slice(1)) <= 110, `${text().length}`)
  assert.equal(model.aborts.length, 1)
  assert.ok(last().record.usage.outputTokens > 110)
})

test('an English answer within its grant is not cut because it arrives word by word', async () => {
  const { ended, last } = begin([START, ...Array.from({ length: 100 }, () => say(' the')), END], {
    maxOutputTokens: 110,
  })
  await ended
  assert.deepEqual(last().end, { kind: 'ended', stopReason: 'end' })
})

test('an attempt that broke after its first text is recorded with its use', async () => {
  const { ended, last } = begin([START, say('途中まで'), failure('stream-broken')])
  await ended
  assert.deepEqual(last().end, { kind: 'failed', class: 'stream-broken' })
  assert.ok(last().record.usage.outputTokens > 0 && last().record.costMicroUsd > 0)
  assert.equal(last().record.usage.estimated, true)
})

test('a call that the provider refused used nothing', async () => {
  const { ended, last } = begin([failure('throttled')])
  await ended
  assert.deepEqual(last().record.usage, { inputTokens: 0, outputTokens: 0, estimated: false })
  assert.deepEqual([last().record.costMicroUsd, last().record.outcome], [0, 'throttled'])
})

test('a call that may have reached the model is charged, even without a reply', async () => {
  const { clock, ended, last } = begin(['hang'])
  await clock.advance(limits.firstTokenMs)
  await ended
  assert.deepEqual(last().record.usage, { inputTokens: 100, outputTokens: 0, estimated: true })
})

test('an adapter that throws is an internal failure of its model, never of the turn', async () => {
  const broken = {
    id: 'broken',
    async *stream() {
      yield START
      throw new Error('defect')
    },
  }
  const { ended, last } = begin([], { model: broken })
  await ended
  assert.deepEqual(last().end, { kind: 'failed', class: 'internal' })
})
