// Every close code has a label, and there are few labels.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeCodes } from '@mangaassist/protocol'
import { metricCatalogue } from '#domain/telemetry/catalogue.ts'
import { closeCodeLabel } from './close-code-label.ts'

test('codes of the protocol and of this server are their own labels, and all others share one label', () => {
  for (const code of [1000, 1006, ...Object.values(closeCodes)]) assert.equal(closeCodeLabel(code), code)
  for (const code of [1004, 3000, 3999, 4999]) assert.equal(closeCodeLabel(code), 'other')
})

test('whatever codes clients send, the label has no more values than its bound', () => {
  const labels = new Set(Array.from({ length: 5000 }, (_, code) => closeCodeLabel(code)))
  const bound = metricCatalogue.websocket_closed_total.labels['code']
  assert.ok(bound !== undefined && 'valuesMax' in bound && labels.size <= bound.valuesMax)
})
