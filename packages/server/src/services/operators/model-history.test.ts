// What is stored of the models while the store fails, and how it is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryModelHistory } from '#adapters/memory/model-history/model-history.ts'
import { ModelMeter } from '#domain/model-history/model-meter.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { createModelHistoryQueries } from './model-history.ts'

function setUp() {
  const clock = manualClock()
  const meter = new ModelMeter()
  const stored = memoryModelHistory({ clock })
  const state = { isAvailable: true, isReplyLost: false, reads: 0 }
  const queries = createModelHistoryQueries({
    clock,
    config: testConfig,
    meter,
    node: 'node_1',
    models: [],
    asked: ['primary'],
    estimatorOf: () => undefined,
    seenLanes: () => [],
    history: {
      async add(batch) {
        if (!state.isAvailable) throw new StoreUnavailable('gone', { mayHaveHappened: false })
        await stored.add(batch)
        if (state.isReplyLost) throw new StoreUnavailable('late')
      },
      read: (from, to) => ((state.reads += 1), stored.read(from, to)),
    },
  })
  const turn = () => meter.turnEnded(sampleTurnRecord({ at: clock.now() }))
  return { clock, meter, queries, state, turn }
}

test('what could not be stored is stored later, and once', async () => {
  const { clock, queries, state, turn } = setUp()
  turn()
  state.isAvailable = false
  await assert.rejects(queries.store(), StoreUnavailable)
  turn()
  state.isAvailable = true
  state.isReplyLost = true
  await assert.rejects(queries.store(), StoreUnavailable)
  state.isReplyLost = false
  await clock.advance(1)
  assert.equal((await queries.modelsReport({ hours: 1 })).turns, 2)
})

test('equal questions share a reading for some seconds, and a report ends at the asked moment', async () => {
  const { clock, queries, state, turn } = setUp()
  turn()
  await clock.advance(1)
  await Promise.all([queries.modelsReport({ hours: 1 }), queries.modelsReport({ hours: 1 })])
  assert.equal(state.reads, 1)
  await clock.advance(3000)
  await queries.modelsReport({ hours: 1 })
  assert.equal(state.reads, 2)
  const yesterday = await queries.modelsReport({ hours: 24, to: '2026-11-03' })
  assert.deepEqual([yesterday.turns, yesterday.to - yesterday.from], [0, 86_400_000])
  await assert.rejects(queries.modelsReport({ hours: 1, to: '2026-11-31' }), { code: 'INVALID_REQUEST' })
})

test('models that all need longer than the promise of the first word are reported, with how long a question waits', async () => {
  const { clock, meter, queries } = setUp()
  const tokens = { inputTokens: 100, outputTokens: 50, costMicroUsd: 1 }
  const call = { attempt: 1, model: 'big', name: 'primary', tier: 'primary', outcome: 'end', ...tokens } as const
  meter.turnEnded(sampleTurnRecord({ at: clock.now(), calls: [{ ...call, firstTokenMs: 900 }] }))
  await clock.advance(1)
  assert.equal((await queries.modelsReport({ hours: 1 })).slow, undefined)
  for (let calls = 0; calls < 30; calls += 1)
    meter.turnEnded(sampleTurnRecord({ at: clock.now(), calls: [{ ...call, firstTokenMs: 5000 }] }))
  await clock.advance(4000)
  const { slow } = await queries.modelsReport({ hours: 1 })
  assert.deepEqual([slow?.model, slow?.promisedMs], ['primary', testConfig.answers.firstWordMs])
  assert.ok((slow?.waitedMs ?? 0) > 5000)
})
