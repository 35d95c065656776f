// Seeded chance keeps the contract of chance, and repeats itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chanceContract } from '@mangaassist/server/ports/chance/contract'
import { seededChance } from './chance.ts'

chanceContract('seeded chance', () => seededChance(1))

test('the same seed gives the same numbers and ids, another seed others', () => {
  const draw = (seed: number) => {
    const chance = seededChance(seed)
    return [chance.float(), chance.id('turn'), chance.between(1, 6), chance.fork('a').float()]
  }
  assert.deepEqual(draw(1), draw(1))
  assert.notDeepEqual(draw(1), draw(2))
})

test('drawing from a fork does not shift its parent', () => {
  const [alone, forked] = [seededChance(1), seededChance(1)]
  forked.fork('other').float()
  assert.equal(alone.float(), forked.float())
})
