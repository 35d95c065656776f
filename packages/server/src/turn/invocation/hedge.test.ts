// Hedges a slow model with the next one: the first to send text answers, the other is stopped and booked, and whatever
// forbids it leaves the turn as it was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { THINKING_MAX_MS } from '#domain/turn/first-word.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import type { TestInvocation } from '#fixtures/turns/invocation.ts'
import { answering, END, failure, say, START, think } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { begin, finish, OWN, shownBefore } from '#fixtures/turns/walk.ts'
import type { Asked } from '#fixtures/turns/walk.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { changedSettings } from '#fixtures/turns/normal-settings.ts'
import { TypicalTimes } from '#domain/model/typical-times.ts'
import { HedgeShare } from './hedge.ts'

const P95_MS = 500
const AFTER_P95 = { waitMs: P95_MS + 900 }
const SLOW: Script = [AFTER_P95, ...answering('slow')]
const QUICK: Script = [{ waitMs: 100 }, ...answering('quick')]
const hedging = (over: Partial<TestInvocation> = {}): TestInvocation => ({
  ...over,
  config: { ...(over.config ?? testConfig), hedge: { enabled: true, shareMax: 1, perTenSecondsMax: 100 } },
})
/** The first model usually sends its first text within `P95_MS`. */
const usual: Asked['before'] = async ({ typical }) => {
  for (let calls = 0; calls < 20; calls += 1) typical.see('model-1', P95_MS)
}
const HEDGED: Asked = { facts: SAMPLE_FACTS, over: hedging(), before: usual }

/** Half of the promise: a second model is asked by then. */
const LATEST_MS = testConfig.answers.firstWordMs / 2
const SILENT: Asked['before'] = async () => {}

test('switched off, no second call is made beside a slow model: it is left for the next one when the promise needs it', async () => {
  const settings = changedSettings()
  settings.off.add('hedging')
  const off = { ...testConfig, hedge: { ...testConfig.hedge, enabled: false } }
  for (const over of [hedging({ settings }), { config: off }]) {
    const quick = await finish([SLOW, QUICK], { ...HEDGED, over })
    assert.deepEqual([quick.calls(), quick.text()], [[1, 0], 'slow'])
    const left = await finish([['hang'], QUICK], { ...HEDGED, over })
    assert.deepEqual([left.calls(), left.text(), left.sources()[0]?.reason], [[1, 1], 'quick', 'timeout'])
    assert.equal(left.end().attempts[0]?.paidBy, 'shop')
  }
})

test('a model whose usual time is not known has half of the promise before the next one is asked too', async () => {
  const run = begin([['hang'], QUICK], { ...HEDGED, before: SILENT })
  await run.clock.advance(LATEST_MS - 1)
  assert.deepEqual(run.calls(), [1, 0])
  await run.clock.advance(101)
  await run.ended
  assert.deepEqual([run.calls(), run.text(), run.sources()[0]?.reason], [[1, 1], 'quick', 'hedged'])
})

test('a model that answers in its usual time is asked alone', async () => {
  const { calls, text, recorded } = await finish([[{ waitMs: 400 }, ...answering('in time')], QUICK], HEDGED)
  assert.deepEqual([calls(), text(), recorded.raisedTo], [[1, 0], 'in time', []])
})

test('after that time the next model is asked too; when it is first, it answers with its reason, and the other is stopped and booked', async () => {
  const { models, calls, sources, text, end, types, recorded, telemetry } = await finish([SLOW, QUICK], HEDGED)
  assert.deepEqual([calls(), text(), end().finishReason], [[1, 1], 'quick', 'stop'])
  assert.deepEqual(sources(), [
    {
      type: 'source',
      tier: 'economy',
      model: 'model-2',
      name: 'model-2',
      degraded: true,
      confidence: 0.7,
      reason: 'hedged',
    },
  ])
  assert.equal(models[0]?.aborts.length, 1)
  assert.deepEqual(
    end()
      .attempts.map(({ attempt, model, outcome, paidBy, usage }) => [
        attempt,
        model,
        outcome,
        paidBy,
        usage.inputTokens,
        usage.outputTokens,
      ])
      .toSorted(([one], [other]) => Number(one) - Number(other)),
    [
      // In full: its vendor may bill what it had not said yet.
      [1, 'model-1', 'cancelled', 'shop', 100, 512],
      [2, 'model-2', 'end', undefined, 20, 1],
    ],
  )
  assert.deepEqual(types(), ['attempt-start', 'attempt-start', 'source', 'text-delta', 'attempt-end'])
  // Silent for its whole usual time, the first counts as timed out.
  assert.deepEqual(recorded.reports.toSorted(), ['silent', 'success'])
  // Both calls in full: the cost of the ladder's most expensive call is not enough.
  assert.deepEqual(
    recorded.raisedTo.map(({ outputTokens }) => outputTokens),
    [1024],
  )
  assert.deepEqual(
    telemetry.counted.filter(({ name }) => name === 'model_hedges_total').map(({ fields }) => fields),
    [{ model: 'model-1', outcome: 'won' }],
  )
})

test('when the first model is still first, its answer is not degraded, and the second is stopped and booked', async () => {
  const first: Script = [{ waitMs: P95_MS + 50 }, ...answering('first')]
  const { models, sources, text, end, telemetry } = await finish([first, [AFTER_P95, ...answering('never')]], HEDGED)
  assert.deepEqual([text(), sources()[0]?.degraded, sources().length], ['first', false, 1])
  assert.equal(models[1]?.aborts.length, 1)
  assert.deepEqual(
    end()
      .attempts.map(({ outcome }) => outcome)
      .toSorted(),
    ['cancelled', 'end'],
  )
  assert.ok(telemetry.counted.some(({ name, fields }) => name === 'model_hedges_total' && fields['outcome'] === 'lost'))
})

test('a first model that fails meanwhile costs only its call; when both fail, the walk continues', async () => {
  const failing: Script = [{ waitMs: P95_MS + 50 }, failure('unavailable')]
  const saved = await finish([failing, [{ waitMs: 2000 }, ...answering('second')]], HEDGED)
  assert.deepEqual([saved.text(), saved.calls()], ['second', [1, 1]])
  const both = await finish([failing, { calls: [[failure('unavailable')], answering('again')] }], HEDGED)
  assert.deepEqual([both.text(), both.end().finishReason], ['again', 'stop'])
  assert.equal(both.telemetry.counted.filter(({ name }) => name === 'model_hedges_total').length, 1, 'once a turn')
})

test('a stop stops both, and the shopper pays one', async () => {
  const run = begin([['hang'], ['hang']], HEDGED)
  await run.clock.advance(P95_MS + 100)
  assert.deepEqual(run.calls(), [1, 1])
  run.controller.abort(new TurnAbort('stopped'))
  await run.ended
  assert.deepEqual(
    [run.end().finishReason, run.end().attempts.map(({ outcome, paidBy }) => [outcome, paidBy])],
    [
      'stopped',
      [
        ['stopped', undefined],
        ['stopped', 'shop'],
      ],
    ],
  )
  assert.deepEqual(
    run.models.map(({ aborts }) => aborts.length),
    [1, 1],
  )
  assert.deepEqual([run.recorded.permits, run.recorded.reports.length, run.clock.timers()], [2, 2, 0])
})

test('the stopped call is booked in the log when it stops, not when the other one has written its answer', async () => {
  const run = begin([['hang'], [{ waitMs: 100 }, START, say('quick'), 'hang']], HEDGED)
  await run.clock.advance(P95_MS + 200)
  assert.deepEqual(run.types(), ['attempt-start', 'attempt-start', 'source', 'text-delta', 'attempt-end'])
  run.controller.abort(new TurnAbort('stopped'))
  await run.ended
  assert.equal(run.types().filter((type) => type === 'attempt-end').length, 1)
})

test('each silent call counts against its model, also of a model that is hardly known', async () => {
  for (const known of [0, 1, 5, 20]) {
    const times = new TypicalTimes({ now: () => 0 })
    for (let calls = 0; calls < known; calls += 1) times.see('model-1', 700)
    for (let question = 0; question < 5; question += 1) {
      const { recorded } = await finish([['hang'], QUICK], {
        ...HEDGED,
        over: hedging({ typical: times }),
        before: SILENT,
      })
      assert.deepEqual(recorded.reports.toSorted(), ['silent', 'success'], `${known} known, question ${question}`)
    }
  }
})

test('a first model that is slow by nature keeps its time where the second is quick enough to wait for', async () => {
  const slowByNature: Script = [{ waitMs: 1900 }, ...answering('slow by nature')]
  const asked = (secondMs: number): Asked => ({
    ...HEDGED,
    async before({ typical }) {
      for (let calls = 0; calls < 20; calls += 1) typical.see('model-1', 1950)
      for (let calls = 0; calls < 20; calls += 1) typical.see('model-2', secondMs)
    },
  })
  const waited = await finish([slowByNature, QUICK], asked(600))
  assert.deepEqual([waited.calls(), waited.text()], [[1, 0], 'slow by nature'])
  const beside = await finish([slowByNature, QUICK], asked(1400))
  assert.deepEqual([beside.calls(), beside.text()], [[1, 1], 'quick'])
})

test('where both models are slow by nature, the first is not left for one that would speak too late as well', async () => {
  const none = { ...testConfig, hedge: { enabled: true, shareMax: 0.001, perTenSecondsMax: 100 } }
  const asked = (natureMs: number): Asked => ({
    facts: SAMPLE_FACTS,
    over: { config: none },
    async before({ typical }) {
      for (const model of ['model-1', 'model-2'])
        for (let calls = 0; calls < 20; calls += 1) typical.see(model, natureMs)
    },
  })
  const slow = (waitMs: number, text: string): Script => [{ waitMs }, ...answering(text)]
  for (const [natureMs, usualMs] of [
    [2600, 1800],
    [5000, 4000],
  ] as const) {
    const run = await finish([slow(usualMs, 'first'), slow(usualMs, 'second')], asked(natureMs))
    assert.deepEqual([run.calls(), run.text()], [[1, 0], 'first'], `p95 ${natureMs}`)
  }
  // Past its own nature it is left: the second may be quicker than usual.
  const silent = await finish([['hang'], slow(1200, 'second')], asked(1450))
  assert.deepEqual([silent.calls(), silent.text()], [[1, 1], 'second'])
})

test('broken text of the second model is continued by the next model of the walk', async () => {
  const half = 'この作品は、静かな町で暮らす兄妹の物語です。'
  const breaking = { calls: [[START, say(half), failure('stream-broken')], answering('また、泣けます。')] }
  const facts = { ...SAMPLE_FACTS, trailingAssistant: true }
  const { text, calls, end } = await finish([SLOW, breaking], { ...HEDGED, facts })
  assert.deepEqual([text(), calls(), end().finishReason], [`${half}また、泣けます。`, [1, 2], 'stop'])
})

test('the time of a stopped call is learned, or the usual time would shrink with every hedge', async () => {
  const { typical } = await finish([SLOW, QUICK], HEDGED)
  assert.ok(typical.of('model-1') > P95_MS)
})

test('a model that shows that it thinks keeps its usual time, is shown to think, and no second one is asked', async () => {
  const thinking: Script = [{ waitMs: 300 }, START, think('hm'), { waitMs: 4000 }, say('thought'), END]
  const run = begin([thinking, QUICK], { ...HEDGED, before: SILENT })
  await run.clock.advance(400)
  assert.deepEqual(run.types(), ['attempt-start', 'thinking'])
  await run.clock.advance(4000)
  await run.ended
  assert.deepEqual([run.calls(), run.text()], [[1, 0], 'thought'])
})

test('a second model that thinks beside a silent first one is shown to think', async () => {
  const thinking: Script = [START, think('hm'), { waitMs: 5000 }, say('thought'), END]
  const run = begin([['hang'], thinking], { ...HEDGED, before: SILENT })
  await run.clock.advance(LATEST_MS + 10)
  assert.deepEqual(run.types(), ['attempt-start', 'attempt-start', 'thinking'])
  const shown = run.parts.find((part) => part.type === 'thinking')
  assert.deepEqual([shown?.source.model, shown?.source.reason], ['model-2', 'hedged'])
  await run.clock.advance(5000)
  await run.ended
  assert.deepEqual([run.text(), run.sources()[0]?.reason], ['thought', 'hedged'])
})

test('a model that thinks for too long is left for the next one, which has the whole promise', async () => {
  const quickBefore: Asked['before'] = async ({ typical }) => {
    for (let calls = 0; calls < 20; calls += 1) typical.see('model-1', 700)
  }
  const nextSlow: Script = [{ waitMs: 2500 }, ...answering('next')]
  for (const before of [SILENT, quickBefore]) {
    const run = begin([[START, think('hm'), 'hang'], nextSlow], { ...HEDGED, before })
    await run.clock.advance(THINKING_MAX_MS - 1)
    assert.deepEqual(run.calls(), [1, 0])
    await run.clock.advance(2600)
    await run.ended
    assert.deepEqual([run.calls(), run.text(), run.sources()[0]?.reason], [[1, 1], 'next', 'timeout'])
    assert.equal(run.end().attempts[0]?.paidBy, 'shop')
  }
})

test('a model keeps the time that it usually thinks', async () => {
  const usuallyThinks: Asked['before'] = async ({ typical }) => {
    for (let calls = 0; calls < 3; calls += 1) typical.see('model-1', 4000, { thought: true })
  }
  const run = begin([[START, think('hm'), 'hang'], QUICK], { ...HEDGED, before: usuallyThinks })
  await run.clock.advance(4200)
  await run.ended
  assert.deepEqual([run.calls(), run.text()], [[1, 1], 'quick'])
})

const attemptsMax = { ...testConfig, retries: { ...testConfig.retries, attemptsPerTurnMax: 1 } }
const LATE: Script = [{ waitMs: 2000 }, ...answering('late')]
/** The first model is left for the second when the promise needs it. */
const left: Readonly<Record<string, readonly [Asked, string]>> = {
  'no budget for both calls': [{ over: hedging({ room: 'none' }) }, 'budget'],
  'a budget that cannot be asked': [{ over: hedging({ room: 'unknown' }) }, 'budget'],
}
for (const [what, [asked, why]] of Object.entries(left)) {
  test(`with ${what} no second call is made beside the first`, async () => {
    const run = begin([LATE, QUICK], { ...HEDGED, ...asked })
    await run.clock.advance(LATEST_MS - 1)
    assert.deepEqual(run.calls(), [1, 0])
    await run.clock.advance(60_000)
    await run.ended
    const refused = run.telemetry.counted.filter(({ name }) => name === 'model_hedge_refused_total')
    assert.deepEqual(
      refused.map(({ fields }) => fields['reason']),
      [why, why],
    )
    assert.ok(!run.telemetry.counted.some(({ name }) => name === 'model_hedges_total'))
  })
}

test('past the share of second calls the turn leaves: one call at a time, and both are booked', async () => {
  const none = { ...testConfig, hedge: { enabled: true, shareMax: 0.001, perTenSecondsMax: 100 } }
  const run = await finish([LATE, QUICK], { ...HEDGED, over: { config: none } })
  assert.deepEqual([run.calls(), run.text(), run.sources()[0]?.reason], [[1, 1], 'quick', 'timeout'])
  assert.deepEqual(
    run.end().attempts.map(({ outcome, paidBy }) => [outcome, paidBy]),
    [
      ['timeout', 'shop'],
      ['end', undefined],
    ],
  )
  assert.deepEqual(run.recorded.reports, ['silent', 'success'])
})

test('a silent model beside a second one that fails at once is left for a third', async () => {
  const run = begin([['hang'], [failure('unavailable')], QUICK], { ...HEDGED, before: SILENT })
  await run.clock.advance(LATEST_MS + 300)
  await run.ended
  assert.deepEqual([run.calls(), run.text()], [[1, 1, 1], 'quick'])
  assert.deepEqual(run.recorded.reports.toSorted(), ['fault', 'silent', 'success'])
})

test('the model that is asked beside a slow one is the first that takes calls', async () => {
  const run = await finish([['hang'], QUICK, QUICK], {
    ...HEDGED,
    async before(parts) {
      await usual?.(parts)
      await parts.lanes.operate('model-2', 'force-open', 'aki')
    },
  })
  assert.deepEqual([run.calls(), run.text(), run.sources()[0]?.reason], [[1, 0, 1], 'quick', 'hedged'])
})

test('without a third model the silent one is waited for', async () => {
  const late: Script = [{ waitMs: LATEST_MS + 500 }, ...answering('late')]
  const run = begin([late, [failure('unavailable')]], { ...HEDGED, before: SILENT })
  await run.clock.advance(LATEST_MS + 600)
  await run.ended
  assert.deepEqual([run.calls(), run.text()], [[1, 1], 'late'])
})

test('a model that has had its usual time, while its other calls are not late, is left also for a second one that refuses calls for load', async () => {
  const run = await finish([['hang'], QUICK], {
    ...HEDGED,
    async before(parts) {
      await usual?.(parts)
      for (let call = 0; call < 12; call += 1) {
        const id = `refused-${call}`
        await parts.lanes.permit('model-2', { id, ask: { kind: 'first' } })
        await parts.lanes.report('model-2', id, call % 3 === 0 ? 'overload' : 'success')
        await parts.lanes.tick()
      }
      assert.notEqual(parts.lanes.seen('model-2').pace, null)
    },
  })
  assert.deepEqual([run.calls(), run.text(), run.sources()[0]?.reason], [[1, 1], 'quick', 'timeout'])
})

test('in a storm second calls stop first: with a second lane under pressure the turn leaves the silent model for it', async () => {
  const run = await finish([['hang'], QUICK], {
    ...HEDGED,
    async before(parts) {
      await usual?.(parts)
      await parts.lanes.shed('model-2')
      await parts.lanes.tick()
      assert.notEqual(parts.lanes.seen('model-2').level, 'normal')
    },
  })
  assert.deepEqual([run.calls(), run.text(), run.sources()[0]?.reason], [[1, 1], 'quick', 'timeout'])
  assert.ok(!run.telemetry.counted.some(({ name }) => name === 'model_hedges_total'))
})

const forbidden: Readonly<Record<string, readonly [Asked, string | undefined]>> = {
  'no more attempts in the turn': [{ over: hedging({ config: attemptsMax }) }, 'attempts'],
  'a next lane that is shut': [
    {
      async before(run) {
        await usual?.(run)
        await run.lanes.operate('model-2', 'force-open', 'aki')
      },
    },
    'lane',
  ],
  'a next lane that is full': [
    {
      over: hedging({ connections: { 'model-2': 1 } }),
      async before(run) {
        await usual?.(run)
        await run.lanes.permit('model-2', { id: 'other', ask: { kind: 'first' } })
      },
    },
    'lane',
  ],
  'a prompt of the caller’s own': [{ completion: OWN }, undefined],
  'an answer that is continued': [{ begun: shownBefore('これは') }, undefined],
  'a deferred question, which no reader awaits': [{ deferredFrom: { turnId: 'turn_0', isOver: false } }, undefined],
}
for (const [what, [asked, why]] of Object.entries(forbidden)) {
  test(`not with ${what}: the first model is waited for alone`, async () => {
    const run = begin([LATE, QUICK], { ...HEDGED, ...asked })
    await run.clock.advance(1999)
    assert.deepEqual(run.calls(), [1, 0])
    await run.clock.advance(60_000)
    await run.ended
    const refused = run.telemetry.counted.filter(({ name }) => name === 'model_hedge_refused_total')
    assert.deepEqual(new Set(refused.map(({ fields }) => fields['reason'])), new Set(why === undefined ? [] : [why]))
    assert.ok(!run.telemetry.counted.some(({ name }) => name === 'model_hedges_total'))
  })
}

test('the built-in responder, which would always be first, is not asked beside a model', async () => {
  const { calls, text } = await finish([LATE, QUICK], { ...HEDGED, lowerTier: 'embedded' })
  assert.deepEqual([calls(), text()], [[1, 0], 'late'])
})

test('a node makes second calls for a share of its first calls, accumulates little, and keeps to its part of the cluster’s cap', () => {
  const clock = manualClock()
  const share = new HedgeShare({ clock, shareMax: 0.05, perTenSecondsMax: 1000, nodes: () => 1 })
  let made = 0
  for (let calls = 0; calls < 1000; calls += 1) {
    share.earn()
    if (share.take()) made += 1
  }
  assert.ok(made >= 49 && made <= 50, String(made))
  for (let calls = 0; calls < 10_000; calls += 1) share.earn()
  assert.deepEqual([share.take(), share.take(), share.take(), share.take()], [true, true, true, false])
  share.putBack()
  assert.equal(share.take(), true)
  const part = new HedgeShare({ clock, shareMax: 0.2, perTenSecondsMax: 10, nodes: () => 5 })
  for (let calls = 0; calls < 100; calls += 1) part.earn()
  assert.deepEqual([part.take(), part.take(), part.take()], [true, true, false])
})
