// Clients of ours, which obey the server's waits, and foreign ones, which do not, while no model answers and nothing can answer in
// the models' place: only then the server asks clients to pause.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { promiseDrain } from '@mangaassist/server/adapters/system/promise-drain'
import { RELEASE_MS } from '@mangaassist/server/app/pressure/pressure'
import { defaults } from '@mangaassist/server/config/config'
import { someFaq, someProducts } from '@mangaassist/server/fixtures/shop/shelves'
import { policies } from '../src/policies/policies.ts'
import type { Fault } from '../src/scenario/fault-shapes.ts'
import { completeScenario } from '../src/scenario/scenario.ts'
import type { Visit } from '../src/world/person.ts'
import { runFleet } from '../src/world/run-fleet.ts'
import { openShop } from '../src/world/shop.ts'

const shop = await openShop(someProducts, someFaq)
const OUTAGE: Fault = { kind: 'outage', atS: 4, forS: 15, target: 'all' }
const CALM = { doubleTapShare: 0, disconnectShare: 0, deviceSwitchShare: 0, stopShare: 0 }

async function outage(foreignShare: number, perSecond: number) {
  const visits: Visit[] = []
  let seen: ReadonlyMap<string, number> = new Map()
  const run = await runFleet({
    scenario: completeScenario({
      name: 'outage-of-all',
      about: 'A test.',
      nodes: 2,
      arrivals: { perSecond },
      durationS: 30,
      faults: [OUTAGE],
      people: { ...CALM, foreignShare },
    }),
    policy: policies.ours,
    config: defaults,
    seed: 1,
    shop,
    drain: promiseDrain(),
    onVisit: (visit) => void visits.push(visit),
    onRest: (world) => void (seen = world.seen),
  })
  assert.deepEqual(run.breaches, [])
  assert.equal(run.figures.unanswered, 0)
  return { run, visits, saw: (state: string) => seen.get(state) ?? 0 }
}

const INSTANT_MS = 250

test('after an outage that held many clients, no instant releases more than twice its share of them and the arrivals in it', async () => {
  const perSecond = 25
  const { visits } = await outage(0, perSecond)
  const held = visits.flatMap(({ heldMs, releasedMs }) =>
    heldMs === undefined || releasedMs === undefined ? [] : [{ heldMs, releasedMs }],
  )
  const heldAt = (atMs: number) => held.filter(({ heldMs, releasedMs }) => heldMs <= atMs && atMs < releasedMs).length
  const releasedFrom = (atMs: number) =>
    held.filter(({ releasedMs }) => atMs <= releasedMs && releasedMs < atMs + INSTANT_MS).length
  const mostHeld = Math.max(...held.map(({ heldMs }) => heldAt(heldMs)))
  const mostReleased = Math.max(...held.map(({ releasedMs }) => releasedFrom(releasedMs)))
  const share = (mostHeld * INSTANT_MS) / RELEASE_MS
  const coming = (perSecond * INSTANT_MS) / 1000
  assert.ok(mostHeld > 50, `${mostHeld} were held at once`)
  assert.ok(mostReleased <= 2 * share + coming, `${mostReleased} of ${mostHeld} were released within ${INSTANT_MS} ms`)
})

test('foreign clients are never held, and ask again in the same rhythm, a bounded number of times', async () => {
  const { run, saw } = await outage(1, 4)
  assert.equal(saw('question held'), 0)
  const again = saw('foreign client asked again')
  assert.ok(again > run.figures.arrivals, `${again} questions again of ${run.figures.arrivals} arrivals`)
  assert.ok(again <= run.figures.arrivals * 19, `${again} questions again of ${run.figures.arrivals} arrivals`)
})
