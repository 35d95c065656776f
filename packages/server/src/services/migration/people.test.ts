// Requests for a person are moved by the verbs of their port, in steps: a run that ended between two of them is completed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryHandoverRequests } from '#adapters/memory/handovers/requests.ts'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import { sampleHandover } from '#ports/handover-requests/contract.ts'
import type { ShopCounts, ShopSource } from '#ports/migration/shop-source.ts'
import { handoversPart } from './people.ts'
import { movePart, verifyPart } from './run-part.ts'

const changed = { at: NOON + 9, by: 'aki', reason: 'sent again' }
const CLOSED = { ...sampleHandover(), state: 'closed', changed } as const
const TAKEN = { ...sampleHandover({ id: 'hand_2', at: NOON + 1 }), state: 'taken', changed } as const
const OPEN = { ...sampleHandover({ id: 'hand_3', sessionId: 'sess_2', at: NOON + 2 }), state: 'open' } as const

test('requests of one conversation are moved with their states, also after a run that ended in between', async () => {
  const source = { handovers: () => [CLOSED, TAKEN, OPEN] } satisfies Partial<ShopSource> as unknown as ShopSource
  const target = memoryHandoverRequests()
  // The run before was killed when the first request was stored and not yet closed.
  await target.add(sampleHandover())
  const options = { clock: manualClock(), onProgress: () => {} }
  const part = handoversPart({ source, counts: {} as ShopCounts, store: 'redis', target })
  assert.deepEqual((await verifyPart(part, options)).examples, ['hand_1', 'hand_2', 'hand_3'])
  for (const _run of [1, 2]) {
    await movePart(part, options)
    assert.equal((await verifyPart(part, options)).different, 0)
  }
  assert.deepEqual(await target.list({ limit: 10 }), [OPEN, TAKEN, CLOSED])
})
