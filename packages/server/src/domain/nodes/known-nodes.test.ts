// What a node notices of the others: joining, leaving and loss, with an outage of the registry between.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KnownNodes } from './known-nodes.ts'

const LEASE_MS = 15_000
const node = (id: string, isDraining = false) => ({ id, isDraining })
const ids = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id)

function known() {
  const nodes = new KnownNodes<ReturnType<typeof node>>(LEASE_MS)
  return {
    nodes,
    see(now: number, ...seen: ReturnType<typeof node>[]) {
      const { joined, left, lost } = nodes.see(seen, now)
      return { joined: ids(joined), left: ids(left), lost: ids(lost) }
    },
  }
}

const NONE = { joined: [], left: [], lost: [] }

test('the nodes that are seen first are known, later ones have joined', () => {
  const { nodes, see } = known()
  assert.deepEqual(see(0, node('a'), node('b')), NONE)
  assert.deepEqual(see(5000, node('a'), node('b'), node('c')), { ...NONE, joined: ['c'] })
  assert.equal(nodes.serving, 3)
})

test('a draining node that is missing has left at once, and counted no more while it drained', () => {
  const { nodes, see } = known()
  see(0, node('a'), node('b'))
  see(5000, node('a'), node('b', true))
  assert.equal(nodes.serving, 1)
  assert.deepEqual(see(10_000, node('a')), { ...NONE, left: ['b'] })
  assert.deepEqual(see(15_000, node('a')), NONE)
})

test('a missing node counts until it has been missing for a lease, and may return before', () => {
  const { nodes, see } = known()
  see(0, node('a'), node('b'), node('c'))
  assert.deepEqual(see(5000, node('a')), NONE)
  assert.equal(nodes.serving, 3)
  assert.deepEqual(see(10_000, node('a'), node('b')), NONE)
  assert.deepEqual(see(15_000, node('a'), node('b')), NONE)
  assert.deepEqual(see(20_000, node('a'), node('b')), { ...NONE, lost: ['c'] })
  assert.equal(nodes.serving, 2)
  assert.deepEqual(see(25_000, node('a'), node('b'), node('c')), { ...NONE, joined: ['c'] })
})

test('after an outage the others have a whole lease to announce themselves again', () => {
  const { nodes, see } = known()
  see(0, node('a'), node('b'))
  see(5000, node('a'))
  assert.deepEqual(see(60_000, node('a')), NONE)
  assert.deepEqual(see(70_000, node('a')), NONE)
  assert.equal(nodes.serving, 2)
  assert.deepEqual(see(75_000, node('a')), { ...NONE, lost: ['b'] })
})
