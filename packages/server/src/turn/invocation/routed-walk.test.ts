// The walk of a turn whose route puts a lower model first: model-1 is the economy model, model-2 the primary above it, model-3
// the one below both.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { answering, END, failure, say, START } from '#fixtures/models/scripted-model.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { finish, shownBefore } from '#fixtures/turns/walk.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'

const ORDER = ['model-1', 'model-2', 'model-3']
const plan = { order: ORDER, notBelow: ['model-2', 'model-1'], arms: [] }
const sourceOf = ({ sources }: Awaited<ReturnType<typeof finish>>) => {
  const [source] = sources()
  return [source?.model, source?.degraded, source?.confidence, source?.reason]
}

test('the first choice is not degraded, though it is the economy model', async () => {
  assert.deepEqual(sourceOf(await finish([answering('a'), answering('b')], { plan })), ['model-1', false, 1, undefined])
})

test('a model above the first choice is not degraded either, and one below both is', async () => {
  const failed = [failure('invalid')]
  const above = await finish([failed, answering('b'), answering('c')], { plan })
  assert.deepEqual(sourceOf(above), ['model-2', false, 1, undefined])
  const below = await finish([failed, failed, answering('c')], { plan })
  assert.deepEqual(sourceOf(below), ['model-3', true, 0.7, 'invalid'])
})

test('a first choice that the hold cannot pay for leaves its answer to a lower model, and that is the reason', async () => {
  const complex = { order: ['model-0', 'model-1'], notBelow: ['model-0'], arms: [] }
  assert.deepEqual(sourceOf(await finish([answering('a')], { plan: complex })), ['model-1', true, 0.7, 'budget'])
})

test('with little time left the primary is still asked after the economy model, because nothing else follows', async () => {
  const { economyUnderMs, noModelUnderMs } = testConfig.deadlines
  const at = manualClock().now()
  const deadlines = { firstWordBy: at + Math.floor((economyUnderMs + noModelUnderMs) / 2), endBy: at + 100_000 }
  const run = await finish([[failure('invalid')], answering('b')], { plan, deadlines })
  assert.deepEqual(run.calls(), [1, 1])
  assert.equal(run.sources()[0]?.model, 'model-2')
})

test('a turn that another owner began is continued by the model that began it, also against its route', async () => {
  const begun = shownBefore('こんにちは。', { model: 'model-2' })
  const run = await finish([answering('never'), [START, say('続きです。'), END]], { plan, begun, facts: SAMPLE_FACTS })
  assert.equal(run.end().attempts[0]?.model, 'model-2')
})

test('what needs no model is answered by the responder before any model is asked', async () => {
  const alone = { ...plan, isAlone: true } as const
  const run = await finish([answering('never')], { plan: alone, over: { response: '528円です。' } })
  assert.deepEqual(run.sources(), [
    { type: 'source', tier: 'embedded', model: 'built-in', degraded: false, confidence: 1 },
  ])
  assert.deepEqual(
    [run.text(), run.calls(), run.end().attempts, run.end().finishReason],
    ['528円です。', [0], [], 'stop'],
  )
})

test('a responder that has nothing to say, or is absent, leaves the answer to the models of the route', async () => {
  const alone = { ...plan, isAlone: true } as const
  for (const over of [{ response: '' }, {}]) {
    const run = await finish([answering('a'), answering('b')], { plan: alone, over })
    assert.deepEqual(sourceOf(run), ['model-1', false, 1, undefined])
  }
})

test('a turn that was stopped is not answered by the responder', async () => {
  const alone = { ...plan, isAlone: true } as const
  const stopped = { plan: alone, over: { response: 'x' }, abortedBy: new TurnAbort('stopped') }
  const run = await finish([answering('never')], stopped)
  assert.deepEqual([run.text(), run.end().finishReason], ['', 'stopped'])
})
