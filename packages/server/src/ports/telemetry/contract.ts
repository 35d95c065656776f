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
  test(`${name}: an event is told with its level, name and fields`, () => {
    const { telemetry, written } = make()
    telemetry.log('warn', 'lease lapsed', { turnId: 'turn_1', attempts: 2, last: true, none: undefined })
    for (const part of ['warn', 'lease lapsed', 'turn_1', '2', 'true']) assert.ok(written().includes(part), part)
  })

  test(`${name}: a cause is told, whatever was thrown`, () => {
    const { telemetry, written } = make()
    telemetry.log('error', 'failed', {}, new Error('the disk is full'))
    telemetry.log('error', 'failed', undefined, 'a thrown string')
    assert.match(written(), /the disk is full/)
    assert.match(written(), /a thrown string/)
  })

  test(`${name}: occurrences are counted by name`, () => {
    const { telemetry, written } = make()
    telemetry.count('turns', { tier: 'faq' })
    assert.match(written(), /turns/)
    assert.match(written(), /faq/)
  })

  test(`${name}: a value is told with its name`, () => {
    const { telemetry, written } = make()
    telemetry.observe('first-word-ms', 417, { tier: 'faq' })
    for (const part of ['first-word-ms', '417', 'faq']) assert.ok(written().includes(part), part)
  })
}
