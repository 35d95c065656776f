// A node's waiting queue at its lanes: a first attempt that finds its lane full waits here, fairly and for a bounded time,
// and gets a permit or the reason for none. An entry leaves when its signal aborts, when its time has passed, and when the
// circuit of its lane opens. Permits are requested one at a time, for the entry that is then next.
import type { DenyReason } from '#domain/lane/gate.ts'
import type { Permit } from '#domain/lane/lane-counter.ts'
import { FairQueue, PRIORITIES } from '#domain/queue/fair-queue.ts'
import type { Place, Priority, QueueSettings } from '#domain/queue/fair-queue.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'

export interface WaitingQueueParts {
  readonly lanes: Lanes
  readonly clock: Pick<Clock, 'now' | 'after'>
  readonly random: Pick<Random, 'id'>
  readonly settings: QueueSettings
  /** How many concurrent calls of a lane this node may make, where that is limited. */
  readonly connections?: ReadonlyMap<string, number>
  /** The expected duration of a call of a lane, until the queue has seen some. */
  readonly expectedMs?: (lane: string) => number
}

export interface Entry {
  readonly sessionId: string
  readonly priority: Priority
  /** It gives way to a premium user when the queue is full. */
  readonly isGuest?: boolean
  readonly firstWordBy: number
  /** The longest wait when something else could answer; 0 for none. */
  readonly waitMaxMs: number
  readonly signal: AbortSignal
  /** Called when the wait begins, and when the position has changed, at most once a second. */
  readonly onPlace?: (place: Place) => void
}

export type Entered =
  /** Must be reported, whatever happens to the call. */
  | { readonly kind: 'permit'; readonly permit: Permit }
  /** The lane refuses every call, or it is full and the turn did not wait. */
  | { readonly kind: 'refused'; readonly why: DenyReason; readonly retryAfterMs?: number }
  /** Too many turns wait, or it gave way to a premium user: QUEUE_FULL. */
  | { readonly kind: 'full'; readonly retryAfterMs: number }
  /** No permit came in time. */
  | { readonly kind: 'late' }
  /** The signal aborted, or the queue was closed. */
  | { readonly kind: 'left' }

export interface WaitingQueue extends Disposable {
  enter(lane: string, entry: Entry): Promise<Entered>
  /** How many turns wait at all lanes of this node. */
  size(): number
  /** How many turns wait at each lane; a lane where no turn ever waited is not included. */
  sizes(): ReadonlyMap<string, number>
  /** How long the oldest turn has waited at each lane, in milliseconds; 0 where none waits. */
  oldestMs(): ReadonlyMap<string, number>
  /** The time until the waiting turns were served or gave up. */
  drainMs(): number
  /** Whether a turn of a premium user finds a place when the queue is full. */
  canDisplace(): boolean
  /** The expected wait of a new turn at the lane; 0 when none waits. */
  etaMs(lane: string): number
}

/** Slots that become free on another node are noticed within this. */
const POLL_MS = 250
const REPORT_MS = 1000
/** A lane with fewer connections than an adaptive lane's minimum is a small shop's. */
const SMALL_MAX = 4
const FIRST = { kind: 'first' } as const

/** Disposing it ends every wait. */
export function createWaitingQueue(parts: WaitingQueueParts): WaitingQueue {
  const waitingAt = new Map<string, LaneQueue>()
  const size = () => [...waitingAt.values()].reduce((sum, { size: here }) => sum + here, 0)
  const listening = parts.lanes.onChange((lane) => waitingAt.get(lane)?.wake())
  let isClosed = false

  /** The turn of the lowest priority in any of the lanes, and its lane. */
  function yielding() {
    const found = [...waitingAt.values()].flatMap((line) => {
      const priority = line.yielding()
      return priority === undefined ? [] : [{ line, rank: PRIORITIES.indexOf(priority) }]
    })
    return found.toSorted((a, b) => b.rank - a.rank)[0]?.line
  }

  function displace(): boolean {
    const line = yielding()
    line?.displace()
    return line !== undefined
  }

  return {
    size,
    canDisplace: () => yielding() !== undefined,
    sizes: () => new Map([...waitingAt].map(([lane, line]) => [lane, line.size])),
    oldestMs: () => new Map([...waitingAt].map(([lane, line]) => [lane, line.oldestMs()])),
    etaMs: (lane) => waitingAt.get(lane)?.etaMs() ?? 0,
    drainMs: () => Math.max(0, ...[...waitingAt.values()].map((line) => line.drainMs())),
    async enter(lane, entry) {
      const left = () => isClosed || entry.signal.aborted
      if (left()) return { kind: 'left' }
      const line = waitingAt.get(lane) ?? new LaneQueue(parts, lane)
      waitingAt.set(lane, line)
      // A new turn waits behind the others, or asks elsewhere.
      const mustWait = line.size > 0
      if (!mustWait || entry.waitMaxMs <= 0) {
        const answer = mustWait ? FULL : await line.ask()
        if (answer.kind === 'permit' && left()) {
          await parts.lanes.report(lane, answer.permit.id, 'neutral')
          return { kind: 'left' }
        }
        const mayWait = answer.kind === 'refused' && answer.why === 'saturated' && entry.waitMaxMs > 0
        if (!mayWait) return answer.kind === 'refused' ? line.shed(answer) : answer
        if (left()) return { kind: 'left' }
      }
      const isFull = size() >= parts.settings.entriesMax
      if (isFull && !(entry.priority === 'high' && displace()))
        return line.shed({ kind: 'full', retryAfterMs: line.drainMs() })
      return line.wait(entry)
    },
    [Symbol.dispose]() {
      isClosed = true
      listening[Symbol.dispose]()
      for (const line of waitingAt.values()) line.close()
    },
  }
}

const FULL = { kind: 'refused', why: 'saturated' } as const

interface Waiter {
  readonly onPlace: ((place: Place) => void) | undefined
  readonly settle: (entered: Entered) => void
  position: number
}

class LaneQueue {
  readonly #parts: WaitingQueueParts
  readonly #lane: string
  readonly #queue: FairQueue<Waiter>
  /** Waiting turns by id, until they are settled. */
  readonly #waiters = new Map<string, Waiter>()
  #timer: (Disposable & { readonly dueAt: number }) | undefined
  #isPumping = false
  #isWoken = false
  #reportedAt = 0

  constructor(parts: WaitingQueueParts, lane: string) {
    this.#parts = parts
    this.#lane = lane
    const isSmall = (parts.connections?.get(lane) ?? Number.POSITIVE_INFINITY) <= SMALL_MAX
    this.#queue = new FairQueue({ ...parts.settings, isSmall })
  }

  get size(): number {
    return this.#queue.size
  }

  oldestMs(): number {
    const now = this.#parts.clock.now()
    return now - (this.#queue.oldestSince ?? now)
  }

  ask(): ReturnType<Lanes['permit']> {
    const { lanes, random } = this.#parts
    return lanes.permit(this.#lane, { id: random.id('permit'), ask: FIRST })
  }

  drainMs(): number {
    return this.#queue.drainMs()
  }

  etaMs(): number {
    return this.#queue.etaMs()
  }

  /** Reports a call that is not made because the lane is full: the lane grows by such reports. */
  shed<Shed extends Entered>(entered: Shed): Shed {
    if (entered.kind !== 'refused' || entered.why === 'saturated') void this.#parts.lanes.shed(this.#lane)
    return entered
  }

  /** The priority of the turn that gives way first. */
  yielding(): Priority | undefined {
    return this.#queue.yielding()?.priority
  }

  /** Its turn gets an answer from elsewhere. */
  displace(): void {
    const entry = this.#queue.yielding()
    if (entry === undefined) return
    this.#queue.cancel(entry.id)
    entry.item.settle(this.shed({ kind: 'full', retryAfterMs: this.drainMs() }))
  }

  wait(entry: Entry): Promise<Entered> {
    const { clock, random, settings } = this.#parts
    const now = clock.now()
    const { isGuest = false, sessionId, priority, signal, onPlace } = entry
    const id = random.id('wait')
    const firstWordBy = Math.min(entry.firstWordBy, now + entry.waitMaxMs + settings.reserveMs)
    return new Promise((resolve) => {
      const leave = () => {
        this.#queue.cancel(id)
        waiter.settle({ kind: 'left' })
        if (this.#queue.size === 0) this.#rest()
      }
      const waiter: Waiter = {
        onPlace,
        position: 0,
        settle: (entered) => {
          signal.removeEventListener('abort', leave)
          this.#waiters.delete(id)
          resolve(entered)
        },
      }
      const expectedMs = this.#parts.expectedMs?.(this.#lane)
      const offered = this.#queue.offer(
        { id, sessionId, priority, isGuest, firstWordBy, item: waiter },
        now,
        expectedMs,
      )
      if (offered.kind === 'full') return resolve(this.shed(offered))
      if (offered.kind === 'too-late') return resolve(this.shed({ kind: 'late' }))
      this.#waiters.set(id, waiter)
      signal.addEventListener('abort', leave, { once: true })
      report(waiter, offered)
      this.#schedule()
    })
  }

  wake(): void {
    this.#isWoken = true
    if (!this.#isPumping) void this.#pump()
  }

  close(): void {
    for (const [id, waiter] of this.#waiters) {
      this.#queue.cancel(id)
      waiter.settle({ kind: 'left' })
    }
    this.#rest()
  }

  /** Requests permits until the lane is full or the queue empty. Woken meanwhile, it checks once more. */
  async #pump(): Promise<void> {
    this.#isPumping = true
    try {
      while (this.#isWoken) {
        this.#isWoken = false
        this.#expire()
        while (this.#queue.size > 0 && (await this.#serveNext())) this.#expire()
      }
    } finally {
      this.#isPumping = false
      this.#reportPositions()
      this.#schedule()
    }
  }

  /** Returns whether another request is worthwhile. */
  async #serveNext(): Promise<boolean> {
    const answer = await this.ask()
    if (answer.kind === 'permit') {
      const next = this.#queue.take(this.#parts.clock.now())
      if (next !== undefined) next.item.settle(answer)
      // Every waiting turn left while the request was in flight.
      else await this.#parts.lanes.report(this.#lane, answer.permit.id, 'neutral')
      return next !== undefined
    }
    if (answer.why === 'saturated') return false
    // The circuit has opened: waiting does not help, and something else may answer in time.
    for (const [id, waiter] of this.#waiters) {
      this.#queue.cancel(id)
      waiter.settle(answer)
    }
    return false
  }

  #expire(): void {
    for (const { item } of this.#queue.expire(this.#parts.clock.now())) item.settle(this.shed({ kind: 'late' }))
  }

  #reportPositions(): void {
    const now = this.#parts.clock.now()
    if (this.#queue.size === 0 || now - this.#reportedAt < REPORT_MS) return
    this.#reportedAt = now
    for (const [id, place] of this.#queue.places(now)) {
      const waiter = this.#waiters.get(id)
      if (waiter !== undefined && waiter.position !== place.position) report(waiter, place)
    }
  }

  /** While a turn waits there is one timer: for slots that become free elsewhere, and for limits that end. */
  #schedule(): void {
    const expiresAt = this.#queue.nextExpiryAt()
    if (expiresAt === undefined) return this.#rest()
    const { clock } = this.#parts
    const dueAt = Math.max(clock.now() + 1, Math.min(clock.now() + POLL_MS, expiresAt))
    // New arrivals must not postpone it.
    if (this.#timer !== undefined && this.#timer.dueAt <= dueAt) return
    this.#rest()
    const timer = clock.after(dueAt - clock.now(), () => {
      this.#timer = undefined
      this.wake()
    })
    this.#timer = { dueAt, [Symbol.dispose]: () => timer[Symbol.dispose]() }
  }

  #rest(): void {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
  }
}

function report(waiter: Waiter, { position, etaMs }: Place): void {
  waiter.position = position
  waiter.onPlace?.({ position, etaMs })
}
