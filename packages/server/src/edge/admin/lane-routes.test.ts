// Lanes and maintenance in the admin API: what is shown, what is done, and what the audit records.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { laneId } from '#domain/lane/lane-id.ts'
import { secretHash } from '#lib/text/secret-hash.ts'

const TOKEN = 'maa_secret'
const open = () => openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
type Doors = Awaited<ReturnType<typeof open>>

async function ask(doors: Doors, method: 'GET' | 'POST', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const response = await doors.http.inject({ method, url: `/api/admin${url}`, headers, ...(payload && { payload }) })
  const { data, error } = response.json()
  return { status: response.statusCode, data, error }
}

test('a lane is shown with all its values, and reading it changes none', async () => {
  await using doors = await open()
  const first = await ask(doors, 'GET', '/lanes')
  const [lane] = first.data
  assert.deepEqual(
    [first.status, first.data.length, lane.models, lane.level, lane.phase, lane.limit, lane.opensAt, lane.operator],
    [200, 3, ['embedded'], 'normal', 'closed', null, null, null],
  )
  assert.deepEqual(
    first.data.map((shown: { lane: string; scope: string; models: unknown[] }) => [
      shown.lane,
      shown.scope,
      shown.models,
    ]),
    [
      [lane.lane, 'fleet', ['embedded']],
      ['search', 'node', []],
      ['sessions', 'node', []],
    ],
  )
  assert.deepEqual(lane.recent, { calls: 0, failures: 0, retries: 0, shed: 0 })
  assert.deepEqual((await ask(doors, 'GET', '/lanes')).data, first.data)
})

test('a lane is forced open, disabled and reset, by its own name or a model’s, with who and why', async () => {
  await using doors = await open()
  const { lane } = (await ask(doors, 'GET', '/lanes')).data[0]
  const shut = await ask(doors, 'POST', '/lanes/embedded', { action: 'force-open', reason: 'it lies' })
  assert.equal(shut.status, 200)
  assert.deepEqual(
    [shut.data.action, shut.data.subject, shut.data.by, shut.data.before, shut.data.after.value, shut.data.reason],
    ['lane-forced-open', lane, 'aki', null, 'force-open', 'it lies'],
  )
  const { operator, level, phase, opensAt } = (await ask(doors, 'GET', '/lanes')).data[0]
  assert.deepEqual([level, phase, opensAt], ['open', 'open', null])
  assert.deepEqual([operator.action, operator.by, Date.parse(operator.at) > 0], ['force-open', 'aki', true])
  const refused = await doors.app.operators.lanes.permit(lane, { id: 'permit_1', ask: { kind: 'first' } })
  assert.equal(refused.kind, 'refused')
  const path = `/lanes/${encodeURIComponent(lane)}`
  assert.equal((await ask(doors, 'POST', path, { action: 'disable', reason: 'let all through' })).status, 200)
  assert.equal((await ask(doors, 'POST', path, { action: 'reset', reason: 'over' })).data.before.value, 'disable')
  assert.equal((await ask(doors, 'GET', '/lanes')).data[0].operator.action, 'reset')
  const audit = await ask(doors, 'GET', `/audit?subject=${encodeURIComponent(lane)}`)
  assert.deepEqual(
    audit.data.map(({ action }: { action: string }) => action),
    ['lane-reset', 'lane-disabled', 'lane-forced-open'],
  )
})

test('the lane of a dependency is forced open and reset on this node, and Redis is refused where there is none', async () => {
  await using doors = await open()
  const shut = await ask(doors, 'POST', '/lanes/sessions', { action: 'force-open', reason: 'it is slow' })
  assert.deepEqual([shut.status, shut.data.subject, shut.data.reason], [200, 'sessions', 'it is slow'])
  assert.deepEqual(shut.data.after, { action: 'force-open', by: 'aki', scope: 'node' })
  const shown = (await ask(doors, 'GET', '/lanes')).data[2]
  assert.deepEqual([shown.lane, shown.phase, shown.operator.by], ['sessions', 'open', 'aki'])
  assert.equal((await ask(doors, 'POST', '/lanes/sessions', { action: 'reset', reason: 'over' })).status, 200)
  assert.equal((await ask(doors, 'POST', '/lanes/redis', { action: 'force-open', reason: 'x' })).status, 400)
})

test('the names of lanes survive a URL: slashes, colons, percent signs, and the longest there are', async () => {
  await using doors = await open()
  const asked: string[] = []
  doors.app.admin.operateLane = async (lane, action, author) => {
    asked.push(lane)
    const entry = { number: 1, at: '', action: 'lane-reset', subject: lane, before: null, after: { action } } as const
    return { ...entry, ...author }
  }
  const names = [
    laneId({ model: 'anthropic.claude-3-sonnet-20240229-v1:0', region: 'ap-northeast-1' }),
    laneId({ model: 'meta-llama/Llama-3.3 70B', region: '127.0.0.1:11434' }),
    'a/b:c?d#e f%',
    'x'.repeat(256),
  ]
  for (const name of names) {
    const { status } = await ask(doors, 'POST', `/lanes/${encodeURIComponent(name)}`, { action: 'reset', reason: 'x' })
    assert.equal(status, 200, name)
  }
  assert.deepEqual(asked, names)
})

test('maintenance is switched on and off, with who did it', async () => {
  await using doors = await open()
  assert.equal((await ask(doors, 'GET', '/maintenance')).data, null)
  const on = await ask(doors, 'POST', '/maintenance', { on: true, reason: 'a new catalogue' })
  assert.deepEqual(
    [on.data.action, on.data.subject, on.data.before, on.data.after.value, on.data.after.by],
    ['setting-set', 'mode', null, 'maintenance', 'aki'],
  )
  assert.equal((await ask(doors, 'GET', '/maintenance')).data.by, 'aki')
  const off = await ask(doors, 'POST', '/maintenance', { on: false, reason: 'done' })
  assert.deepEqual([off.data.before.by, off.data.after], ['aki', null])
  assert.equal((await ask(doors, 'GET', '/maintenance')).data, null)
})
