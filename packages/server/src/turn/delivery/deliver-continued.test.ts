// What delivery reports of an answer that continues the text of a stopped one, and of one that another owner began.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { NOTHING } from '#domain/budget/quota.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleQuota, sampleRouted } from '#fixtures/turns/turns.ts'
import { createCheckAnswer } from '../answers/check-answer.ts'
import { createStreams } from '../ownership/stream.ts'
import type { Routed } from '../turn.ts'
import { createDeliver } from './deliver.ts'

/** How many warnings an answer of a nearly used up day is counted with. */
async function warningsOf(begun: Routed['begun']): Promise<number> {
  const telemetry = memoryTelemetry()
  const scope = telemetry.scope({ door: 'ws', name: 'chat' }).becomeTurn('turn_1')
  const quota = sampleQuota({ used: { ...NOTHING, inputTokens: 85_000 } })
  const routed = sampleRouted({ quota, scope, ...(begun === undefined ? {} : { begun }) })
  const ports = await testPorts()
  await ports.turnLog.open(routed.start, 10_000)
  const deliver = createDeliver({ ...ports, config: testConfig, check: createCheckAnswer(ports) })
  const own = new AbortController()
  const stream = createStreams(memoryTelemetry()).begin(false)
  await deliver(
    routed,
    async (emit) => {
      emit({ type: 'source', tier: 'primary', model: 'model-1', degraded: false, confidence: 1 })
      emit({ type: 'text-delta', text: 'です。' })
      return { finishReason: 'stop', attempts: [] }
    },
    { stream, own },
  )
  return telemetry.counted.filter(({ name }) => name === 'quota_warnings_total').length
}

test('an answer that continues a stopped one counts its own warnings; after a takeover the first owner has', async () => {
  const begun = { text: '鬼滅の刃', attempts: [] }
  assert.equal(await warningsOf(undefined), 1)
  assert.equal(await warningsOf({ ...begun, isUnlogged: true }), 1)
  assert.equal(await warningsOf(begun), 0)
})
