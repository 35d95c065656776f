// A node reports that others have another edition, until they have the same or are silent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryNodeRegistry } from '#adapters/memory/node-registry.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleShelves } from '#fixtures/turns/samples.ts'
import { NEVER } from '#lib/async/never.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { createEditionWatch } from './editions.ts'
import { createNodeWatch } from './nodes.ts'

function cluster() {
  const [clock, entries, telemetry] = [manualClock(), new Map(), memoryTelemetry()]
  const node = (nodeId: string) => {
    const products = memoryProductStore()
    const registry = memoryNodeRegistry({ self: sampleNode(nodeId), clock, entries })
    const load = () => ({ turns: 0, connections: 0 })
    const nodes = createNodeWatch({ registry, clock, telemetry: memoryTelemetry(), products, load, draining: NEVER })
    const watch = createEditionWatch({ products, nodes, clock, telemetry })
    const announce = async () => {
      await nodes.announce()
      await watch.check()
    }
    return { products, announce, watch }
  }
  return { clock, telemetry, tokyo: node('tokyo'), osaka: node('osaka'), kobe: node('kobe') }
}

test('nodes with other editions are counted, warned of once, and the warning ends with the difference', async () => {
  const { kobe, osaka, telemetry, tokyo } = cluster()
  await tokyo.products.replaceAll(sampleShelves(), 'a')
  for (const { products } of [osaka, kobe]) await products.replaceAll(sampleShelves().slice(1), 'b')
  for (const { announce } of [osaka, kobe, tokyo, tokyo]) await announce()
  const { edition, others, products, warning } = await tokyo.watch.report()
  const theirs = (await osaka.products.edition())?.digest ?? ''
  assert.deepEqual([edition, products, others], [(await tokyo.products.edition())?.digest, 3, { [theirs]: 2 }])
  assert.match(warning ?? '', /different catalogues/)
  assert.equal(telemetry.logged.filter(({ event }) => event === 'catalogue.editions-differ').length, 1)
  for (const node of [osaka, kobe]) {
    await node.products.replaceAll(sampleShelves(), 'c')
    await node.announce()
  }
  await tokyo.announce()
  assert.deepEqual(await tokyo.watch.report(), { edition, products: 3 })
})

test('what the others said long ago is not reported, and a node alone reports only its own edition', async () => {
  const { clock, osaka, telemetry, tokyo } = cluster()
  await tokyo.products.replaceAll(sampleShelves(), 'a')
  await osaka.products.replaceAll(sampleShelves().slice(1), 'b')
  await osaka.announce()
  await tokyo.announce()
  assert.ok((await tokyo.watch.report()).others !== undefined)
  await clock.advance(60_001)
  assert.equal((await tokyo.watch.report()).others, undefined)
  const alone = createEditionWatch({ products: tokyo.products, clock, telemetry, nodes: { seen: () => undefined } })
  await alone.check()
  assert.deepEqual(Object.keys(await alone.report()), ['edition', 'products'])
  const empty = createEditionWatch({
    products: memoryProductStore(),
    clock,
    telemetry,
    nodes: { seen: () => undefined },
  })
  assert.deepEqual(await empty.report(), { edition: null, products: 0 })
})
