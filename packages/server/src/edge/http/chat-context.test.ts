// The page and the languages of a question over HTTP, and what is shown with its answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { openDoors } from '#fixtures/edge/doors.ts'

const question = { message: 'Any tips?' }

test('page and interface language reach the app, and what is shown with the answer reaches the caller', async () => {
  await using doors = await openDoors()
  const suggestions = [{ label: 'All volumes', message: 'How much are all volumes?' }]
  const sources = [{ kind: 'product' as const, id: 'berserk', at: '2026-11-04T03:00:00.000Z' }]
  const turn = doors.app.turn('turn_1')
  const route = { first: 'economy', rule: 'complexity', why: 'economy: simple, 0.93', complexity: 'simple' as const }
  turn.meta({ suggestions, sources, prompt: { version: 'shop-3' }, route })
  turn.end()
  const page = { productId: 'berserk', path: '/series/berserk' }
  const payload = { ...question, interfaceLanguage: 'ja', page: { ...page, title: 'ignored' } }
  const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload })
  const { metadata } = response.json()
  assert.deepEqual([metadata.suggestions, metadata.sources, metadata.prompt.version], [suggestions, sources, 'shop-3'])
  assert.deepEqual(metadata.route, route)
  const [asked] = doors.app.asked
  assert.deepEqual([asked?.page, asked?.interfaceLanguage, asked?.language], [page, 'ja', undefined])
  doors.app.turn('turn_2').end()
  await doors.http.inject({ method: 'POST', url: '/api/chat', payload: { ...question, page: {} } })
  assert.equal('page' in (doors.app.asked[1] ?? {}), false)
})

test('an answer whose quota cannot be read has none', async () => {
  await using doors = await openDoors()
  const turn = doors.app.turn('turn_1')
  turn.meta()
  turn.end()
  doors.app.quotaFailure = new StoreUnavailable('no reply')
  const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload: question })
  assert.equal(response.statusCode, 200)
  assert.equal('quota' in response.json().metadata, false)
})

const refused: readonly [string, object, string][] = [
  ['a path in another script', { page: { path: '/?q=漫画' } }, 'page.path'],
  ['a path that is too long', { page: { path: `/${'a'.repeat(512)}` } }, 'page.path'],
  ['a series id with a space', { page: { productId: 'a b' } }, 'page.productId'],
  ['an unknown interface language', { interfaceLanguage: 'fr' }, 'interfaceLanguage'],
]
for (const [name, more, field] of refused) {
  test(`${name} is INVALID_REQUEST`, async () => {
    await using doors = await openDoors()
    const payload = { ...question, ...more }
    const response = await doors.http.inject({ method: 'POST', url: '/api/chat', payload })
    const { code, details } = response.json().error
    assert.deepEqual([response.statusCode, code, details.field], [400, 'INVALID_REQUEST', field])
    assert.equal(doors.app.asked.length, 0)
  })
}
