// A reader that resumes has a trace of its own, which says so and links to that of the turn; another principal's turn is not
// found, and leaves no link.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { GUEST, sampleAdmitted } from '#fixtures/turns/turns.ts'
import { createTurnAccess } from './turn-access.ts'

const TRACE = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7', sampled: true }

async function setUp() {
  const ports = await testPorts()
  const { start } = sampleAdmitted({ trace: TRACE })
  await ports.turnLog.open(start, 10_000)
  const sessions = {
    check: () => Promise.reject(new Error('is not asked')),
    isHandedOver: async () => false,
    isInherited: async () => false,
  }
  const access = createTurnAccess({ ...ports, config: testConfig, sessions })
  const scope = ports.telemetry.scope({ door: 'sse', name: 'GET /api/turns/:turnId/events' })
  return { ports, start, access, scope }
}

test('a reader that resumes links to the trace of the turn', async () => {
  const { access, ports, scope, start } = await setUp()
  await access.read(start.principal, { turnId: start.turnId, offset: 7, resumedBy: scope }, AbortSignal.abort())
  scope.end('completed')
  const [ended] = ports.telemetry.ended
  assert.deepEqual(ended?.links, [TRACE])
  assert.deepEqual(
    ended?.events.map(({ attributes, name }) => [name, attributes]),
    [['reader.resumed', { turnId: start.turnId, offset: 7 }]],
  )
})

test('the first reader of a turn, and a reader of another principal’s turn, have no link', async () => {
  const { access, ports, scope, start } = await setUp()
  await access.read(start.principal, { turnId: start.turnId, offset: 0 }, AbortSignal.abort())
  const other = { ...GUEST, id: 'guest_other' }
  const read = access.read(other, { turnId: start.turnId, offset: 0, resumedBy: scope }, AbortSignal.abort())
  await assert.rejects(read, { code: 'NOT_FOUND' })
  scope.end('refused')
  assert.deepEqual([ports.telemetry.ended[0]?.links, ports.telemetry.ended[0]?.events], [[], []])
})
