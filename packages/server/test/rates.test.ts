// Rates through the real door and the real app: premium gets three times the rate of others, guests of one network share,
// and a refused request takes nothing from others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { createApp } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { Readiness } from '#edge/http/health.ts'
import { createHttp } from '#edge/http/http.ts'
import { networkFinder, networkNamer } from '#edge/http/network.ts'
import { refuser } from '#edge/http/refuse.ts'
import { RequestGate } from '#edge/http/request-gate.ts'
import type { HttpParts } from '#edge/http/route-parts.ts'
import { createTickets } from '#edge/identity/tickets.ts'
import { createTranscriptLinks } from '#edge/admin/transcript-links.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { testPorts } from '#fixtures/stores/ports.ts'

const KEYS = [Buffer.alloc(32, 1)] as const

async function openStore(context: TestContext, rates: Partial<Config['rates']> = {}) {
  const config = {
    ...testConfig,
    rates: { ...testConfig.rates, ...rates },
    server: { ...testConfig.server, trustProxy: true },
  }
  const ports = await testPorts()
  const { random, clock } = ports
  const telemetry = memoryTelemetry()
  const app = createApp({ ...ports, telemetry }, config)
  const readiness = new Readiness({ clock, probes: {} })
  readiness.state = 'ready'
  const findNetwork = networkFinder(config.server, telemetry)
  const refuse = refuser(telemetry)
  const parts: HttpParts = {
    adopt: async () => false,
    app,
    random,
    clock,
    config,
    findNetwork,
    gate: new RequestGate({ config, clock, telemetry, refuse, findNetwork }),
    // The header names the principal; the name begins with the tier.
    identify: async ({ authorization = 'guest-free' }) => {
      const [kind = '', tier = ''] = authorization.split('-')
      return { principal: { id: authorization, kind: kind === 'guest' ? 'guest' : 'user', tier } }
    },
    identifyAdmin: () => assert.fail('no operator is asked for'),
    mayReadFigures: () => false,
    metrics: () => '',
    nameNetwork: networkNamer(KEYS, findNetwork),
    operators: { prove: () => assert.fail('nobody signs in'), operatorOf: () => undefined },
    operatorSessions: {
      open: () => undefined,
      find: () => undefined,
      isCsrfToken: () => false,
      end: () => {},
    },
    readiness,
    refuse,
    telemetry,
    tickets: createTickets({ keys: KEYS, random, clock, ticketMs: 1000 }),
    transcripts: createTranscriptLinks({ keys: KEYS, clock }),
    webRoot: '/nowhere',
  }
  const http = await createHttp(parts)
  context.after(() => http.close())
  let asked = 0
  const ask = async (who: string, from = '192.0.2.1') => {
    asked += 1
    const headers = { authorization: who, accept: 'text/event-stream', 'x-forwarded-for': from }
    return http.inject({ method: 'POST', url: '/api/chat', payload: { message: `question ${asked}` }, headers })
  }
  /** How many of a burst are admitted, and how the others are refused. */
  const burst = async (count: number, who: string | ((index: number) => string), from?: string) => {
    const asks = Array.from({ length: count }, (_, index) => ask(typeof who === 'string' ? who : who(index), from))
    const answers = await Promise.all(asks)
    const refused = answers.filter(({ statusCode }) => statusCode !== 200).map((answer) => answer.json().error)
    return { taken: count - refused.length, refused }
  }
  return { burst, clock }
}

test('premium really gets three times the burst and three times the rate', async (context) => {
  const { burst, clock } = await openStore(context)
  const taken = async () => [(await burst(40, 'user-standard')).taken, (await burst(40, 'user-premium')).taken]
  assert.deepEqual(await taken(), [10, 30])
  await clock.advance(1000)
  assert.deepEqual(await taken(), [5, 15])
})

test('guests of one network share, a refusal says so, and signing in is the way out', async (context) => {
  const address = { ...testConfig.rates.address, perSecond: 1, burst: 3 }
  const { burst } = await openStore(context, { address })
  const { refused, taken } = await burst(5, (index) => `guest-free-${index}`, '198.51.100.7')
  assert.equal(taken, 3)
  const [{ code, details, retryAfterMs }] = refused
  assert.deepEqual([code, details], ['RATE_LIMITED', { scope: 'address-user-rate' }])
  assert.ok(retryAfterMs > 0)
  assert.equal((await burst(2, 'guest-free-9', '198.51.100.8')).taken, 2)
  assert.equal((await burst(3, 'user-standard', '198.51.100.7')).taken, 3)
})

test('a request refused by its own limits leaves the shop’s rates to the others', async (context) => {
  const tight = { perSecond: 0.001, burst: 20 }
  const { burst } = await openStore(context, { global: tight, chat: tight })
  assert.equal((await burst(100, 'user-standard-a')).taken, 10)
  const { refused, taken } = await burst(20, (index) => `user-standard-${index}`)
  assert.deepEqual([taken, refused[0]?.details], [10, { scope: 'global' }])
})
