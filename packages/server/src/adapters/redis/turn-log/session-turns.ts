// Which turns a session has, and who on this node wants to hear of new ones. The list lies on another slot than the turns
// and is written after them: it may lack a turn whose node died in between, which then is forgotten by its age alone.
import { orUnavailable } from '#domain/store-unavailable.ts'
import { startFrom, storedStart } from '#domain/turn/record-codec.ts'
import type { TurnStart } from '#domain/turn/turn-record.ts'
import { Topics } from '#lib/async/topics.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import type { TurnStore } from './turn-store.ts'

/** Far more than one session asks while its turns are kept. */
const TURNS_MAX = 1000
/** As many new turns as a watcher may have missed and is still told of. */
const LOOK_BACK = 16
const TOLD_MAX = 64

/** 2 how long the list is kept, 3 the turn, 4 the channel, 5 the start. */
const ANNOUNCE = script(
  'session-turns.announce',
  `redis.call('ZADD', KEYS[1], 'NX', now, ARGV[3])
redis.call('ZREMRANGEBYRANK', KEYS[1], 0, -${TURNS_MAX + 1})
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('SPUBLISH', ARGV[4], ARGV[5])
return 1`,
)

interface Watch {
  watchers: number
  /** Turns that are not news, or no longer. */
  readonly told: Set<string>
  readonly held: DisposableStack
}

export class SessionTurns {
  readonly #redis: Redis
  readonly #store: TurnStore
  readonly #keepMs: number
  readonly #topics = new Topics<TurnStart>()
  readonly #watches = new Map<string, Watch>()

  constructor(options: { readonly redis: Redis; readonly store: TurnStore; readonly keepMs: number }) {
    this.#redis = options.redis
    this.#store = options.store
    // A turn's own time begins anew with each append: its session's list has to outlive it.
    this.#keepMs = options.keepMs * 2
  }

  /** A turn was opened here: those who watch here are told at once. */
  opened(start: TurnStart): void {
    this.#tell(start)
  }

  async announce(start: TurnStart): Promise<void> {
    const { sessionId, turnId } = start
    const given = [this.#keepMs, turnId, openedChannel(sessionId), JSON.stringify(storedStart(start))]
    await this.#redis.run(ANNOUNCE, [turnsKey(sessionId)], given)
  }

  /** Collects from this call on. */
  watch(sessionId: string, signal: AbortSignal): AsyncIterable<TurnStart> {
    const items = this.#topics.subscribe(sessionId, signal)
    if (signal.aborted) return items
    const watch = this.#enter(sessionId)
    const leave = () => {
      if (!signal.aborted) signal.removeEventListener('abort', leave)
      watch.watchers -= 1
      if (watch.watchers > 0) return
      watch.held.dispose()
      this.#watches.delete(sessionId)
    }
    signal.addEventListener('abort', leave, { once: true })
    return reading(items, () => {
      if (!signal.aborted) leave()
    })
  }

  /** Forgets the ended turns of a session; answers their ids. */
  async forget(sessionId: string): Promise<readonly string[]> {
    const key = turnsKey(sessionId)
    const turnIds = (await this.#redis.command(key, 'ZRANGE', key, '0', '-1')) as string[]
    const results = await Promise.all(
      turnIds.map(async (turnId) => ({ turnId, result: await this.#store.forget(turnId) })),
    )
    const gone = results.filter(({ result }) => result !== 'stays').map(({ turnId }) => turnId)
    if (gone.length > 0) await this.#redis.command(key, 'ZREM', key, ...gone)
    return results.filter(({ result }) => result === 'forgotten').map(({ turnId }) => turnId)
  }

  #enter(sessionId: string): Watch {
    const known = this.#watches.get(sessionId)
    if (known !== undefined) {
      known.watchers += 1
      return known
    }
    const watch: Watch = { watchers: 1, told: new Set(), held: new DisposableStack() }
    this.#watches.set(sessionId, watch)
    void this.#listen(sessionId, watch)
    return watch
  }

  async #listen(sessionId: string, watch: Watch): Promise<void> {
    // Asked for before anything that is opened here from now on can be sent.
    const before = this.#newest(sessionId)
    const hear = (message: string) => this.#tell(startFrom(JSON.parse(message) as TurnStart))
    const subscription = watch.held.use(this.#redis.subscribe(openedChannel(sessionId), hear))
    const known = before.then((turnIds) => {
      for (const turnId of turnIds) remember(watch, turnId)
    })
    // Heard at once: it may fail before anyone looks back.
    void orUnavailable(() => known)
    // Without it, what was there before could be taken for news: then only messages are.
    const look = () => void orUnavailable(() => known.then(() => this.#lookBack(sessionId, watch)))
    watch.held.use(this.#redis.onGap(look))
    await orUnavailable(() => subscription.ready.then(look))
  }

  /** Tells what was opened while no messages came. */
  async #lookBack(sessionId: string, watch: Watch): Promise<void> {
    for (const turnId of await this.#newest(sessionId)) {
      if (watch.told.has(turnId)) continue
      const start = await this.#store.start(turnId)
      if (start !== undefined) this.#tell(start)
    }
  }

  async #newest(sessionId: string): Promise<readonly string[]> {
    const key = turnsKey(sessionId)
    return (await this.#redis.command(key, 'ZRANGE', key, String(-LOOK_BACK), '-1')) as string[]
  }

  #tell(start: TurnStart): void {
    const watch = this.#watches.get(start.sessionId)
    if (watch === undefined || watch.told.has(start.turnId)) return
    remember(watch, start.turnId)
    this.#topics.publish(start.sessionId, start)
  }
}

function remember({ told }: Watch, turnId: string): void {
  told.add(turnId)
  for (const oldest of told) {
    if (told.size <= TOLD_MAX) return
    told.delete(oldest)
  }
}

async function* reading<Item>(items: AsyncIterable<Item>, leave: () => void): AsyncGenerator<Item> {
  try {
    yield* items
  } finally {
    leave()
  }
}

function turnsKey(sessionId: string): string {
  return `ma:{sess:${sessionId}}:turns`
}

function openedChannel(sessionId: string): string {
  return `ma:{sess:${sessionId}}:opened`
}
