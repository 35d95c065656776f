// Holds the sources of chance, real and seeded, to the contract of their port.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceContract } from '#ports/chance/contract.ts'
import { seededChance } from '@mangaassist/simulation/virtual/chance'
import { systemChance } from './chance.ts'

chanceContract('system chance', () => systemChance())
chanceContract('seeded chance', () => seededChance(1))

test('seeded chance: the same seed draws the same', () => {
  const draw = (seed: number) => {
    const chance = seededChance(seed)
    return [chance.float(), chance.id('turn')]
  }
  assert.deepEqual(draw(7), draw(7))
  assert.notDeepEqual(draw(7), draw(8))
})
