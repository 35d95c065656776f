// Shrunk plans of the swarm that once broke an invariant: each must pass now.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import type { SwarmPlan } from '../../src/swarm/plan.ts'
import { runSeed } from '../../src/swarm/run-seed.ts'
import { openShop } from '../../src/world/shop.ts'
import { someFaq, someProducts } from '@mangaassist/server/fixtures/shop/shelves'

const folder = join(import.meta.dirname, 'plans')
const shop = await openShop(someProducts, someFaq)

for (const file of readdirSync(folder).toSorted()) {
  const { about, plan } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { about: string; plan: SwarmPlan }
  test(`fixed: ${about}`, async () => {
    const { breaches, history } = await runSeed(plan, { shop, drain: promiseDrain() })
    assert.deepEqual(breaches, [], history.join('\n'))
  })
}
