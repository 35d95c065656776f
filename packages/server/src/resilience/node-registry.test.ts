// How many nodes share what a standalone node grants from: those last seen, and some before any was seen.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryNodeRegistry } from '#adapters/memory/node-registry.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { nodeRegistryContract } from '#ports/node-registry/contract.ts'
import { NODE_LEASE_MS } from '#ports/node-registry/port.ts'
import { countingRegistry } from './node-registry.ts'

nodeRegistryContract('counting registry', async () => {
  const [clock, entries] = [manualClock(), new Map()]
  return { clock, node: (self) => countingRegistry({ registry: memoryNodeRegistry({ self, clock, entries }), clock }) }
})

const IDLE = { turns: 0, connections: 0, isDraining: false, edition: null }

function setUp(nodesMin?: number) {
  const [clock, entries] = [manualClock(), new Map()]
  const node = (id: string) => switchableStore(memoryNodeRegistry({ self: sampleNode(id), clock, entries }))
  const { port, store } = node('one')
  const registry = countingRegistry({ registry: port, clock, nodesMin })
  const others = ['two', 'three', 'four', 'five', 'six'].map((id) => node(id).port)
  /** They and this node announce themselves for a lease and longer. */
  const watch = async (count: number, state = IDLE) => {
    for (let passed = 0; passed <= 2 * NODE_LEASE_MS; passed += 5000) {
      for (const other of others.slice(0, count)) await other.announce(state)
      await registry.announce(IDLE)
      await clock.advance(5000)
    }
  }
  return { clock, entries, registry, store, watch }
}

test('four nodes are assumed until this one has watched for a lease; more are believed at once', async () => {
  const { clock, registry, watch } = setUp()
  assert.equal(registry.nodes(), 4)
  await registry.announce(IDLE)
  await clock.advance(NODE_LEASE_MS - 1)
  await registry.announce(IDLE)
  assert.equal(registry.nodes(), 4)
  await clock.advance(1)
  await registry.announce(IDLE)
  assert.equal(registry.nodes(), 1)
  await watch(5)
  assert.equal(registry.nodes(), 6)
})

test('the last number stays while the store is unavailable, however long', async () => {
  const { clock, registry, store, watch } = setUp()
  await watch(2)
  store.isUnavailable = true
  await clock.advance(3_600_000)
  await assert.rejects(registry.announce(IDLE))
  assert.equal(registry.nodes(), 3)
})

test('a registry that was emptied does not enlarge the share: missing nodes count for a lease', async () => {
  const { clock, entries, registry, watch } = setUp()
  await watch(2)
  entries.clear()
  await registry.announce(IDLE)
  assert.equal(registry.nodes(), 3)
  await clock.advance(NODE_LEASE_MS)
  await registry.announce(IDLE)
  await clock.advance(NODE_LEASE_MS)
  await registry.announce(IDLE)
  assert.equal(registry.nodes(), 3, 'after an interval without an answer they have time again')
  await watch(0)
  assert.equal(registry.nodes(), 1)
})

test('a draining node takes no questions and does not count', async () => {
  const { registry, watch } = setUp()
  await watch(2, { ...IDLE, isDraining: true })
  assert.equal(registry.nodes(), 1)
})

test('a configured number is the least, and what counts at first', async () => {
  const { registry, watch } = setUp(3)
  assert.equal(registry.nodes(), 3)
  await watch(1)
  assert.equal(registry.nodes(), 3)
  await watch(4)
  assert.equal(registry.nodes(), 5)
})
