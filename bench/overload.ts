// How the whole server gets through trouble of its primary model, ours against the `reference` policy: the real stages over
// memory ports in virtual time, people who arrive as they like and wait four seconds, a primary that is in trouble for a while
// and an economy model that is well. Medians over seeds; figures in README.md.
import { seededRandom } from '../packages/simulation/src/virtual/random.ts'
import { VirtualTime } from '../packages/simulation/src/virtual/time.ts'
import { createApp } from '../packages/server/src/app/app.ts'
import type { Config } from '../packages/server/src/config/config.ts'
import type { Clock } from '../packages/server/src/ports/clock/port.ts'
import type { Model, ModelPart } from '../packages/server/src/ports/model/port.ts'
import { testConfig, wireTest } from '../packages/server/test/fixtures/stores/wire-test.ts'
import { someFaq, someProducts } from '../packages/server/test/fixtures/shop/shelves.ts'
import { Provider, WELL } from './lane/provider.ts'
import type { Health } from './lane/provider.ts'

const SEEDS = Number(process.env['SEEDS'] ?? 3)
const PER_SECOND = Number(process.env['PER_SECOND'] ?? 20)
const STARTS_AT = 1_790_000_000_000
const FAULT_FROM_MS = 15_000
const AFTER_MS = 45_000
const PATIENCE_MS = 4000
/** A quarter more than arrives, as in `bench/lane.ts`. */
const SLOTS = Math.ceil(PER_SECOND * 1.25)
const well: Health = { ...WELL, slots: SLOTS }

const scenarios = [
  { name: 'outage 30 s', forMs: 30_000, health: { ...well, faultShare: 1 } },
  { name: 'blip 2 s', forMs: 2000, health: { ...well, faultShare: 1 } },
  { name: 'brownout to half, 60 s', forMs: 60_000, health: { ...well, slots: Math.ceil(SLOTS / 2) } },
  { name: 'throttled to half, 60 s', forMs: 60_000, health: { ...well, perSecond: SLOTS / 2 } },
] as const

const PLENTY = 1_000_000_000
const free = {
  inputTokensPerDay: PLENTY,
  outputTokensPerDay: PLENTY,
  microUsdPerDay: PLENTY,
  requestsPerMinute: 100_000,
  outputTokensPerRequest: 512,
  rateFactor: 1000,
}
const common: Config = {
  ...testConfig,
  tiers: { free },
  turns: { ...testConfig.turns, runningMax: 100_000 },
  models: {
    primary: { provider: 'bedrock', id: 'p', connectionsMax: 1000 },
    economy: { provider: 'bedrock', id: 'e', connectionsMax: 1000 },
  },
}
const policies: Readonly<Record<string, Config>> = {
  reference: {
    ...common,
    lanes: { ...common.lanes, policy: 'reference' },
    retries: { ...common.retries, delays: 'pressure' },
  },
  ours: common,
}
const ladders = { 'primary alone': ['primary'], 'with an economy model': ['primary', 'economy'] } as const

function modelOf(id: string, provider: Provider): Model {
  async function* stream(): AsyncGenerator<ModelPart> {
    const failed = await new Promise<Parameters<Parameters<Provider['call']>[0]>[0]>((done) => provider.call(done))
    if (failed !== undefined) return yield { type: 'model-error', class: failed, message: failed }
    yield { type: 'message-start', model: id }
    yield { type: 'text-delta', text: 'はい、ございます。' }
    yield { type: 'usage', inputTokens: 100, outputTokens: 10 }
    yield { type: 'message-end', stopReason: 'end' }
  }
  return { id, stream }
}

interface Answer {
  readonly at: number
  readonly tier: string
  readonly ttftMs: number
}

async function run(config: Config, scenario: (typeof scenarios)[number], seed: number) {
  const random = seededRandom(seed)
  const drain = () => new Promise<void>((resolve) => setImmediate(resolve))
  const time = new VirtualTime({ startsAt: STARTS_AT, random: random.fork('ties'), drain })
  const clock = time.clock()
  const faultFrom = STARTS_AT + FAULT_FROM_MS
  const faultTo = faultFrom + scenario.forMs
  const isFault = () => time.now() >= faultFrom && time.now() < faultTo
  const primary = new Provider({ clock, random: random.fork('p'), health: () => (isFault() ? scenario.health : well) })
  const economy = new Provider({ clock, random: random.fork('e'), health: () => ({ ...well, slots: 10 * SLOTS }) })
  const models = new Map([
    ['primary', modelOf('primary-1', primary)],
    ['economy', modelOf('economy-1', economy)],
  ])
  const model = modelOf('none', economy)
  const ports = await wireTest({ clock, random, products: someProducts, faq: someFaq, model, config })
  const app = createApp({ ...ports, models }, config)
  app.start()
  const answers: Answer[] = []
  const marks: { attempts: number }[] = []
  for (const moment of [faultFrom, faultTo]) {
    clock.after(moment - STARTS_AT, () => marks.push({ attempts: primary.attempts }))
  }
  const until = faultTo + AFTER_MS
  arrive({ clock, random: random.fork('arrivals'), until }, async (number) => {
    const at = time.now()
    const principal = { id: `guest_${number}`, kind: 'guest', tier: 'free' } as const
    const message = `ベルセルクはどう？ ${number}`
    const { turnId } = await app.chat({ principal, requestId: `r${number}`, route: 'stream', message })
    for await (const frame of await app.read(principal, turnId, { offset: 0 }, new AbortController().signal)) {
      if (frame.type === 'done') answers.push({ at, tier: frame.tier, ttftMs: frame.timings.ttftMs ?? Infinity })
    }
  })
  await time.run({ until: until + 30_000, eventsMax: 20_000_000 })
  const during = answers.filter(({ at }) => at >= faultFrom && at < faultTo)
  const share = (which: (answer: Answer) => boolean) => during.filter(which).length / Math.max(1, during.length)
  const isModel = ({ tier, ttftMs }: Answer) => (tier === 'primary' || tier === 'economy') && ttftMs <= PATIENCE_MS
  return {
    goodput: share(isModel),
    primary: share((answer) => isModel(answer) && answer.tier === 'primary'),
    attempts: ((marks[1]?.attempts ?? 0) - (marks[0]?.attempts ?? 0)) / Math.max(1, during.length),
    recoveryMs: recoveryOf(answers, faultTo, until),
  }
}

function arrive(
  { clock, random, until }: { clock: Clock; random: ReturnType<typeof seededRandom>; until: number },
  ask: (number: number) => Promise<void>,
): void {
  let asked = 0
  const next = () => {
    clock.after((-Math.log(1 - random.float()) * 1000) / PER_SECOND, () => {
      if (clock.now() >= until) return
      asked += 1
      void ask(asked).catch(() => {})
      next()
    })
  }
  next()
}

/** Until nine of ten who arrive within a second have the primary's answer in time, for five seconds running. */
function recoveryOf(answers: readonly Answer[], from: number, until: number): number {
  let wellSince: number | undefined
  for (let at = from; at < until; at += 1000) {
    const here = answers.filter((answer) => answer.at >= at && answer.at < at + 1000)
    const good = here.filter(({ tier, ttftMs }) => tier === 'primary' && ttftMs <= PATIENCE_MS)
    wellSince = here.length > 0 && good.length >= here.length * 0.9 ? (wellSince ?? at) : undefined
    if (wellSince !== undefined && at - wellSince >= 4000) return wellSince - from
  }
  return until - from
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

for (const [ladderName, ladder] of Object.entries(ladders)) {
  for (const scenario of scenarios) {
    console.log(`\n${scenario.name}, ${ladderName}`)
    for (const [name, policy] of Object.entries(policies)) {
      const results: Awaited<ReturnType<typeof run>>[] = []
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        results.push(await run({ ...policy, ladder: [...ladder] }, scenario, seed))
      }
      const of = (field: keyof Awaited<ReturnType<typeof run>>) => median(results.map((result) => result[field]))
      const figures = [
        `goodput ${of('goodput').toFixed(2)}`,
        `of the primary ${of('primary').toFixed(2)}`,
        `attempts ${of('attempts').toFixed(2)}`,
        `recovery ${of('recoveryMs') / 1000} s`,
      ]
      console.log(`  ${name.padEnd(12)}${figures.join('   ')}`)
    }
  }
}
