// Alarms in the admin API: what is shown, silences with their audit, tests of the senders, and refusals.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { secretHash } from '#lib/text/secret-hash.ts'

const TOKEN = 'maa_secret'
const open = () => openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
type Doors = Awaited<ReturnType<typeof open>>

async function ask(doors: Doors, method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const response = await doors.http.inject({
    method,
    url: `/api/admin/alarms${url}`,
    headers,
    ...(payload && { payload }),
  })
  const { data, error } = response.json()
  return { status: response.statusCode, data, error }
}

const series = [{ labels: { lane: 'primary' }, value: 61, hosts: ['node-1'] }]

test('alarms are shown with figures, nodes and runbook, past ones and all settings', async () => {
  await using doors = await open()
  const incident = { id: 'lane-down', since: 60_000, seenAt: 60_000, series, more: 0, notifiedAt: 70_000 }
  const past = { id: 'node-lost', since: 1000, resolvedAt: 2000, series: [], more: 0, wasNotified: true }
  await doors.app.operators.alarmBoard.write({ ...NO_ALARM_STATE, incidents: [incident], past: [past] }, 0)
  const { data, status } = await ask(doors, 'GET', '')
  assert.equal(status, 200)
  const [firing] = data.firing
  assert.deepEqual(
    [firing.id, firing.severity, firing.since, firing.series, firing.above, firing.unit, firing.runbook],
    ['lane-down', 'page', '1970-01-01T00:01:00.000Z', series, 60, 'seconds', 'docs/runbooks/lane-down.md'],
  )
  assert.deepEqual([data.recent[0].id, data.recent[0].wasNotified, data.isStandalone], ['node-lost', true, false])
  const setting = data.alarms.find(({ id }: { id: string }) => id === 'lane-down')
  assert.match(setting.expression, /mangaassist_lane_down_seconds/)
  assert.deepEqual(data.senders, [{ name: 'memory', kind: 'webhook' }])
})

test('alarms that wake people come first and silenced ones last', async () => {
  await using doors = await open()
  const ids = ['model-throttled', 'lane-down', 'attempts-exhausted', 'model-burn']
  const incidents = ids.map((id, at) => ({ id, since: at, seenAt: at, series, more: 0 }))
  const silences = { 'lane-down': { until: Date.now() + 60_000, at: 0, by: 'aki', reason: 'it is known' } }
  await doors.app.operators.alarmBoard.write({ ...NO_ALARM_STATE, incidents, silences }, 0)
  const { data } = await ask(doors, 'GET', '')
  assert.deepEqual(
    data.firing.map(({ id }: { id: string }) => id),
    ['model-burn', 'model-throttled', 'attempts-exhausted', 'lane-down'],
  )
})

test('an alarm is silenced with who and why and until when, and the silence is ended', async () => {
  await using doors = await open()
  const on = await ask(doors, 'POST', '/lane-down/silence', { forMs: 7_200_000, reason: 'it is known' })
  assert.deepEqual(
    [on.status, on.data.action, on.data.subject, on.data.by, on.data.reason],
    [200, 'alarm-silenced', 'lane-down', 'aki', 'it is known'],
  )
  const shown = (await ask(doors, 'GET', '')).data.alarms.find(({ id }: { id: string }) => id === 'lane-down')
  assert.deepEqual([shown.silence.by, shown.silence.reason], ['aki', 'it is known'])
  const off = await ask(doors, 'POST', '/lane-down/silence', { forMs: 0, reason: 'over' })
  assert.deepEqual([off.data.action, off.data.before.by, off.data.after], ['alarm-unsilenced', 'aki', null])
  const { silences } = (await doors.app.operators.alarmBoard.read()).state
  assert.deepEqual(silences, {})
})

test('a test message goes through every sender', async () => {
  await using doors = await open()
  const { data } = await ask(doors, 'POST', '/test', { reason: 'a new webhook' })
  assert.deepEqual(data, [{ name: 'memory', kind: 'webhook', outcome: 'delivered' }])
  assert.deepEqual(
    doors.app.operators.sender.sent.map(({ kind }) => kind),
    ['test'],
  )
})

test('an unknown alarm, a silence of more than a week and one without a reason are refused', async () => {
  await using doors = await open()
  const why = { reason: 'x' }
  assert.equal((await ask(doors, 'POST', '/no-such-alarm/silence', { forMs: 1000, ...why })).status, 404)
  assert.equal((await ask(doors, 'POST', '/lane-down/silence', { forMs: 604_800_001, ...why })).status, 400)
  assert.equal((await ask(doors, 'POST', '/lane-down/silence', { forMs: 1000 })).status, 400)
  assert.equal((await ask(doors, 'POST', '/test', {})).status, 400)
})
