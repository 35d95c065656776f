// The prewarm over the admin API: an operator's request, and events of EventBridge as they are delivered.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { dayOf } from '#domain/budget/day.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { secretHash } from '#lib/text/secret-hash.ts'

const TOKEN = 'maa_secret'
const DAY_MS = 86_400_000
const ZONE = 'Asia/Tokyo'
const open = () => openDoors({ auth: { admins: [{ name: 'eventbridge', hash: secretHash(TOKEN) }] } })
type Doors = Awaited<ReturnType<typeof open>>

async function ask(doors: Doors, payload: object, token = TOKEN) {
  // The header that an API key connection of EventBridge sends.
  const headers = { authorization: `Bearer ${token}` }
  const response = await doors.http.inject({ method: 'POST', url: '/api/admin/prewarm', headers, payload })
  const { data, error } = response.json()
  return { status: response.statusCode, data, error }
}

const dayIn = (days: number) => dayOf(Date.now() + days * DAY_MS, ZONE).key

/** As a scheduled rule delivers it. */
const event = (over: object = {}) => ({
  version: '0',
  id: '53dc4d37-cffa-4f76-80c9-8b7d4a4d2eaa',
  'detail-type': 'Scheduled Event',
  source: 'aws.events',
  account: '123456789012',
  time: isoTime(Date.now()).replace(/\.\d+Z$/, 'Z'),
  region: 'ap-northeast-1',
  resources: ['arn:aws:events:ap-northeast-1:123456789012:rule/prewarm'],
  detail: {},
  ...over,
})

test('an operator asks for the following day, or for another one, and the audit says why', async () => {
  await using doors = await open()
  const first = await ask(doors, { reason: 'a big release' })
  assert.deepEqual([first.status, first.data], [200, { day: dayIn(1), outcome: 'asked' }])
  await ask(doors, { day: dayIn(3), reason: 'a holiday' })
  assert.deepEqual(doors.app.operators.prewarmed, [dayIn(1), dayIn(3)])
  const [line] = await doors.app.operators.queries.audit({ limit: 1 })
  assert.deepEqual([line?.action, line?.by, line?.reason], ['prewarm-asked', 'eventbridge', 'a holiday'])
})

test('an event means the day after its time, or the day in its detail, and is noted once', async () => {
  await using doors = await open()
  const first = await ask(doors, event())
  assert.deepEqual([first.status, first.data], [200, { day: dayIn(1), outcome: 'asked' }])
  const [again, together] = await Promise.all([ask(doors, event()), ask(doors, event())])
  assert.deepEqual([again.data.outcome, together.data.outcome], ['repeated', 'repeated'])
  const other = await ask(
    doors,
    event({ id: 'another', source: 'shop.releases', detail: { day: dayIn(2), isbn: '978' } }),
  )
  assert.deepEqual(other.data, { day: dayIn(2), outcome: 'asked' })
  assert.deepEqual([...new Set(doors.app.operators.prewarmed)], [dayIn(1), dayIn(2)])
  const lines = await doors.app.operators.queries.audit({ limit: 9 })
  assert.deepEqual(
    lines.map(({ reason }) => reason),
    ['event another of shop.releases', `event ${event().id} of aws.events`],
  )
})

const BAD: readonly (readonly [string, object])[] = [
  ['nothing', {}],
  ['a blank reason', { reason: ' ' }],
  ['a day that is no date', { day: '2026-13-45', reason: 'a test' }],
  ['a day that is over', { day: '2020-01-01', reason: 'a test' }],
  ['a day that is far ahead', { day: dayIn(30), reason: 'a test' }],
  ['an unknown field', { reason: 'a test', dya: dayIn(1) }],
  ['an event without an id', event({ id: undefined })],
  ['an event whose id is no id', event({ id: 'a b' })],
  ['an event whose time is none', event({ time: 'soon' })],
  ['an old event', event({ time: '2020-01-01T00:00:00Z' })],
  ['an event with a wrong day', event({ detail: { day: 'tomorrow' } })],
  ['an event without a detail', event({ detail: undefined })],
  ['an event whose detail is a text', event({ detail: 'now' })],
]
for (const [what, body] of BAD) {
  test(`${what} is refused, and nothing is done`, async () => {
    await using doors = await open()
    const { error, status } = await ask(doors, body)
    assert.deepEqual([status, error.code], [400, 'INVALID_REQUEST'])
    assert.deepEqual(doors.app.operators.prewarmed, [])
  })
}

test('without the token of an operator an event is refused', async () => {
  await using doors = await open()
  assert.equal((await ask(doors, event(), 'wrong')).status, 401)
  assert.deepEqual(doors.app.operators.prewarmed, [])
})
