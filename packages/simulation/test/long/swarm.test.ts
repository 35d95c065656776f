// A larger swarm than `npm test` has time for, with other seeds: small fleets under random faults, in virtual time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runSwarm } from '../../src/swarm/swarm.ts'
import { someFaq, someProducts } from '@mangaassist/server/fixtures/shop/shelves'

const FROM = 1001
const SEEDS = 500

/** States that a few seeds in a hundred reach. */
const RARE = [
  'retry refused by the bucket',
  'duplicate joined',
  'cached answer',
  'quota refused',
  'two writers of a session',
  'node drained',
]

test(`${SEEDS} small fleets under random faults keep every invariant`, async () => {
  const to = FROM + SEEDS - 1
  const data = { products: someProducts, faq: someFaq }
  const report = await runSwarm({ from: FROM, to, workers: 2, ...data, twiceEvery: 50, shrinks: true })
  const failures = report.failures.map(({ breaches, plan, seed, history }) => ({ seed, breaches, plan, history }))
  assert.deepEqual(failures, [])
  assert.equal(report.seeds, SEEDS)
  assert.deepEqual(
    RARE.filter((state) => (report.reached.get(state) ?? 0) === 0),
    [],
    'never reached',
  )
})
