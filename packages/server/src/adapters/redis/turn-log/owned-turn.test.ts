// A turn that began while Redis was unavailable is never in Redis with less than its owner has settled.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { LOG_BOUNDS } from '#domain/turn/log-bounds.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleStart } from '#fixtures/turns/samples.ts'
import { text, textEnd } from '#fixtures/turns/turn-logs.ts'
import { OwnedTurn } from './owned-turn.ts'
import { TurnCopy } from './turn-copy.ts'
import type { TurnStore } from './turn-store.ts'

test('what is appended while the index answers is part of what is sent first', async () => {
  const clock = manualClock()
  const index = Promise.withResolvers<void>()
  const sent: string[][] = []
  const rewrite: TurnStore['rewrite'] = async (_turnId, { records }) => {
    sent.push(records.map(({ kind }) => kind))
    return { state: 'done', count: (records.at(-1)?.seq ?? -1) + 1 }
  }
  const none = () => {}
  const start = sampleStart({ deadlines: { firstWordBy: clock.now() + 25_000, endBy: clock.now() + 120_000 } })
  const turn = new OwnedTurn(
    {
      store: { rewrite } as TurnStore,
      clock,
      telemetry: memoryTelemetry(),
      onLost: none,
      onOver: none,
      onLapse: none,
      onMaking: () => index.promise,
      onMade: none,
      onBackfilled: none,
    },
    { turnId: 'turn_1', epoch: 1, leaseMs: 10_000, shared: { type: 'absent' }, isStopRequested: false },
    new TurnCopy([{ seq: 0, epoch: 1, kind: 'start', start }], LOG_BOUNDS),
  )
  await clock.advance(1000)
  assert.deepEqual(sent, [], 'the backfill waits for the index')
  await turn.append([text(0, 'hi'), textEnd])
  assert.equal(turn.isUnshared, true, 'settlement may begin')
  index.resolve()
  await clock.advance(0)
  assert.deepEqual(sent, [['start', 'text', 'text-end']])
  turn.discard()
})
