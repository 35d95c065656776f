// Seeded randomness passes the contract of Random, and repeats itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomContract } from '@mangaassist/server/ports/random/contract'
import { seededRandom } from './random.ts'

randomContract('seeded random', () => seededRandom(1))

test('the same seed gives the same numbers and ids, another seed different ones', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed)
    return [random.float(), random.id('turn'), random.between(1, 6), random.fork('a').float()]
  }
  assert.deepEqual(draw(1), draw(1))
  assert.notDeepEqual(draw(1), draw(2))
})

test('drawing from a fork does not shift its parent', () => {
  const [alone, forked] = [seededRandom(1), seededRandom(1)]
  forked.fork('other').float()
  assert.equal(alone.float(), forked.float())
})
