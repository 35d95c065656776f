// The signal that never aborts.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { NEVER } from './never.ts'

test('it is not aborted, works as any other signal, and collects no listeners', async () => {
  NEVER.addEventListener('abort', () => assert.fail('it aborted'))
  await settled(undefined, { signal: NEVER })
  assert.deepEqual([NEVER instanceof AbortSignal, NEVER.aborted, getEventListeners(NEVER, 'abort')], [true, false, []])
})
