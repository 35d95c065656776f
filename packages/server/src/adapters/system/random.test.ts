// Holds the sources of chance, real and seeded, to the contract of their port.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomContract } from '#ports/random/contract.ts'
import { seededRandom } from '@mangaassist/simulation/virtual/random'
import { systemRandom } from './random.ts'

randomContract('system chance', () => systemRandom())
randomContract('seeded chance', () => seededRandom(1))

test('seeded chance: the same seed draws the same', () => {
  const draw = (seed: number) => {
    const random = seededRandom(seed)
    return [random.float(), random.id('turn')]
  }
  assert.deepEqual(draw(7), draw(7))
  assert.notDeepEqual(draw(7), draw(8))
})
