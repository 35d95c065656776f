// A whole server in virtual time: the real stages and the real connection handling over the memory adapters,
// with simulated shoppers, a fickle model, and a power switch. The same seed gives the same trace.
import { createHash } from 'node:crypto'
import type { ServerFrame } from '@mangaassist/protocol'
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { seededChance } from '#adapters/virtual/chance.ts'
import { VirtualTime } from '#adapters/virtual/time.ts'
import type { CuttableClock } from '#adapters/virtual/time.ts'
import { createApp } from '#app.ts'
import type { Ports } from '#app.ts'
import type { Config } from '#config.ts'
import type { Clock } from '#ports/clock.ts'
import { Connection } from '#edge/connection.ts'
import { Looks } from '#edge/looks.ts'
import { refuser } from '#edge/refuse.ts'
import { testConfig, testLanes, wireTest } from '#wiring/test.ts'
import { someFaq, someProducts } from '../fixtures/shelves.ts'
import { fickleModel } from './fickle-model.ts'
import type { FickleModel } from './fickle-model.ts'
import { severable } from './severable.ts'
import { Shopper } from './shopper.ts'

export interface WorldOptions {
  readonly seed: number
  readonly shoppers: number
  readonly turnsPerShopper: number
  /** The power fails this often on average; 0 is never. */
  readonly crashEveryMs: number
}

export interface WorldResult {
  readonly hash: string
  readonly breaches: readonly string[]
  readonly seen: ReadonlyMap<string, number>
  /** What telemetry has counted, by name. */
  readonly counted: ReadonlySet<string>
  readonly turnIds: readonly string[]
  readonly ports: Ports
  readonly model: FickleModel
  readonly principals: readonly string[]
  readonly virtualMs: number
  readonly events: number
}

interface Node {
  readonly clock: CuttableClock
  readonly looks: Looks
  readonly app: ReturnType<typeof createApp>
  readonly connections: Set<{ readonly connection: Connection; readonly onLost: () => void }>
  sever(): void
}

const STARTS_AT = 1_790_000_000_000
const HOUR_MS = 3_600_000
const HEAL_MS = 60_000
const QUESTIONS = [
  '進撃の巨人が好きなら次は？',
  'something dark',
  '送料はいくらですか',
  'hello',
  'ありがとう',
  '😭泣ける漫画',
  'shipping?',
]

/** Rates are for people; these shoppers must be able to be quick, and one day must hold all their turns. */
export const worldConfig: Config = {
  ...testConfig,
  tiers: {
    free: {
      inputTokensPerDay: 400_000,
      outputTokensPerDay: 200_000,
      microUsdPerDay: 1_000_000,
      requestsPerMinute: 30,
      outputTokensPerRequest: 512,
      rateFactor: 1,
    },
  },
}

export async function runWorld(options: WorldOptions): Promise<WorldResult> {
  const chance = seededChance(options.seed)
  const drain = () => new Promise<void>((resolve) => setImmediate(resolve))
  const time = new VirtualTime({ startsAt: STARTS_AT, chance: chance.fork('ties'), drain })
  const worldClock = time.clock()
  const hash = createHash('sha256')
  const trace = (event: string) => void hash.update(`${time.now()} ${event}\n`)
  const breaches: string[] = []
  const seen = new Map<string, number>()
  const see = (state: string) => void seen.set(state, (seen.get(state) ?? 0) + 1)

  let node: Node | undefined
  const model = fickleModel({ clock: () => node?.clock ?? worldClock, chance: chance.fork('model') })
  const wiring = { clock: worldClock, chance: chance.fork('durable'), products: someProducts, faq: someFaq, model }
  const telemetry = memoryTelemetry()
  const durable = { ...(await wireTest(wiring)), telemetry }

  function powerOn(): void {
    const clock = time.clock()
    const own = { clock, chance: chance.fork(`node ${time.now()}`) }
    // What one machine keeps in the process goes with it.
    const answers = memoryAnswerCache({ clock, limits: worldConfig.answers })
    const cut = severable({ ...durable, ...own, lanes: testLanes(own, worldConfig), answers })
    const app = createApp(cut.ports, worldConfig)
    node = { clock, app, connections: new Set(), looks: new Looks(clock), sever: cut.sever }
    app.start()
    trace('power on')
  }

  function powerOff(): void {
    if (node === undefined) return
    see('crash')
    trace('power off')
    const dead = node
    node = undefined
    dead.sever()
    dead.clock.cut()
    model.nodeDied()
    for (const { onLost } of dead.connections) worldClock.after(1, onLost)
  }

  function dial(principalId: string, handlers: { onFrame(frame: ServerFrame): void; onLost(): void }) {
    const server = node
    if (server === undefined) return undefined
    const parts = {
      app: server.app,
      clock: server.clock,
      looks: server.looks,
      telemetry: durable.telemetry,
      chance: chance.fork(`line ${time.now()} ${principalId}`),
      refuse: refuser(durable.telemetry),
      config: worldConfig,
    }
    const principal = { id: principalId, kind: 'guest', tier: 'free' } as const
    let open = true
    const down = inOrder(worldClock, (text) => open && handlers.onFrame(JSON.parse(text) as ServerFrame))
    const up = inOrder(worldClock, (text) => open && node === server && connection.receive(text))
    const transport = {
      send: (text: string) => void (node === server && down(text)),
      bufferedBytes: () => 0,
      progressMark: () => 0,
      close: () => void worldClock.after(1, () => open && handlers.onLost()),
    }
    const connection = new Connection(parts, { transport, principal, language: 'ja' })
    const entry = { connection, onLost: () => open && handlers.onLost() }
    server.connections.add(entry)
    return {
      send: (frame: object) => up(JSON.stringify(frame)),
      hangUp: () => {
        open = false
        server.connections.delete(entry)
        connection.closed()
      },
    }
  }

  powerOn()
  const crashes = chance.fork('crashes')
  let healed = options.crashEveryMs === 0
  function scheduleCrash(): void {
    if (healed) return
    worldClock.after(crashes.between(1, 2 * options.crashEveryMs), () => {
      if (healed) return
      powerOff()
      worldClock.after(crashes.between(100, 15_000), () => {
        powerOn()
        scheduleCrash()
      })
    })
  }
  scheduleCrash()

  const principals = Array.from({ length: options.shoppers }, (_, index) => `guest_${index}`)
  const shoppers = principals.map(
    (name) =>
      new Shopper(
        {
          name,
          clock: worldClock,
          chance: chance.fork(name),
          questions: QUESTIONS,
          dial: (handlers) => dial(name, handlers),
          breach: (what) => breaches.push(`${time.now() - STARTS_AT} ms: ${what}`),
          trace,
          seen: see,
        },
        options.turnsPerShopper,
      ),
  )
  const allFinished = () => shoppers.every((shopper) => shopper.finished)
  const events = await time.run({ until: STARTS_AT + 12 * HOUR_MS, eventsMax: 5_000_000, stop: allFinished })
  healed = true
  if (!allFinished()) breaches.push('some shopper never got an end')
  // Whatever the last crash left must come to rest by itself.
  await time.run({ until: time.now() + HEAL_MS, eventsMax: 1_000_000 })
  return {
    hash: hash.digest('hex'),
    breaches,
    seen,
    counted: new Set(telemetry.counted.map(({ name }) => name)),
    turnIds: shoppers.flatMap((shopper) => shopper.turns),
    ports: durable,
    model,
    principals,
    virtualMs: time.now() - STARTS_AT,
    events,
  }
}

/** A wire: what goes in comes out a moment later, in the same order, whatever the scheduler's tie-break. */
function inOrder(clock: Clock, receive: (text: string) => unknown): (text: string) => void {
  const underWay: string[] = []
  return (text) => {
    underWay.push(text)
    clock.after(1, () => receive(underWay.shift() ?? ''))
  }
}
