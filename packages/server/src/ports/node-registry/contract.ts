// The contract of the node registry. `make` returns an empty registry with its clock; `node` opens it as another node has it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { STEP_MS, STEPS_ANNOUNCED } from '#domain/nodes/activity.ts'
import { NODE_LEASE_MS, NODE_TEXT_MAX, NODES_MAX } from './port.ts'
import type { NodeFacts, NodeRegistry, NodeState } from './port.ts'

export interface RegistryUnderTest {
  readonly node: (self: NodeFacts) => NodeRegistry
  readonly clock: ManualClock
}

const IDLE: NodeState = { turns: 0, connections: 0, isDraining: false, edition: null }

export function nodeRegistryContract(name: string, make: (context: TestContext) => Promise<RegistryUnderTest>): void {
  const opened = async (context: TestContext) => {
    const { clock, node } = await make(context)
    const open = (id: string) => node({ id, host: `${id}.example`, version: '1.2.3', startedAt: 5 })
    const seenBy = async (registry: NodeRegistry) => (await registry.announce(IDLE)).map(({ id }) => id)
    return { clock, node, open, seenBy, tokyo: open('tokyo'), osaka: open('osaka') }
  }

  test(`${name}: a node sees itself and the others, with what they said last, in the order of joining`, async (context) => {
    const { clock, osaka, tokyo } = await opened(context)
    const joinedAt = clock.now()
    await tokyo.announce({ turns: 1, connections: 2, isDraining: false, edition: 'a' })
    await clock.advance(1000)
    await osaka.announce(IDLE)
    await tokyo.announce({ turns: 3, connections: 4, isDraining: true, edition: '第二版' })
    await clock.advance(2000)
    const facts = { version: '1.2.3', startedAt: 5 }
    assert.deepEqual(await osaka.announce({ ...IDLE, turns: 9 }), [
      {
        id: 'tokyo',
        host: 'tokyo.example',
        ...facts,
        turns: 3,
        connections: 4,
        isDraining: true,
        edition: '第二版',
        joinedAt,
        announcedMsAgo: 2000,
      },
      { id: 'osaka', host: 'osaka.example', ...facts, ...IDLE, turns: 9, joinedAt: joinedAt + 1000, announcedMsAgo: 0 },
    ])
  })

  test(`${name}: what a node does is announced with its load, and bounded`, async (context) => {
    const { osaka, tokyo } = await opened(context)
    const step = {
      at: 0,
      questions: 1,
      turns: 2,
      degraded: 1,
      costMicroUsd: 3,
      running: 4,
      refusals: { FORBIDDEN: 5 },
      firstWords: [6],
    }
    const activity = Array.from({ length: 20 }, (_, index) => ({ ...step, at: index * STEP_MS }))
    await tokyo.announce({ ...IDLE, waiting: 7, activity })
    const [seen] = await osaka.announce(IDLE)
    assert.deepEqual([seen?.waiting, seen?.activity], [7, activity.slice(0, STEPS_ANNOUNCED)])
  })

  test(`${name}: the models whose vendors reject a node’s calls are announced`, async (context) => {
    const { osaka, tokyo } = await opened(context)
    const rejected = [{ model: 'primary', cause: 'access-denied', status: 403, calls: 3, since: 1000 }] as const
    await tokyo.announce({ ...IDLE, rejected })
    assert.deepEqual((await osaka.announce(IDLE))[0]?.rejected, rejected)
  })

  test(`${name}: a node is left out when its lease has lapsed, and joins again as the last`, async (context) => {
    const { clock, osaka, seenBy, tokyo } = await opened(context)
    await tokyo.announce(IDLE)
    await clock.advance(1)
    await osaka.announce(IDLE)
    await clock.advance(NODE_LEASE_MS - 2)
    assert.deepEqual(await seenBy(osaka), ['tokyo', 'osaka'])
    await clock.advance(1)
    assert.deepEqual(await seenBy(osaka), ['osaka'])
    await clock.advance(1)
    assert.deepEqual(await seenBy(tokyo), ['osaka', 'tokyo'])
  })

  test(`${name}: nodes that join in the same millisecond have an order`, async (context) => {
    const { osaka, seenBy, tokyo, open } = await opened(context)
    assert.deepEqual(await seenBy(tokyo), ['tokyo'])
    assert.deepEqual(await seenBy(osaka), ['tokyo', 'osaka'])
    assert.deepEqual(await seenBy(open('kobe')), ['tokyo', 'osaka', 'kobe'])
    assert.deepEqual(await seenBy(tokyo), ['tokyo', 'osaka', 'kobe'])
  })

  test(`${name}: a node that is alone and returns after its lease has joined again`, async (context) => {
    const { clock, tokyo } = await opened(context)
    await tokyo.announce(IDLE)
    await clock.advance(NODE_LEASE_MS)
    const [node] = await tokyo.announce(IDLE)
    assert.equal(node?.joinedAt, clock.now())
  })

  test(`${name}: a node that leaves is left out at once, and may repeat it`, async (context) => {
    const { osaka, seenBy, tokyo } = await opened(context)
    await tokyo.announce(IDLE)
    await osaka.announce(IDLE)
    await tokyo.leave()
    await tokyo.leave()
    assert.deepEqual(await seenBy(osaka), ['osaka'])
  })

  test(`${name}: a full registry takes no further node until there is room`, async (context) => {
    const { clock, open, seenBy, osaka } = await opened(context)
    const nodes = Array.from({ length: NODES_MAX }, (_, index) => open(`node_${index}`))
    for (const node of nodes) await node.announce(IDLE)
    const seen = await seenBy(osaka)
    assert.deepEqual([seen.length, seen.includes('osaka')], [NODES_MAX, false])
    await nodes[0]?.leave()
    assert.ok((await seenBy(osaka)).includes('osaka'))
    await clock.advance(NODE_LEASE_MS)
    assert.deepEqual(await seenBy(osaka), ['osaka'])
  })

  test(`${name}: what a node says is bounded`, async (context) => {
    const { node } = await opened(context)
    const long = 'x'.repeat(NODE_TEXT_MAX + 1)
    const registry = node({ id: 'one', host: long, version: long, startedAt: 1 })
    const [seen] = await registry.announce({ ...IDLE, edition: long })
    const kept = long.slice(1)
    assert.deepEqual([seen?.host, seen?.version, seen?.edition], [kept, kept, kept])
  })
}
