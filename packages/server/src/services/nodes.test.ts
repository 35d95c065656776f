// A cluster of nodes that watch each other: who leads, what is reported, and what a node that was paused or cut off believes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryNodeRegistry } from '#adapters/memory/node-registry.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { switchableStore } from '#fixtures/stores/switchable-store.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { NODES_MAX } from '#ports/node-registry/port.ts'
import { ANNOUNCE_EVERY_MS, createNodeWatch } from './nodes.ts'

function cluster() {
  const [clock, entries] = [manualClock(), new Map()]
  const node = (id: string, version = '1.0.0') => {
    const telemetry = memoryTelemetry()
    const draining = new AbortController()
    const { port: registry, store } = switchableStore(
      memoryNodeRegistry({ self: { ...sampleNode(id), version }, clock, entries }),
    )
    const load = () => ({ turns: 1, connections: 2 })
    const products = {
      edition: async () => ({ version: 1, offers: 0, source: 'a test', digest: 'e', factsDigest: 'f' }),
    }
    const watch = createNodeWatch({ registry, clock, telemetry, products, load, draining: draining.signal })
    const events = () => telemetry.logged.map(({ event, fields }) => [event, fields?.['nodeId']].join(' '))
    return { id, watch, store, draining, telemetry, events }
  }
  /** Each of them announces itself, again and again. */
  const pass = async (rounds: number, ...nodes: readonly ReturnType<typeof node>[]) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const { watch } of nodes) await watch.announce()
      await clock.advance(ANNOUNCE_EVERY_MS)
    }
  }
  return { clock, entries, node, pass }
}

test('the first node leads; the others know that they do not, and all count the same nodes', async () => {
  const { node, pass } = cluster()
  const [tokyo, osaka] = [node('tokyo'), node('osaka')]
  assert.deepEqual([tokyo.watch.isLeader(), tokyo.watch.serving()], [false, 1])
  assert.equal(await tokyo.watch.leads(), true, 'it announces itself first')
  await pass(2, osaka, tokyo)
  assert.deepEqual([tokyo.watch.isLeader(), osaka.watch.isLeader()], [true, false])
  assert.deepEqual([tokyo.watch.serving(), osaka.watch.serving()], [2, 2])
  assert.deepEqual(tokyo.events(), ['node.registered tokyo', 'node.leader-began tokyo', 'node.joined osaka'])
  assert.deepEqual(osaka.events(), ['node.registered osaka'])
})

test('a draining leader hands over with the next announcement, and leaves without being lost', async () => {
  const { node, pass } = cluster()
  const [tokyo, osaka] = [node('tokyo'), node('osaka')]
  await pass(1, tokyo, osaka)
  tokyo.draining.abort()
  assert.equal(tokyo.watch.isLeader(), false, 'at once')
  await tokyo.watch.drain()
  await pass(1, osaka)
  assert.equal(osaka.watch.isLeader(), true)
  assert.equal(osaka.watch.serving(), 1)
  await tokyo.watch.leave()
  await pass(8, osaka)
  assert.deepEqual(tokyo.events().slice(2), ['node.leader-ended tokyo'])
  assert.deepEqual(osaka.events(), ['node.registered osaka', 'node.leader-began osaka', 'node.drained tokyo'])
  await tokyo.watch.announce()
  await pass(1, osaka)
  assert.deepEqual(
    (await osaka.watch.list()).nodes.map(({ id }) => id),
    ['osaka'],
    'one that has left stays away',
  )
})

test('when the leader dies, the next leads after its lease and reports it once as lost', async () => {
  const { node, pass } = cluster()
  const [tokyo, osaka, kobe] = [node('tokyo'), node('osaka'), node('kobe')]
  await pass(1, tokyo, osaka, kobe)
  await pass(3, osaka, kobe)
  assert.deepEqual([osaka.watch.isLeader(), kobe.watch.isLeader()], [true, false])
  await pass(8, osaka, kobe)
  assert.deepEqual(osaka.events().slice(1), ['node.leader-began osaka', 'node.lost tokyo'])
  assert.deepEqual(kobe.events(), ['node.registered kobe'])
  assert.equal(osaka.telemetry.counted.filter(({ name }) => name === 'node_lost_total').length, 1)
})

test('a paused leader does not lead when it wakes up, before it has asked, and joins again as the last', async () => {
  const { node, pass } = cluster()
  const [tokyo, osaka] = [node('tokyo'), node('osaka')]
  await pass(1, tokyo, osaka)
  await pass(4, osaka)
  assert.deepEqual([tokyo.watch.isLeader(), osaka.watch.isLeader()], [false, true])
  assert.equal(tokyo.watch.serving(), 1)
  await pass(1, tokyo, osaka)
  assert.deepEqual([tokyo.watch.isLeader(), osaka.watch.isLeader()], [false, true])
  const { fields } =
    tokyo.telemetry.logged.find(
      ({ event, fields: own }) => event === 'node.registered' && own?.['hadLapsed'] === true,
    ) ?? {}
  assert.equal(fields?.['nodeId'], 'tokyo')
})

test('after an outage of the registry one node leads again, and none is reported as lost', async () => {
  const { clock, entries, node, pass } = cluster()
  const [tokyo, osaka] = [node('tokyo'), node('osaka')]
  await pass(2, tokyo, osaka)
  for (const { store } of [tokyo, osaka]) store.isUnavailable = true
  await clock.advance(60_000)
  await assert.rejects(tokyo.watch.announce())
  assert.deepEqual([tokyo.watch.isLeader(), osaka.watch.isLeader()], [false, false])
  assert.equal(tokyo.events().at(-1), 'node.leader-ended tokyo')
  const listed = await tokyo.watch.list()
  assert.deepEqual(
    listed.nodes.map(({ id, isLeader }) => [id, isLeader]),
    [
      ['tokyo', false],
      ['osaka', false],
    ],
  )
  assert.ok(clock.now() - listed.at >= 60_000, 'as it was last seen')
  for (const { store } of [tokyo, osaka]) store.isUnavailable = false
  await pass(6, osaka, tokyo)
  assert.deepEqual([tokyo.watch.isLeader(), osaka.watch.isLeader()], [false, true])
  entries.clear()
  await pass(6, tokyo, osaka)
  assert.deepEqual([tokyo.watch.isLeader(), osaka.watch.isLeader()], [true, false])
  const events = [...tokyo.events(), ...osaka.events()]
  assert.deepEqual(
    events.filter((event) => /lost|drained/.test(event)),
    [],
  )
})

test('the list has the version, load and edition of every node', async () => {
  const { node, pass } = cluster()
  const [tokyo, osaka] = [node('tokyo'), node('osaka', '2.0.0')]
  await pass(1, tokyo, osaka)
  const { nodes } = await osaka.watch.list()
  assert.deepEqual(
    nodes.map(({ id, version, turns, connections, edition, isLeader, isThis }) => ({
      id,
      version,
      load: [turns, connections],
      edition,
      isLeader,
      isThis,
    })),
    [
      { id: 'tokyo', version: '1.0.0', load: [1, 2], edition: 'e', isLeader: true, isThis: false },
      { id: 'osaka', version: '2.0.0', load: [1, 2], edition: 'e', isLeader: false, isThis: true },
    ],
  )
})

test('a node without room in the registry says so once, and never leads', async () => {
  const { node, pass } = cluster()
  for (let index = 0; index < NODES_MAX; index += 1) await node(`node_${index}`).watch.announce()
  const late = node('late')
  await pass(2, late)
  assert.deepEqual(late.events(), ['node.registry-full '])
  assert.deepEqual([late.watch.isLeader(), late.watch.serving()], [false, NODES_MAX])
})

test('a node that was never registered, such as a command’s, neither drains nor leaves there', async () => {
  const { entries, node } = cluster()
  const { draining, watch } = node('command')
  draining.abort()
  await watch.drain()
  await watch.leave()
  assert.equal(entries.size, 0)
})
