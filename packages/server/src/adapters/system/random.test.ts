// Runs the contract of random numbers on the system's generator and the seeded one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomContract } from '#ports/random/contract.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { systemRandom } from './random.ts'

randomContract('system chance', () => systemRandom())
randomContract('seeded chance', () => seededRandom(1))

test('seeded random: the same seed gives the same values', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed)
    return [random.float(), random.id('turn')]
  }
  assert.deepEqual(draw(7), draw(7))
  assert.notDeepEqual(draw(7), draw(8))
})
