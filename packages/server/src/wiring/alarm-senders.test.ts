// The configured senders of alarms.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { wireAlarmSenders } from './alarm-senders.ts'
import { StartError } from './start-error.ts'

async function wire(alarms: Partial<Config['alarms']>, env: Record<string, string> = {}) {
  using opened = new DisposableStack()
  const parts = { clock: manualClock(), random: seededRandom(1), env, opened }
  const senders = await wireAlarmSenders({ alarms: { ...defaults.alarms, ...alarms } }, parts)
  return senders.map(({ kind, name }) => `${name} ${kind}`)
}

test('webhooks, commands and topics are opened as configured; by default there are none', async () => {
  assert.deepEqual(await wire({}), [])
  const topicArn = 'arn:aws:sns:ap-northeast-1:123456789012:alarms'
  const senders = await wire(
    {
      webhooks: [
        { name: 'desk', url: 'https://desk.example/hook' },
        { name: 'slack', urlEnv: 'SLACK_HOOK', format: 'slack' },
      ],
      commands: [{ name: 'pager', argv: ['/usr/bin/page', '--now'] }],
      topics: [{ name: 'topic', topicArn }],
    },
    { SLACK_HOOK: 'https://hooks.example/secret' },
  )
  assert.deepEqual(senders, ['desk webhook', 'slack webhook', 'pager command', 'topic sns'])
})

test('a missing address and a name that is used twice stop the start, and no secret is shown', async () => {
  await assert.rejects(wire({ webhooks: [{ name: 'slack', urlEnv: 'SLACK_HOOK' }] }), StartError)
  await assert.rejects(
    wire({ webhooks: [{ name: 'slack', urlEnv: 'SLACK_HOOK' }] }, { SLACK_HOOK: 'sEcret' }),
    (error) => error instanceof StartError && !error.message.includes('sEcret') && error.message.includes('SLACK_HOOK'),
  )
  const twice = { webhooks: [{ name: 'a', url: 'https://a.example' }], commands: [{ name: 'a', argv: ['x'] }] }
  await assert.rejects(wire(twice), /named a/)
})
