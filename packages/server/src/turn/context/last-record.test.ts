// The record of the last answer, read and noted without making a turn wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { memoryTurnRecords } from '#adapters/memory/turn-records.ts'
import { NOTHING_MEANT } from '@mangaassist/bookseller/grounding'
import { fails, hangs } from '#fixtures/stores/ports.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleStoredTurn, sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { plainScope } from '#ports/telemetry/plain-scope.ts'
import { createLastRecord } from './last-record.ts'
import type { LastRecordParts } from './last-record.ts'

const LAST = sampleStoredTurn({ turnId: 'turn_1', question: 'Is One Piece in stock?' })
const NEXT = { message: 'is one piece in stock', meant: NOTHING_MEANT }

function opened(over: Partial<LastRecordParts['records']> = {}, isRouting = true) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const scope = plainScope(telemetry)
  const records = memoryTurnRecords({ clock })
  const lastRecord = createLastRecord({ clock, records: { ...records, ...over }, isRouting: () => isRouting })
  return { clock, lastRecord, limit: { scope, signal: new AbortController().signal }, records, scope, telemetry }
}

test('a thumb down or a mismatch of the last answer is found', async () => {
  const { lastRecord, limit, records } = opened()
  assert.equal(await lastRecord.faultOf(LAST, limit), undefined)
  await records.add([sampleTurnRecord({ turnId: 'turn_1', mismatches: ['price'] })])
  assert.equal(await lastRecord.faultOf(LAST, limit), 'mismatch')
  await records.setFeedback('turn_1', { value: 'down', at: 1 })
  assert.equal(await lastRecord.faultOf(LAST, limit), 'thumb-down')
})

test('while nothing is routed no record is read', async () => {
  const { lastRecord, limit } = opened({ find: () => assert.fail('it was read') }, false)
  assert.equal(await lastRecord.faultOf(LAST, limit), undefined)
})

test('a record that is late or cannot be read decides nothing, and is counted or logged', async () => {
  const late = opened({ find: hangs })
  const found = late.lastRecord.faultOf(LAST, late.limit)
  await late.clock.advance(50)
  assert.equal(await found, undefined)
  assert.deepEqual(late.telemetry.counted, [{ name: 'context_timeout_total', fields: { source: 'record' } }])
  const broken = opened({ find: fails })
  assert.equal(await broken.lastRecord.faultOf(LAST, broken.limit), undefined)
  assert.equal(broken.telemetry.logged.at(-1)?.event, 'context.failed')
})

test('the next question is noted on the record, also before the record is there', async () => {
  const { clock, lastRecord, records, scope } = opened()
  lastRecord.note(LAST, NEXT, scope)
  await clock.advance(0)
  await records.add([sampleTurnRecord({ turnId: 'turn_1' })])
  assert.deepEqual((await records.find('turn_1'))?.received, { followedUp: true, askedAgain: true })
})

test('a note that cannot be written is logged', async () => {
  const { clock, lastRecord, scope, telemetry } = opened({ note: fails })
  lastRecord.note(LAST, NEXT, scope)
  await clock.advance(0)
  assert.equal(telemetry.logged.at(-1)?.event, 'context.failed')
})
