// What every telemetry must do: take anything, at any level, and never throw into what it reports about.
// `written` gives back what an operator would see, as text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Telemetry } from './port.ts'

export interface TelemetryUnderTest {
  readonly telemetry: Telemetry
  readonly written: () => string
}

export function telemetryContract(name: string, make: () => TelemetryUnderTest): void {
  test(`${name}: an event is reported with its level, name and fields`, () => {
    const { telemetry, written } = make()
    const fields = { turnId: 'turn_1', epoch: 2, continued: true, textLength: undefined }
    telemetry.log('warn', 'turn.taken-over', fields)
    for (const part of ['warn', 'turn.taken-over', 'turn_1', '2', 'true']) assert.ok(written().includes(part), part)
  })

  test(`${name}: a cause is reported, whatever was thrown`, () => {
    const { telemetry, written } = make()
    telemetry.log('error', 'turn.failed', {}, new Error('the disk is full'))
    telemetry.log('error', 'turn.failed', undefined, 'a thrown string')
    assert.match(written(), /the disk is full/)
    assert.match(written(), /a thrown string/)
  })

  test(`${name}: occurrences are counted by name and labels`, () => {
    const { telemetry, written } = make()
    telemetry.count('turn_unread_total')
    telemetry.count('reader_resumed_total', { door: 'sse' })
    for (const part of ['turn_unread_total', 'reader_resumed_total', 'sse']) assert.ok(written().includes(part), part)
  })

  test(`${name}: a value is reported with its name and labels`, () => {
    const { telemetry, written } = make()
    telemetry.observe('turn_frame_deltas', 13)
    telemetry.observe('turn_first_word_seconds', 0.417, { tier: 'faq' })
    for (const part of ['turn_frame_deltas', '13', 'turn_first_word_seconds', '0.417', 'faq'])
      assert.ok(written().includes(part), part)
  })

  test(`${name}: only names, labels and fields of the catalogue compile`, () => {
    const { telemetry } = make()
    // @ts-expect-error: no such event
    telemetry.log('warn', 'turn.unheard-of')
    // @ts-expect-error: the event is an error
    telemetry.log('debug', 'turn.failed')
    // @ts-expect-error: the event has no such field
    telemetry.log('error', 'turn.failed', { principalId: 'guest_1' })
    // @ts-expect-error: no such counter
    telemetry.count('turn_unheard_of_total')
    // @ts-expect-error: the counter has no label
    telemetry.count('turn_unread_total', { model: 'primary' })
    // @ts-expect-error: the label is missing
    telemetry.count('reader_resumed_total')
    // @ts-expect-error: no such value of the label
    telemetry.count('reader_resumed_total', { door: 'window' })
    // @ts-expect-error: a counter is no distribution
    telemetry.observe('turn_unread_total', 1)
  })
}
