// A store like Redis, as far as the adapters of the turn log and of the lanes use one: their scripts, the few commands they
// send, and channels. It has the world's clock, not a node's. Keys do not expire: a run is shorter than any is kept.
import type { Clock } from '@mangaassist/server/ports/clock/port'
import { LaneKeys } from './lane-keys.ts'
import { SortedSet } from './sorted-set.ts'
import { TurnKeys } from './turn-keys.ts'
import type { TurnContext } from './turn-keys.ts'

type Argument = string | number

export interface Subscriber {
  hear(message: string): void
}

const NOT_LEASED = [-1, 0, 0]
const NOT_THERE = [-1, 0]

export class SimulatedStore {
  readonly #clock: Pick<Clock, 'now'>
  readonly #turns = new Map<string, TurnKeys>()
  readonly #lanes = new Map<string, LaneKeys>()
  readonly #sets = new Map<string, SortedSet>()
  readonly #strings = new Map<string, string>()
  readonly #channels = new Map<string, Set<Subscriber>>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  /** What is not written down is gone: lanes and who listens. Turns, their leases and their index stay. */
  restart(): void {
    this.#lanes.clear()
    this.#channels.clear()
  }

  subscribe(channel: string, subscriber: Subscriber): void {
    const known = this.#channels.get(channel)
    if (known === undefined) this.#channels.set(channel, new Set([subscriber]))
    else known.add(subscriber)
  }

  unsubscribe(channel: string, subscriber: Subscriber): void {
    const known = this.#channels.get(channel)
    known?.delete(subscriber)
    if (known?.size === 0) this.#channels.delete(channel)
  }

  /** Somebody was not answered: the script was carried out, will be, or never is. For those who watch. */
  unanswered(_name: string, _keys: readonly string[]): void {}

  run(name: string, keys: readonly string[], args: readonly Argument[]): unknown {
    const [key = ''] = keys
    const now = this.#clock.now()
    if (name.startsWith('turn-log.')) return this.#runOnTurn(name, key, args)
    if (name.startsWith('lane-')) return this.#lane(key).run(name, args, now)
    switch (name) {
      case 'lease-index.add': {
        const turnId = String(args[1])
        const until = now + Number(args[2])
        const set = this.#set(key)
        set.set(turnId, Math.min(set.score(turnId) ?? until, until))
        return set.score(turnId)
      }
      case 'lease-index.postpone':
        for (let place = 1; place < args.length; place += 2) {
          const [turnId, set] = [String(args[place + 1]), this.#set(key)]
          set.set(turnId, Math.max(set.score(turnId) ?? 0, Number(args[place])))
        }
        return 1
      case 'lease-index.lapsed':
        return this.#sets.get(key)?.where((score) => score <= now, Number(args[0])) ?? []
      case 'lease-index.end':
        this.#sets.get(key)?.delete(String(args[1]))
        this.#set(keys[1] ?? '').set(String(args[1]), now)
        return 1
      case 'session-turns.announce': {
        const set = this.#set(key)
        if (set.score(String(args[1])) === undefined) set.set(String(args[1]), now)
        this.#publish(String(args[2]), () => String(args[3]))
        return 1
      }
      default:
        throw new Error(`the simulated store knows no script ${name}`)
    }
  }

  command(args: readonly string[]): unknown {
    const [name, key = '', ...rest] = args
    switch (name) {
      case 'ZRANGE':
        return this.#range(key, rest)
      case 'ZREM':
        return rest.filter((member) => this.#sets.get(key)?.delete(member)).length
      case 'ZADD':
        return this.#change(key, rest)
      case 'GETEX':
        return this.#strings.get(key) ?? null
      case 'SET':
        this.#strings.set(key, rest[0] ?? '')
        return 'OK'
      case 'DEL':
        return this.#strings.delete(key) ? 1 : 0
      default:
        throw new Error(`the simulated store knows no command ${name}`)
    }
  }

  #runOnTurn(name: string, key: string, args: readonly Argument[]): unknown {
    const now = this.#clock.now()
    const turn = this.#turns.get(key)
    const context: TurnContext = { now, publish: (channel, message) => this.#publish(channel, message) }
    switch (name) {
      case 'turn-log.open':
        if (turn !== undefined) return turn.isOpenedBy(args[2]) ? 1 : 0
        this.#turns.set(key, TurnKeys.open(args, now))
        return 1
      case 'turn-log.extend':
        return turn?.extend(args, context) ?? ['missing', 0]
      case 'turn-log.rewrite': {
        const made = turn ?? TurnKeys.remade(args, now)
        if (made === undefined) return ['missing', 0]
        this.#turns.set(key, made)
        return made.rewrite(args, context)
      }
      case 'turn-log.read':
        return turn?.read(Number(args[1])) ?? null
      case 'turn-log.start':
        return turn?.start() ?? null
      case 'turn-log.renew':
        return turn?.renew(args, now) ?? 'missing'
      case 'turn-log.take-over':
        return turn?.takeOver(args, now) ?? null
      case 'turn-log.attend':
        return turn?.attend(String(args[1]), Number(args[2]), now) ?? NOT_THERE
      case 'turn-log.leave':
        turn?.leave(String(args[1]), now)
        return 1
      case 'turn-log.stop':
        return turn?.stop(String(args[1]), context) ?? 0
      case 'turn-log.is-stop-wished':
        return turn?.isStopWished() ?? -1
      case 'turn-log.lease-of':
        return turn?.lease(now) ?? NOT_LEASED
      case 'turn-log.forget':
        return this.#forget(key, turn, args)
      default:
        throw new Error(`the simulated store knows no script ${name}`)
    }
  }

  #forget(key: string, turn: TurnKeys | undefined, args: readonly Argument[]): number {
    const mark = `${key}:forgotten`
    if (turn === undefined) return this.#strings.get(mark) === args[2] ? 1 : -1
    const { endedAt } = turn
    if (endedAt === undefined || (args[1] !== '' && endedAt >= Number(args[1]))) return 0
    this.#turns.delete(key)
    this.#strings.set(mark, String(args[2]))
    return 1
  }

  #publish(channel: string, message: () => string): void {
    const subscribers = this.#channels.get(channel)
    if (subscribers === undefined) return
    const text = message()
    for (const subscriber of subscribers) subscriber.hear(text)
  }

  #range(key: string, [from = '', to = '', ...options]: readonly string[]): string[] {
    const set = this.#sets.get(key)
    if (set === undefined) return []
    if (options[0] !== 'BYSCORE') {
      const all = set.where(() => true)
      return all.slice(Number(from), Number(to) === -1 ? undefined : Number(to) + 1)
    }
    // Only ever asked for what lies under a moment.
    const under = Number(to.slice(1))
    return set.where((score) => score < under, Number(options[3]))
  }

  /** Only ever asked of a member that is there: `XX`. */
  #change(key: string, [, score = '', member = '']: readonly string[]): number {
    const set = this.#sets.get(key)
    if (set?.score(member) !== undefined) set.set(member, Number(score))
    return 0
  }

  #lane(key: string): LaneKeys {
    const known = this.#lanes.get(key)
    if (known !== undefined) return known
    const lane = new LaneKeys()
    this.#lanes.set(key, lane)
    return lane
  }

  #set(key: string): SortedSet {
    const known = this.#sets.get(key)
    if (known !== undefined) return known
    const set = new SortedSet()
    this.#sets.set(key, set)
    return set
  }
}
