// The status page: what shoppers read in each state, since when, and that caches may share it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { statusOf, StatusWatch } from './status-watch.ts'

const OK = { status: 'ok' } as const
const ERROR = { status: 'error' } as const
const usual = { ready: true, status: 'ready', mode: 'normal', dependencies: {} } as const

test('each state has its parts', () => {
  const lanes = { 'lane:primary': ERROR, 'lane:economy': OK }
  const down = { 'lane:primary': ERROR, 'lane:economy': ERROR, 'model:primary': ERROR }
  assert.deepEqual(statusOf(usual), { status: 'up', parts: [] })
  assert.deepEqual(statusOf({ ...usual, dependencies: lanes }), { status: 'up', parts: [] })
  assert.deepEqual(statusOf({ ...usual, dependencies: down }), { status: 'degraded', parts: ['answers'] })
  const search = { 'lane:search': ERROR, 'lane:sessions': ERROR }
  assert.deepEqual(statusOf({ ...usual, dependencies: search }), { status: 'degraded', parts: ['search', 'history'] })
  assert.deepEqual(statusOf({ ...usual, status: 'degraded' }), { status: 'degraded', parts: ['history'] })
  assert.deepEqual(statusOf({ ...usual, mode: 'reduced' }), { status: 'degraded', parts: ['answers'] })
  assert.deepEqual(statusOf({ ...usual, mode: 'read-only' }), { status: 'degraded', parts: ['questions'] })
  assert.deepEqual(statusOf({ ...usual, mode: 'maintenance' }), { status: 'down', parts: ['questions'] })
  assert.deepEqual(statusOf({ ...usual, ready: false, status: 'lame-duck' }), { status: 'up', parts: [] })
  assert.deepEqual(statusOf({ ...usual, ready: false, status: 'draining' }), { status: 'down', parts: ['questions'] })
})

test('a change is noticed without a visitor, and all visitors share a check', async () => {
  const clock = manualClock()
  const began = clock.now()
  let checks = 0
  let mode: 'normal' | 'reduced' = 'normal'
  const watch = new StatusWatch({
    clock,
    report: async () => {
      checks += 1
      return { ...usual, mode }
    },
  })
  await Promise.all(Array.from({ length: 20 }, () => watch.current()))
  assert.equal(checks, 1)
  watch.start()
  await clock.advance(30_000)
  assert.equal((await watch.current()).since, began)
  mode = 'reduced'
  await clock.advance(10_000)
  const changed = clock.now()
  await clock.advance(60_000)
  const { parts, since } = await watch.current()
  assert.deepEqual([parts, since], [['answers'], changed])
  watch[Symbol.dispose]()
  assert.equal(clock.timers(), 0)
})

test('a failed check is repeated for the next visitor', async () => {
  let isBroken = true
  const report = async () => (isBroken ? assert.fail('broken') : usual)
  const watch = new StatusWatch({ clock: manualClock(), report })
  await assert.rejects(watch.current())
  isBroken = false
  assert.equal((await watch.current()).status, 'up')
})

test('the page is in the language of the reader or of its address, cacheable, and sets no cookie', async () => {
  await using doors = await openDoors()
  const get = (url: string, language = 'ja') =>
    doors.http.inject({ url, headers: { 'accept-language': language, accept: 'text/html' } })
  const japanese = await get('/status')
  assert.match(japanese.body, /<html lang="ja">[^]*正常に動いています/)
  assert.match((await get('/status', 'en-GB')).body, /<html lang="en">[^]*Everything works/)
  assert.match((await get('/status/en')).body, /<html lang="en">/)
  assert.match(String(japanese.headers['vary']), /Accept-Language/)
  const json = await get('/status.json')
  const { checkedAt: _, since: __, ...shown } = json.json()
  assert.deepEqual(shown, { status: 'up', parts: [] })
  for (const { headers, statusCode } of [japanese, json, await get('/status/ja')]) {
    assert.deepEqual(
      [statusCode, headers['cache-control'], headers['set-cookie']],
      [200, 'public, max-age=10', undefined],
    )
  }
})

test('times are written for people, in the zone of the store', async () => {
  await using doors = await openDoors({ clock: manualClock(Date.parse('2026-11-17T18:05:30Z')) })
  const get = async (url: string) => (await doors.http.inject({ url })).body
  assert.match(await get('/status/ja'), /datetime="2026-11-17T18:05:30.000Z">2026年11月18日[^<]*03:05[^<]*JST</)
  assert.match(await get('/status/en'), />18 November 2026[^<]*03:05[^<]*GMT\+9</)
})

test('a server that is not ready says so in words, and nothing internal', async () => {
  await using doors = await openDoors()
  doors.readiness.state = 'draining'
  const { body, statusCode } = await doors.http.inject({ url: '/status.json' })
  assert.equal(statusCode, 200)
  const { parts, status } = JSON.parse(body)
  assert.deepEqual([status, parts[0].part], ['down', 'questions'])
  assert.match(parts[0].message.en, /not being taken/)
  assert.doesNotMatch(body, /database|lane|draining/)
})
