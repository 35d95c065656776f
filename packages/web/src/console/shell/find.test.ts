// Which targets a searched text has: those that exist, and none that was only guessed.
import assert from 'node:assert/strict'
import test from 'node:test'
import { findTargets } from './find.ts'
import type { FindApi } from './find.ts'

type Known = Readonly<
  Partial<Record<'turn' | 'request' | 'session' | 'user' | 'model' | 'spender' | 'blocked' | 'subject', string>>
>

function server(known: Known): FindApi {
  const rows = (isThere: boolean) => Promise.resolve({ data: isThere ? [{}] : [] }) as never
  return {
    turnRecords: (query = {}) =>
      rows(
        (['turn', 'request', 'session', 'user', 'model'] as const).some(
          (name) => name in query && query[name] === known[name],
        ),
      ),
    usage: ({ user } = {}) => Promise.resolve({ data: { groups: user === known.spender ? [{}] : [] } }) as never,
    conversationsOf: () => rows(false),
    overrides: () => Promise.resolve([]),
    blocks: () => Promise.resolve(known.blocked === undefined ? [] : [{ target: known.blocked }]) as never,
    lanes: () => Promise.resolve([{ lane: 'big@tokyo', models: ['primary'] }]) as never,
    audit: ({ subject } = {}) => rows(subject === known.subject),
  }
}

const found = async (text: string, known: Known) => (await findTargets(text, server(known))).map(({ href }) => href)

test('a text that is stored nowhere has no target', async () => {
  assert.deepEqual(await found('bob', {}), [])
  assert.deepEqual(await found('   ', {}), [])
})

test('an id leads to what has it, and to nothing else', async () => {
  assert.deepEqual(await found(' turn_A1 ', { turn: 'turn_A1' }), ['/console/turns/turn_A1'])
  assert.deepEqual(await found('req_9', { request: 'req_9' }), ['/console/turns?request=req_9'])
  assert.deepEqual(await found('sess_9', { session: 'sess_9' }), ['/console/turns?session=sess_9'])
  assert.deepEqual(await found('guest_7', { user: 'guest_7' }), [
    '/console/people/guest_7',
    '/console/turns?user=guest_7&kind=any',
  ])
  assert.deepEqual(await found('vendor/model-5', { model: 'vendor/model-5' }), [
    '/console/turns?model=vendor%2Fmodel-5',
  ])
  assert.deepEqual(await found('primary', {}), ['/console/models/big%40tokyo'])
})

test('a person without turns is found by spending, a block, or the audit', async () => {
  assert.deepEqual(await found('key:reports', { spender: 'key:reports' }), ['/console/people/key%3Areports'])
  assert.deepEqual(await found('guest_7', { blocked: 'guest_7', subject: 'guest_7' }), [
    '/console/people/guest_7',
    '/console/audit?subject=guest_7',
  ])
})
