// The whole server in virtual time, under stops, disconnects, double taps and power cuts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breachesOf } from './invariants.ts'
import { runWorld } from './world.ts'

const stormy = { shoppers: 25, turnsPerShopper: 40, crashEveryMs: 45_000 }

test('a thousand turns with stops, disconnects and crashes keep every invariant', async () => {
  const world = await runWorld({ seed: 1, ...stormy })
  assert.deepEqual(await breachesOf(world), [])
  assert.ok(world.turnIds.length >= 950, `${world.turnIds.length} turns`)
  // The rare states were really reached: a simulation that never gets there proves nothing.
  const rare = ['crash', 'resume', 'duplicate', 'stop pressed', 'hung up', 'end stop', 'end stopped', 'end interrupted']
  const tiers = ['tier embedded', 'tier cached', 'tier faq', 'tier message']
  for (const state of [...rare, ...tiers, 'end deferred']) {
    assert.ok((world.seen.get(state) ?? 0) > 0, `never saw: ${state}`)
  }
  for (const event of ['model.retry', 'turn.continued', 'deferred.asked', 'turn.taken-over']) {
    assert.ok(world.counted.has(event), `never counted: ${event}`)
  }
})

test('the same seed twice gives the same trace, another seed another', async () => {
  const options = { shoppers: 6, turnsPerShopper: 10, crashEveryMs: 30_000 }
  const [first, again, other] = [
    await runWorld({ seed: 7, ...options }),
    await runWorld({ seed: 7, ...options }),
    await runWorld({ seed: 8, ...options }),
  ]
  assert.equal(first.hash, again.hash)
  assert.notEqual(first.hash, other.hash)
})

test('other seeds keep the invariants too', async () => {
  for (let seed = 100; seed < 120; seed += 1) {
    const world = await runWorld({ seed, shoppers: 6, turnsPerShopper: 8, crashEveryMs: 20_000 })
    assert.deepEqual(await breachesOf(world), [], `seed ${seed}`)
  }
})
