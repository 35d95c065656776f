// What a node may serve from its cache: turns of the same life, never an older head, within the bytes that it may use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleStoredTurn } from '#fixtures/turns/samples.ts'
import type { Head } from './heads.ts'
import { TurnCache } from './turn-cache.ts'

function headOf(over: Partial<Head> = {}): Head {
  const times = { createdAt: 1, lastActiveAt: 1, listedAt: 1, renewedAt: 1 }
  return { id: 'sess_1', life: 'a', ownerId: 'guest_1', title: '', version: 1, ...times, ...over }
}
const turn = sampleStoredTurn()

test('an older head never replaces a newer one, and its turns are still of use', () => {
  const cache = new TurnCache()
  cache.keep(headOf({ version: 3 }), new Map([[3, turn]]))
  cache.keep(headOf({ version: 2 }), new Map([[2, turn]]))
  assert.equal(cache.head('sess_1')?.version, 3)
  assert.deepEqual(
    [1, 2, 3].map((version) => cache.turn(headOf({ version: 3 }), version) !== undefined),
    [false, true, true],
  )
})

test('turns of another life are never found', () => {
  const cache = new TurnCache()
  cache.keep(headOf(), new Map([[1, turn]]))
  assert.equal(cache.turn(headOf({ life: 'b' }), 1), undefined)
  cache.keep(headOf({ life: 'b' }))
  assert.equal(cache.turn(headOf(), 1), undefined)
  cache.forget('sess_1')
  assert.deepEqual([cache.head('sess_1'), cache.bytes], [undefined, 0])
})

test('it has the newest turns of each conversation, and forgets the conversation that was used longest ago', () => {
  const cache = new TurnCache({ bytesMax: 20_000, turnsMax: 2 })
  const turns = new Map([1, 2, 3].map((version) => [version, turn]))
  for (let number = 0; number < 50; number += 1) {
    cache.keep(headOf({ id: 'sess_first', version: 3 }), turns)
    cache.keep(headOf({ id: `sess_${number}`, version: 3 }), turns)
    assert.ok(cache.bytes <= 20_000)
  }
  assert.equal(cache.head('sess_0'), undefined)
  assert.deepEqual(
    [1, 2, 3].map((version) => cache.turn(headOf({ id: 'sess_first' }), version) !== undefined),
    [false, true, true],
  )
  cache.keep(headOf({ id: 'sess_large' }), new Map([[1, { ...turn, answer: 'a'.repeat(20_000) }]]))
  assert.ok(cache.bytes <= 20_000, 'a turn larger than the cache is not in it')
})
