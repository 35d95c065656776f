// Every alarm of docs/operations.md, against the whole app in virtual time: it fires in its own outage, and never in normal
// operation. Those that need a real Redis are in `alarms-redis.test.ts`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryNodeRegistry } from '#adapters/memory/node-registry.ts'
import type { NodeEntries } from '#adapters/memory/node-registry.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { MetricsRegistry } from '#adapters/system/metrics.ts'
import { metricsSink } from '#adapters/system/metrics-sink.ts'
import { watchForEmptied } from '#adapters/redis/client/emptied-watch.ts'
import { createApp } from '#app/app.ts'
import type { App } from '#app/app.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Config } from '#config/config.ts'
import { NodeLane } from '#domain/lane/node-lane.ts'
import { dependencyPolicy } from '#domain/lane/policy-for.ts'
import { Refusal } from '#domain/refusal.ts'
import type { Model } from '#ports/model/port.ts'
import type { NodeRegistry } from '#ports/node-registry/port.ts'
import { sampleNode, testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { recommendedRules, Recording } from '#fixtures/edge/alarm-rules.ts'
import type { AlarmRule } from '#fixtures/edge/alarm-rules.ts'
import { fails, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'

/** A usual scrape interval. */
const SCRAPE_MS = 15_000
const MINUTE_MS = 60_000
const OPERATOR = { by: 'aki', reason: 'a test' }
/** Recorded from a run with a real Redis. */
const ELSEWHERE = ['RedisUnreachable']

interface Made {
  readonly app: App
  readonly ports: TestPorts
  readonly redis: NodeLane
  /** The registry as another node has it. */
  readonly other: NodeRegistry
}

interface Outage {
  readonly alert: string
  readonly what: string
  readonly ms: number
  /** The interval of questions. */
  readonly everyMs: number
  readonly config?: Partial<Config>
  /** The parts that are broken from the start. */
  readonly broken?: (ports: TestPorts) => Partial<TestPorts>
  /** The model's behaviour. */
  readonly model?: 'well' | 'unavailable' | 'throttled'
  /** The event after the first minute. */
  readonly happens?: (made: Made) => unknown
}

const QUIET = { ms: 3 * MINUTE_MS, everyMs: 10_000 } as const

/** A call every half second, like the node's own background work; none is answered in time. */
function callLate(clock: TestPorts['clock'], redis: NodeLane): void {
  const id = redis.take(MINUTE_MS)
  if (id !== undefined) redis.report(id, 'overload')
  clock.after(500, () => callLate(clock, redis))
}

const outages: readonly Outage[] = [
  { ...QUIET, alert: 'LaneDown', what: 'the only model is unavailable', model: 'unavailable' },
  {
    ...QUIET,
    alert: 'LaneDown',
    what: 'search fails',
    broken: ({ search }) => ({ search: withVerbs(search, { find: fails }) }),
  },
  {
    ...QUIET,
    alert: 'LaneDown',
    what: 'the session store cannot be read',
    broken: ({ sessions }) => ({ sessions: withVerbs(sessions, { recentTurns: fails }) }),
  },
  { ...QUIET, alert: 'LaneDown', what: 'Redis hangs', happens: ({ ports, redis }) => callLate(ports.clock, redis) },
  {
    ...QUIET,
    ms: 63 * MINUTE_MS,
    everyMs: 10 * MINUTE_MS,
    alert: 'LaneOperated',
    what: 'an operator forgot a lane that they forced open',
    happens: ({ app }) => app.admin.operateLane('search', 'force-open', OPERATOR),
  },
  {
    ...QUIET,
    ms: 63 * MINUTE_MS,
    everyMs: 10 * MINUTE_MS,
    alert: 'Maintenance',
    what: 'maintenance was not switched off',
    happens: ({ app }) => app.admin.setMaintenance(true, OPERATOR),
  },
  { ...QUIET, alert: 'AnswersWithoutModel', what: 'no model answers', model: 'unavailable' },
  {
    ...QUIET,
    ms: 14 * MINUTE_MS,
    everyMs: MINUTE_MS,
    alert: 'QuestionsWaiting',
    what: 'the model is throttled',
    model: 'throttled',
  },
  {
    ...QUIET,
    alert: 'StoreSpend',
    what: 'the day’s ceiling is reached',
    // One call reserves more than half of it.
    config: { budgets: { storeMicroUsdPerDay: 12_000, guestsMicroUsdPerDay: Number.MAX_SAFE_INTEGER } },
  },
  {
    ...QUIET,
    alert: 'UserSpend',
    what: 'one person spends more than the alarm allows',
    config: { alarms: { userMicroUsdPerDay: 1 } },
  },
  {
    ...QUIET,
    alert: 'NodeLost',
    what: 'another node dies',
    happens: async ({ other }) => {
      await other.announce({ turns: 1, connections: 1, isDraining: false, edition: null })
    },
  },
  {
    ...QUIET,
    alert: 'RedisEmptied',
    what: 'Redis comes back empty',
    happens: async ({ ports }) => {
      let mark = 'one'
      const never = () => ({ [Symbol.dispose]() {} })
      const redis = { run: async () => [mark, 1], onGap: never, onReconnect: never }
      await watchForEmptied({ ...ports, redis, onEmptied: async () => {} })
      mark = 'another'
    },
  },
]

/** Runs the app for the length of the outage, asks at intervals, and records what a scraper reads. */
async function record(outage: Omit<Outage, 'alert' | 'what'>): Promise<Recording> {
  const plain = await testPorts()
  const metrics = new MetricsRegistry()
  const telemetry = memoryTelemetry({ sinks: [metricsSink(metrics)] })
  const { clock } = plain
  const entries: NodeEntries = new Map()
  const registryOf = (id: string) => memoryNodeRegistry({ self: sampleNode(id), clock, entries })
  const ports = { ...plain, telemetry, registry: registryOf('node_1') }
  const script = outage.model === undefined || outage.model === 'well' ? answering('はい') : [failure(outage.model)]
  const primary: Model = { ...scriptedModel(clock, script, 'p'), facts: SAMPLE_FACTS }
  const model = { provider: 'bedrock', id: 'p' } as const
  const config: Config = { ...testConfig, ...outage.config, models: { primary: model }, ladder: ['primary'] }
  const policy = dependencyPolicy(config, 'redis')
  const redis = new NodeLane({ name: 'redis', policy, now: () => clock.now(), float: () => 0.5 })
  const own = {
    telemetry,
    storeLanes: [redis],
    registry: ports.registry,
    models: new Map([['primary', primary]]),
    lanes: testLanes(ports, config),
  }
  const { responder: _, ...others } = plain
  const app = createApp({ ...others, ...outage.broken?.(plain), ...own }, config)
  app.exportGauges(metrics)
  app.start()
  const recording = new Recording()
  const from = clock.now()
  let asked = 0
  for (let passed = 0; passed <= outage.ms; passed += SCRAPE_MS) {
    recording.add(clock.now(), metrics.text())
    if (passed === MINUTE_MS) await outage.happens?.({ app, ports, redis, other: registryOf('other') })
    const until = from + passed + SCRAPE_MS
    while (clock.now() < until) {
      if ((clock.now() - from) % outage.everyMs === 0) await ask(app, telemetry, (asked += 1))
      await clock.advance(Math.min(5000, until - clock.now()))
    }
  }
  const drained = app.drain()
  await clock.advance(2 * MINUTE_MS)
  await drained
  return recording
}

/** No two questions are the same: a cached answer would ask no model. A service in maintenance refuses. */
async function ask(app: App, telemetry: Telemetry, number: number): Promise<void> {
  const principal = { id: `guest_${number % 3}`, kind: 'guest', tier: 'free' } as const
  const message = `泣ける漫画を${number}冊教えて`
  const scope = telemetry.scope({ door: 'ws', name: 'chat' })
  try {
    await app.chat(sampleReceived({ principal, message, requestId: `r${number}`, scope }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
  }
}

const rules = recommendedRules()
const ruleOf = (alert: string): AlarmRule => {
  const rule = rules.find((one) => one.alert === alert)
  assert.ok(rule !== undefined, `no rule ${alert} is recommended`)
  return rule
}

test('every recommended rule is tried against an outage', () => {
  assert.deepEqual(
    rules.map(({ alert }) => alert).toSorted(),
    [...new Set([...outages.map(({ alert }) => alert), ...ELSEWHERE])].toSorted(),
  )
})

for (const outage of outages) {
  test(`${outage.alert} fires when ${outage.what}`, async () => {
    assert.ok((await record(outage)).fires(ruleOf(outage.alert)))
  })
}

test('in normal operation no rule fires, although series appear and counters rise', async () => {
  const recording = await record({ ms: 20 * MINUTE_MS, everyMs: 10_000 })
  assert.deepEqual(
    rules.filter((rule) => recording.fires(rule)).map(({ alert }) => alert),
    [],
  )
})

test('a counter that begins with 1 has not increased, and an unsupported expression is not a rule', () => {
  const born = new Recording()
  born.add(0, 'x_total{a="b"} 1\n')
  born.add(15_000, 'x_total{a="b"} 1\n')
  assert.equal(born.fires({ alert: 'born', expr: 'sum(increase(x_total[5m])) > 0', forMs: 0 }), false)
  assert.throws(() => born.fires({ alert: 'odd', expr: 'rate(x_total[5m]) / 2 > 0', forMs: 0 }), /not understood/)
})
