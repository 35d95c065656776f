// One answer for concurrent turns with the same question.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { textMessage } from '#domain/model/model-message.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleOutcome } from '#fixtures/turns/samples.ts'
import { scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleAdmitted, sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { NORMAL } from '#fixtures/turns/normal-settings.ts'
import { joinFlight } from './answer-flight.ts'
import { createCachedAnswers } from './cached-answers.ts'

function setUp() {
  const clock = manualClock()
  const cache = memoryAnswerCache({ clock, limits: testConfig.answers })
  const ladder = [sampleRung(scriptedModel(clock, [], 'model-1'))]
  const routeOf = () => ({ name: 'primary', first: ladder[0] })
  const answers = createCachedAnswers({
    cache,
    clock,
    telemetry: memoryTelemetry(),
    config: testConfig,
    products: memoryProductStore(),
    faq: [],
    routeOf,
    settings: NORMAL,
  })
  const grounding = { ...UNGROUNDED, intent: { kind: 'faq' as const, id: 'shipping' } }
  const routed = sampleRouted({ ...sampleAdmitted({ sessionVersion: 0 }), grounding, ladder })
  const signal = new AbortController().signal
  const join = (over = {}) => joinFlight(answers, { ...routed, ...over }, { ms: 3000, signal })
  const outcome = sampleOutcome({ tier: 'primary', model: 'model-1', finishReason: 'stop' })
  return { clock, join, outcome, routed, answers }
}

test('a turn with the same question waits for the running one, and gets its answer', async () => {
  const { join, outcome, clock } = setUp()
  using lead = await join()
  const following = join()
  await clock.advance(1)
  await lead.land(outcome, 'はい')
  using follow = await following
  assert.deepEqual([lead.lookup.kind, follow.lookup.kind], ['none', 'fresh'])
  using later = await join()
  assert.equal(later.lookup.kind, 'fresh')
})

test('a turn that waited too long, or for a failed one, asks a model itself', async () => {
  const { join, clock, answers } = setUp()
  const lead = await join()
  const late = join()
  await clock.advance(3000)
  using alone = await late
  assert.equal(alone.lookup.kind, 'none')
  const another = join()
  await clock.advance(1)
  lead[Symbol.dispose]()
  using after = await another
  assert.equal(after.lookup.kind, 'none')
  assert.equal(answers.flights.size, 0)
})

test('a degraded answer is not shared', async () => {
  const { join, outcome } = setUp()
  {
    using lead = await join()
    await lead.land({ ...outcome, tier: 'economy', model: 'model-2' }, 'ええ')
  }
  using next = await join()
  assert.equal(next.lookup.kind, 'none')
})

test('a caller’s own prompt is neither looked up nor stored', async () => {
  const { join } = setUp()
  const completion = { system: '', messages: [textMessage('user', 'hi')], models: ['only'] } as const
  using flight = await join(sampleAdmitted({ completion }))
  assert.equal(flight.lookup.kind, 'unshared')
})

test('without retrieval no turn waits for another, because its answer is not shared', async () => {
  const { join, outcome } = setUp()
  using stored = await join()
  await stored.land(outcome, 'はい')
  const without = { missing: ['retrieval'], grounding: UNGROUNDED }
  using first = await join(without)
  using second = await join(without)
  assert.deepEqual([first.lookup.kind, second.lookup.kind], ['stale', 'stale'])
})
