// The contract of senders of alarms. `make` returns a sender, what its receiver got, and the same sender with a receiver that refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { AlarmMessage } from '#domain/alarms/message.ts'
import type { AlarmSender } from './port.ts'

export interface AlarmSenderUnderTest {
  readonly sender: AlarmSender
  /** All that the receiver got, as text. */
  readonly received: () => Promise<string> | string
  readonly refused: AlarmSender
  /** The secret address, which no failure may name. */
  readonly secret?: string
}

export const SAMPLE_MESSAGE: AlarmMessage = {
  key: 'lane-down:1000:fired',
  kind: 'fired',
  alarm: 'lane-down',
  severity: 'page',
  group: 'models',
  title: { ja: 'モデルが応答しません', en: 'A model refuses calls' },
  since: '2026-11-18T00:00:00.000Z',
  at: '2026-11-18T00:01:01.000Z',
  evidence: [{ labels: { lane: 'primary' }, value: 61, above: 60, unit: 'seconds', hosts: ['node-1'] }],
  more: 0,
  runbook: 'docs/runbooks/lane-down.md',
  text: 'ALARM [page] A model refuses calls (lane-down)\n- lane=primary 61 s\nWhat to do: docs/runbooks/lane-down.md',
}

export function alarmSenderContract(name: string, make: (context: TestContext) => Promise<AlarmSenderUnderTest>): void {
  test(`${name}: a message arrives with what, where and what to do`, async (context) => {
    const { received, sender } = await make(context)
    assert.deepEqual(await sender.send(SAMPLE_MESSAGE), { outcome: 'delivered' })
    const text = await received()
    for (const part of ['lane-down', 'primary', 'docs/runbooks/lane-down.md']) assert.ok(text.includes(part), part)
  })

  test(`${name}: a refusal is a value with a reason, and names no secret`, async (context) => {
    const { refused, secret } = await make(context)
    const end = await refused.send(SAMPLE_MESSAGE)
    assert.equal(end.outcome, 'failed')
    const reason = end.outcome === 'failed' ? end.reason : ''
    assert.ok(reason.length > 0 && reason.length < 200)
    if (secret !== undefined) assert.ok(!reason.includes(secret))
  })
}
