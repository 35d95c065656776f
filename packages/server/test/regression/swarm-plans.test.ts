// Plans of the swarm that once broke a promise of the fleet, as small as they got: each is lived through again.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promiseDrain } from '#adapters/system/promise-drain.ts'
import type { SwarmPlan } from '#fleet/swarm/plan.ts'
import { runSeed } from '#fleet/swarm/run-seed.ts'
import { openShop } from '#fleet/world/shop.ts'
import { someFaq, someProducts } from '#fixtures/shop/shelves.ts'

const folder = join(import.meta.dirname, 'plans')
const shop = await openShop(someProducts, someFaq)

for (const file of readdirSync(folder).toSorted()) {
  const { about, plan } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { about: string; plan: SwarmPlan }
  test(`no longer: ${about}`, async () => {
    const { breaches, story } = await runSeed(plan, { shop, drain: promiseDrain() })
    assert.deepEqual(breaches, [], story.join('\n'))
  })
}
