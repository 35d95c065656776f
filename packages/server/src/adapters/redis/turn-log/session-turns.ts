// The list of a session's turns, and the watchers on this node that want new ones. The list is on another slot than the
// turns and is written after them: it may lack a turn whose node died in between, and that turn expires by age alone.
import { orUnavailable } from '#domain/store-unavailable.ts'
import { startFrom, storedStart } from '#domain/turn/record-codec.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import { Topics } from '#lib/async/topics.ts'
import type { Redis } from '../client/connection.ts'
import { script } from '../client/script.ts'
import type { TurnStore } from './turn-store.ts'

/** Far more turns than one session has while they are stored. */
const TURNS_MAX = 1000
/** How many missed turns a watcher still gets. */
const MISSED_TURNS_MAX = 16
const KNOWN_TURNS_MAX = 64

/** 2 expiry of the list, 3 the turn, 4 the channel, 5 the start. */
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
  /** Turns that the watcher already knows. */
  readonly known: Set<string>
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
    // Each append renews a turn's expiry: the session's list must live longer.
    this.#keepMs = options.keepMs * 2
  }

  /** Notifies the watchers on this node of a turn that was opened here. */
  opened(start: TurnStart): void {
    this.#deliver(start)
  }

  async announce(start: TurnStart): Promise<void> {
    const { sessionId, turnId } = start
    const given = [this.#keepMs, turnId, openedChannel(sessionId), JSON.stringify(storedStart(start))]
    await this.#redis.run(ANNOUNCE, [turnsKey(sessionId)], given)
  }

  /** Yields turns that are opened after this call. */
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

  /** Removes the ended turns of a session; returns their ids. */
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
    const watch: Watch = { watchers: 1, known: new Set(), held: new DisposableStack() }
    this.#watches.set(sessionId, watch)
    void this.#listen(sessionId, watch)
    return watch
  }

  async #listen(sessionId: string, watch: Watch): Promise<void> {
    // Read before any turn that is opened here from now on can be sent.
    const before = this.#newest(sessionId)
    const onMessage = (message: string) => this.#deliver(startFrom(JSON.parse(message) as TurnStart))
    const subscription = watch.held.use(this.#redis.subscribe(openedChannel(sessionId), onMessage))
    const known = before.then((turnIds) => {
      for (const turnId of turnIds) remember(watch, turnId)
    })
    // The rejection is handled here, because it may come before the result is awaited.
    void orUnavailable(() => known)
    // Without the list, old turns could count as new: then only messages count.
    const catchUp = () => void orUnavailable(() => known.then(() => this.#deliverMissed(sessionId, watch)))
    watch.held.use(this.#redis.onGap(catchUp))
    await orUnavailable(() => subscription.ready.then(catchUp))
  }

  /** Delivers the turns that were opened while no messages arrived. */
  async #deliverMissed(sessionId: string, watch: Watch): Promise<void> {
    for (const turnId of await this.#newest(sessionId)) {
      if (watch.known.has(turnId)) continue
      const start = await this.#store.start(turnId)
      if (start !== undefined) this.#deliver(start)
    }
  }

  async #newest(sessionId: string): Promise<readonly string[]> {
    const key = turnsKey(sessionId)
    return (await this.#redis.command(key, 'ZRANGE', key, String(-MISSED_TURNS_MAX), '-1')) as string[]
  }

  #deliver(start: TurnStart): void {
    const watch = this.#watches.get(start.sessionId)
    if (watch === undefined || watch.known.has(start.turnId)) return
    remember(watch, start.turnId)
    this.#topics.publish(start.sessionId, start)
  }
}

function remember({ known }: Watch, turnId: string): void {
  known.add(turnId)
  for (const oldest of known) {
    if (known.size <= KNOWN_TURNS_MAX) return
    known.delete(oldest)
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
