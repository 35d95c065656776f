// Thumbs and opened cards over HTTP, with the whole app in memory: who may set them, what shows them, what removes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ExportView, FeedbackView, SessionDetail } from '@mangaassist/protocol'
import { systemClock } from '#adapters/system/clock.ts'
import { createApp } from '#app/app.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; data: unknown; code: unknown }>

async function setUp(context: TestContext) {
  const clock = systemClock()
  const ports = { ...(await testPorts()), clock }
  const models = new Map([['embedded', scriptedModel(clock, answering('は', 'い'), 'm')]])
  const app = createApp({ ...ports, models }, testConfig)
  const doors = await openDoors({ served: app, clock, telemetry: ports.telemetry })
  context.after(async () => {
    await app.drain()
    await doors[Symbol.asyncDispose]()
  })
  const { http } = doors
  /** A guest of its own. */
  async function visitor() {
    const cookie = String((await http.inject({ url: '/api/sessions' })).headers['set-cookie']).split(';')[0] ?? ''
    const call: Call = async (method, path, body) => {
      const sent = body === undefined ? {} : { payload: body }
      const response = await http.inject({ method: method as 'GET', url: path, headers: { cookie }, ...sent })
      const { data, error } = response.json() as { data: unknown; error?: { code: unknown } }
      return { status: response.statusCode, data, code: error?.code }
    }
    const ask = async () => (await call('POST', '/api/chat', { message: '鬼滅の刃は？' })).data as AskedTurn
    return { call, ask }
  }
  return { ports, visitor }
}

interface AskedTurn {
  readonly turnId: string
  readonly sessionId: string
}

const thumbs = async (call: Call, sessionId: string) =>
  ((await call('GET', `/api/sessions/${sessionId}`)).data as SessionDetail).turns.map(({ feedback }) => feedback?.value)

test('the reader sets a thumb, sees it in the conversation and the export, and a stranger finds no turn', async (t) => {
  const { visitor } = await setUp(t)
  const [reader, stranger] = [await visitor(), await visitor()]
  const { sessionId, turnId } = await reader.ask()
  const path = `/api/turns/${turnId}/feedback`
  for (const value of ['up', 'down'] as const) {
    const { data, status } = await reader.call('POST', path, { value, reason: 'x' })
    assert.deepEqual([status, (data as FeedbackView).feedback?.value], [200, value])
    assert.deepEqual(await thumbs(reader.call, sessionId), [value])
  }
  for (const body of [{ value: 'up' }, { value: 'up', sessionId }]) {
    const { code, status } = await stranger.call('POST', path, body)
    assert.deepEqual([status, code], [404, 'NOT_FOUND'])
  }
  assert.equal((await stranger.call('POST', `/api/turns/${turnId}/opened`, { productId: 'akira' })).status, 404)
  assert.equal((await reader.call('POST', `/api/turns/${turnId}/opened`, { productId: 'akira' })).status, 200)
  const exported = (await reader.call('GET', '/api/me/export')).data as ExportView
  assert.match(JSON.stringify(exported.turnRecords), /"feedback":\{"value":"down","reason":"x"/)
  await reader.call('POST', path, { value: null })
  assert.deepEqual(await thumbs(reader.call, sessionId), [undefined])
})

test('a thumb is removed with its conversation, and with its person', async (t) => {
  const { ports, visitor } = await setUp(t)
  const reader = await visitor()
  for (const remove of [
    ({ sessionId }: AskedTurn) => reader.call('DELETE', `/api/sessions/${sessionId}`),
    () => reader.call('DELETE', '/api/me'),
  ]) {
    const asked = await reader.ask()
    const path = `/api/turns/${asked.turnId}/feedback`
    assert.equal((await reader.call('POST', path, { value: 'down', reason: 'private' })).status, 200)
    assert.equal((await remove(asked)).status, 200)
    assert.equal(await ports.turnRecords.find(asked.turnId), undefined)
    assert.equal((await reader.call('POST', path, { value: 'up', sessionId: asked.sessionId })).status, 404)
    assert.deepEqual(await ports.turnRecords.page({}, 10), [])
  }
})
