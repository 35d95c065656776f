// Who may open a connection, and that a refusal leaves nothing taken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closeCodes } from '@mangaassist/protocol'
import { defaults } from '#config/config.ts'
import type { Config } from '#config/config.ts'
import { Refusal } from '#domain/refusal.ts'
import { FakeApp } from '#fixtures/edge/edge.ts'
import type { Identify } from '../identity/auth.ts'
import { connectionAdmitter } from './admit-connection.ts'
import type { AdmittedConnection, ConnectionRequest, RefusedConnection } from './admit-connection.ts'

const asked: ConnectionRequest = {
  isOurHost: true,
  addressed: { host: 'shop.example', secure: true },
  origin: 'https://shop.example',
  authorization: undefined,
  cookies: {},
  ticket: undefined,
  network: 'net_1',
}

/** By default each caller is the guest that its ticket names. */
function setUp({
  identify = async ({ ticket = 'guest_1' }) => ({ principal: { id: ticket, kind: 'guest', tier: 'free' } }),
  ...limits
}: { identify?: Identify; all?: number; ofNetwork?: number; ofPrincipal?: number } = {}) {
  const app = new FakeApp()
  const { rates, server } = defaults
  const config: Pick<Config, 'rates' | 'server'> = {
    server: { ...server, connectionsMax: limits.all ?? 10 },
    rates: {
      ...rates,
      userConnectionsMax: limits.ofPrincipal ?? 10,
      address: { ...rates.address, connectionsMax: limits.ofNetwork ?? 10 },
    },
  }
  return { app, admit: connectionAdmitter({ app, config, identify }) }
}

function admitted(entry: AdmittedConnection | RefusedConnection): AdmittedConnection {
  assert.ok(entry.kind === 'admitted')
  return entry
}

function refused(entry: AdmittedConnection | RefusedConnection) {
  assert.ok(entry.kind === 'refused')
  const { code, identity, refusal } = entry
  const { code: error, details } = refusal instanceof Refusal ? refusal : { code: 'other', details: undefined }
  return { code, error, scope: details?.['scope'], guest: identity?.principal.id }
}

test('a foreign host or origin is refused and takes nothing; a caller without an origin is not a page', async () => {
  const { app, admit } = setUp()
  const foreign = { code: closeCodes.policy, error: 'FORBIDDEN', scope: undefined, guest: undefined }
  assert.deepEqual(refused(await admit({ ...asked, isOurHost: false })), foreign)
  assert.deepEqual(refused(await admit({ ...asked, origin: 'https://evil.example' })), foreign)
  assert.equal(app.connecting, 0)
  admitted(await admit({ ...asked, origin: undefined }))
  assert.equal(app.connecting, 1)
})

test('the connections of a node, a network and a principal are limited; a closed one makes room, once', async () => {
  for (const [limits, scope, guest] of [
    [{ all: 1 }, undefined, undefined],
    [{ ofNetwork: 1 }, 'address-connections', undefined],
    [{ ofPrincipal: 1 }, 'connections-of-user', 'guest_1'],
  ] as const) {
    const { app, admit } = setUp(limits)
    const first = admitted(await admit(asked))
    const full = { code: closeCodes.tooManyConnections, error: 'RATE_LIMITED', scope, guest }
    assert.deepEqual(refused(await admit(asked)), full)
    assert.equal(app.connecting, 1, 'the refused one gave its token of the shared rate back')
    first.seat[Symbol.dispose]()
    first.seat[Symbol.dispose]()
    admitted(await admit(asked))
    assert.deepEqual(refused(await admit(asked)), full)
  }
})

test('a full network does not block the others', async () => {
  const { admit } = setUp({ ofNetwork: 1, all: 2 })
  admitted(await admit(asked))
  refused(await admit(asked))
  admitted(await admit({ ...asked, network: 'net_2' }))
})

test('the node’s limit is checked again after the caller is identified', async () => {
  const issuer = Promise.withResolvers<void>()
  const identify: Identify = async () => {
    await issuer.promise
    return { principal: { id: 'guest_1', kind: 'guest', tier: 'free' } }
  }
  const { app, admit } = setUp({ all: 1, identify })
  const both = [admit(asked), admit(asked)]
  issuer.resolve()
  const [first, second] = await Promise.all(both)
  assert.ok(first !== undefined && second !== undefined)
  admitted(first)
  // The door still sends its cookie.
  assert.equal(refused(second).guest, 'guest_1')
  assert.equal(app.connecting, 1)
})

test('an unidentified caller releases everything, and its close code says whose fault it is', async () => {
  for (const [error, code] of [
    [new Refusal('UNAUTHENTICATED'), closeCodes.policy],
    [new Refusal('MAINTENANCE'), closeCodes.internal],
    [new Error('a defect'), closeCodes.internal],
    [new Refusal('RATE_LIMITED'), closeCodes.tooManyConnections],
  ] as const) {
    let failure: Error | undefined = error
    const identify: Identify = async () => {
      if (failure !== undefined) throw failure
      return { principal: { id: 'guest_1', kind: 'guest', tier: 'free' } }
    }
    const { app, admit } = setUp({ all: 1, ofNetwork: 1, identify })
    assert.equal(refused(await admit(asked)).code, code)
    assert.equal(app.connecting, 0)
    failure = undefined
    admitted(await admit(asked))
  }
})

test('when the shared rate refuses, the network’s seat is released', async () => {
  const { app, admit } = setUp({ ofNetwork: 1 })
  app.connectRefusal = new Error('the store does not answer')
  assert.equal(refused(await admit(asked)).code, closeCodes.tooManyConnections)
  app.connectRefusal = undefined
  admitted(await admit(asked))
})

test('an admission that does not become a connection releases its seats and rate', async () => {
  const { app, admit } = setUp({ all: 1, ofNetwork: 1, ofPrincipal: 1 })
  admitted(await admit(asked)).undo()
  assert.equal(app.connecting, 0)
  admitted(await admit(asked))
})
