// Alarms against the whole app in virtual time: each fires in its own outage and people get one message, and none fires in normal
// operation. Those that need a real Redis are in `alarms-redis.test.ts`; every row of the table is driven by
// `src/domain/alarms/alarm-table.test.ts`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAlarmSender } from '#adapters/memory/alarms/sender.ts'
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
import type { AlarmMessage } from '#domain/alarms/message.ts'
import type { Model } from '#ports/model/port.ts'
import type { NodeRegistry } from '#ports/node-registry/port.ts'
import { sampleNode, testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { fails, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleReceived } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'

const STEP_MS = 15_000
const MINUTE_MS = 60_000
const OPERATOR = { by: 'aki', reason: 'a test' }
/** The messages of all severities. */
const SENDER = { name: 'desk', severities: ['page', 'warn', 'info'] } as const

interface Made {
  readonly app: App
  readonly ports: TestPorts
  readonly redis: NodeLane
  /** The registry as another node has it. */
  readonly other: NodeRegistry
}

interface Outage {
  readonly alarm: string
  readonly what: string
  readonly ms: number
  /** The interval of questions. */
  readonly everyMs: number
  readonly config?: Partial<Config>
  /** The parts that are broken from the start. */
  readonly broken?: (ports: TestPorts) => Partial<TestPorts>
  /** The model's behaviour. */
  readonly model?: 'well' | 'unavailable' | 'throttled'
  /** The model answers well again after this long. */
  readonly outageMs?: number
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
  { ...QUIET, alarm: 'lane-down', what: 'the only model is unavailable', model: 'unavailable' },
  {
    ...QUIET,
    alarm: 'lane-down',
    what: 'search fails',
    broken: ({ search }) => ({ search: withVerbs(search, { find: fails }) }),
  },
  {
    ...QUIET,
    alarm: 'lane-down',
    what: 'the session store cannot be read',
    broken: ({ sessions }) => ({ sessions: withVerbs(sessions, { recentTurns: fails }) }),
  },
  { ...QUIET, alarm: 'redis-slow', what: 'Redis hangs', happens: ({ ports, redis }) => callLate(ports.clock, redis) },
  {
    ...QUIET,
    ms: 63 * MINUTE_MS,
    everyMs: 10 * MINUTE_MS,
    alarm: 'lane-operated',
    what: 'an operator forgot a lane that they forced open',
    happens: ({ app }) => app.admin.operateLane('search', 'force-open', OPERATOR),
  },
  {
    ...QUIET,
    ms: 63 * MINUTE_MS,
    everyMs: 10 * MINUTE_MS,
    alarm: 'mode-left-on',
    what: 'maintenance was not switched off',
    happens: ({ app }) => app.admin.setMaintenance(true, OPERATOR),
  },
  { ...QUIET, alarm: 'answers-without-model', what: 'no model answers', model: 'unavailable' },
  {
    ...QUIET,
    ms: 14 * MINUTE_MS,
    everyMs: MINUTE_MS,
    alarm: 'questions-waiting',
    what: 'the model is throttled',
    model: 'throttled',
  },
  {
    ...QUIET,
    alarm: 'spend-50',
    what: 'the day’s ceiling is reached',
    // One call reserves more than half of it.
    config: { budgets: { storeMicroUsdPerDay: 12_000, guestsMicroUsdPerDay: Number.MAX_SAFE_INTEGER } },
  },
  {
    ...QUIET,
    alarm: 'user-spend',
    what: 'one person spends more than the alarm allows',
    config: { alarms: { ...testConfig.alarms, userMicroUsdPerDay: 1 } },
  },
  {
    ...QUIET,
    alarm: 'node-lost',
    what: 'another node dies',
    happens: async ({ other }) => {
      await other.announce({ turns: 1, connections: 1, isDraining: false, edition: null })
    },
  },
  {
    ...QUIET,
    alarm: 'redis-emptied',
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

/** Runs the app for the length of the outage, asks at intervals, and returns the messages that people got. */
async function messagesOf(outage: Omit<Outage, 'alarm' | 'what'>): Promise<readonly AlarmMessage[]> {
  const plain = await testPorts()
  const metrics = new MetricsRegistry()
  const telemetry = memoryTelemetry({ sinks: [metricsSink(metrics)] })
  const { clock } = plain
  const entries: NodeEntries = new Map()
  const registryOf = (id: string) => memoryNodeRegistry({ self: sampleNode(id), clock, entries })
  const ports = { ...plain, telemetry, registry: registryOf('node_1') }
  const startedAt = clock.now()
  const script = outage.model === undefined || outage.model === 'well' ? answering('はい') : [failure(outage.model)]
  const broken = scriptedModel(clock, script, 'p')
  const healthy = scriptedModel(clock, answering('はい'), 'p')
  const isHealed = () => clock.now() - startedAt > (outage.outageMs ?? Infinity)
  const stream: Model['stream'] = (...asked) => (isHealed() ? healthy : broken).stream(...asked)
  const primary: Model = { ...broken, stream, facts: SAMPLE_FACTS }
  const model = { provider: 'bedrock', id: 'p' } as const
  const sender = memoryAlarmSender('desk')
  const given: Config = { ...testConfig, ...outage.config, models: { primary: model }, ladder: ['primary'] }
  const webhooks = [{ ...SENDER, severities: [...SENDER.severities], url: 'https://desk.example' }]
  const config: Config = { ...given, alarms: { ...given.alarms, webhooks } }
  const policy = dependencyPolicy(config, 'redis')
  const redis = new NodeLane({ name: 'redis', policy, now: () => clock.now(), float: () => 0.5 })
  const own = {
    telemetry,
    figures: metrics,
    alarmSenders: [sender],
    storeLanes: [redis],
    registry: ports.registry,
    models: new Map([['primary', primary]]),
    lanes: testLanes(ports, config),
  }
  const { responder: _, ...others } = plain
  const app = createApp({ ...others, ...outage.broken?.(plain), ...own }, config)
  app.exportGauges(metrics)
  app.start()
  const from = clock.now()
  let asked = 0
  for (let passed = 0; passed <= outage.ms; passed += STEP_MS) {
    if (passed === MINUTE_MS) await outage.happens?.({ app, ports, redis, other: registryOf('other') })
    const until = from + passed + STEP_MS
    while (clock.now() < until) {
      if ((clock.now() - from) % outage.everyMs === 0) await ask(app, telemetry, (asked += 1))
      await clock.advance(Math.min(5000, until - clock.now()))
    }
  }
  const drained = app.drain()
  await clock.advance(2 * MINUTE_MS)
  await drained
  return sender.sent
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

for (const outage of outages) {
  test(`${outage.alarm} reaches people when ${outage.what}`, async () => {
    const sent = (await messagesOf(outage)).filter(({ alarm }) => alarm === outage.alarm)
    assert.deepEqual(
      sent.map(({ kind }) => kind),
      ['fired'],
    )
    assert.ok((sent[0]?.evidence[0]?.value ?? 0) > (sent[0]?.evidence[0]?.above ?? 0))
  })
}

test('a total outage of 80 s fires by the time spent open, and is resolved', async () => {
  const until = { ms: 10 * MINUTE_MS, everyMs: 10_000, outageMs: 80_000 }
  const sent = (await messagesOf({ ...until, model: 'unavailable' })).filter(({ alarm }) => alarm === 'lane-down')
  assert.deepEqual(
    sent.map(({ kind }) => kind),
    ['fired', 'resolved'],
  )
  assert.deepEqual(sent[0]?.evidence[0]?.labels, { lane: 'primary' })
})

test('in normal operation no message is sent, although series appear and counters rise', async () => {
  // The scripted model reports a fixed number of tokens, which no estimate can meet.
  const rules = { 'estimate-drift': { enabled: false } }
  const config = { alarms: { ...testConfig.alarms, rules } }
  const sent = await messagesOf({ ms: 20 * MINUTE_MS, everyMs: 10_000, config })
  assert.deepEqual(
    sent.map(({ text }) => text),
    [],
  )
})
