// The turn log's scripts in TypeScript: keys, arguments and replies. It handles one turn at a time and nothing of this
// node's memory. Each verb is retried a bounded number of times when Redis is late or fails, because all of them can be
// repeated; then it throws RedisUnavailable.
import { recordFrom, storedRecord } from '#domain/turn/record-codec.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'
import type { LogRecord } from '#ports/turn-log/port.ts'
import { RedisUnavailable } from '../client/connection.ts'
import type { Redis } from '../client/connection.ts'
import type { Script } from '../client/script.ts'
import * as scripts from './scripts.ts'

/** A late call is tried once more, not longer: the owner of a turn continues without Redis. */
const TRIES_MAX = 2

export interface SharedTurn {
  readonly epoch: number
  readonly isStopRequested: boolean
  readonly isEnded: boolean
  readonly records: readonly LogRecord[]
}

/**
 * `behind`: earlier records are missing in the log. `missing`: the turn is. `fenced`: the turn has another owner, or has
 * ended.
 */
export interface Written {
  readonly state: 'done' | 'behind' | 'missing' | 'fenced'
  /** How many records the shared log has had. */
  readonly count: number
}

export type Renewed =
  | { readonly state: 'missing' }
  | { readonly state: 'fenced' }
  | { readonly state: 'ours'; readonly unattendedMs: number; readonly isStopRequested: boolean; readonly until: number }

export interface SharedLease {
  readonly until: number
  readonly isLapsed: boolean
  readonly epoch: number
}

export interface AttendedTurn {
  /** How many records the shared log has had. */
  readonly count: number
  /** Whether it has no end and no owner. */
  readonly isLapsed: boolean
}

export interface Extension {
  readonly epoch: number
  readonly firstSeq: number
  readonly records: readonly LogRecord[]
}

export interface WholeLog {
  readonly epoch: number
  readonly base: number
  readonly records: readonly LogRecord[]
  readonly isStopRequested: boolean
  /** The lease of a turn that must be created; undefined when it must not be. */
  readonly leaseMs: number | undefined
}

export class TurnStore {
  readonly #redis: Redis
  readonly #keepMs: number
  readonly #nodeId: string
  #operations = 0

  constructor(options: { readonly redis: Redis; readonly keepMs: number; readonly nodeId: string }) {
    this.#redis = options.redis
    this.#keepMs = options.keepMs
    this.#nodeId = options.nodeId
  }

  async open(start: TurnStart, leaseMs: number): Promise<boolean> {
    const record: LogRecord = { seq: 0, epoch: 1, kind: 'start', start }
    return (await this.#run(scripts.OPEN, start.turnId, leaseMs, this.#operation(), encoded(record))) === 1
  }

  async extend(turnId: string, { epoch, firstSeq, records }: Extension): Promise<Written> {
    const given = [epoch, firstSeq, endFlag(records), liveChannel(turnId), stopChannel(turnId)]
    return writtenOf(await this.#run(scripts.EXTEND, turnId, ...given, ...records.map(encoded)))
  }

  async rewrite(turnId: string, { epoch, base, records, isStopRequested, leaseMs }: WholeLog): Promise<Written> {
    const given = [epoch, base, endFlag(records), liveChannel(turnId), stopChannel(turnId)]
    const making = [leaseMs ?? '', isStopRequested ? 1 : 0]
    return writtenOf(await this.#run(scripts.REWRITE, turnId, ...given, ...making, ...records.map(encoded)))
  }

  async read(turnId: string, afterSeq: number): Promise<SharedTurn | undefined> {
    const answer = (await this.#run(scripts.READ, turnId, afterSeq)) as [string, number, number, string[]] | null
    if (answer === null) return undefined
    const [epoch, stop, ended, records] = answer
    return { epoch: Number(epoch), isStopRequested: stop === 1, isEnded: ended === 1, records: records.map(decoded) }
  }

  async start(turnId: string): Promise<TurnStart | undefined> {
    const answer = (await this.#run(scripts.START, turnId)) as string | null
    const record = answer === null ? undefined : decoded(answer)
    return record?.kind === 'start' ? record.start : undefined
  }

  async renew(turnId: string, epoch: number, lease: { leaseMs: number; isAttended: boolean }): Promise<Renewed> {
    const answer = await this.#run(scripts.RENEW, turnId, epoch, lease.leaseMs, lease.isAttended ? 1 : 0)
    if (answer === 'missing' || answer === 'fenced') return { state: answer }
    const [unattendedMs, stop, until] = answer as [number, number, number]
    return { state: 'ours', unattendedMs, isStopRequested: stop === 1, until }
  }

  /** False when it has ended, or another node owns it. */
  async release(turnId: string, epoch: number): Promise<boolean> {
    return (await this.#run(scripts.RELEASE, turnId, epoch)) === 1
  }

  async takeOver(turnId: string, leaseMs: number): Promise<SharedTurn | undefined> {
    const answer = await this.#run(scripts.TAKE_OVER, turnId, leaseMs, this.#operation())
    if (answer === null) return undefined
    const [epoch, stop, records] = answer as [number, number, string[]]
    return { epoch, isStopRequested: stop === 1, isEnded: false, records: records.map(decoded) }
  }

  /** Reports that this node has a reader; undefined when the turn does not exist. */
  async attend(turnId: string, forMs: number): Promise<AttendedTurn | undefined> {
    const [count, lapsed] = (await this.#run(scripts.ATTEND, turnId, this.#nodeId, forMs)) as [number, number]
    return count < 0 ? undefined : { count, isLapsed: lapsed === 1 }
  }

  async leave(turnId: string): Promise<void> {
    await this.#run(scripts.LEAVE, turnId, this.#nodeId)
  }

  /** Returns whether the turn now has a stop request: false when it has ended or does not exist. */
  async requestStop(turnId: string): Promise<boolean> {
    return (await this.#run(scripts.STOP, turnId, stopChannel(turnId))) === 1
  }

  /** Undefined when the turn is over or unknown. */
  async isStopRequested(turnId: string): Promise<boolean | undefined> {
    const answer = await this.#run(scripts.IS_STOP_REQUESTED, turnId)
    return answer === -1 ? undefined : answer === 1
  }

  /** Undefined when the turn is over or unknown. */
  async leaseOf(turnId: string): Promise<SharedLease | undefined> {
    const [until, lapsed, epoch] = (await this.#run(scripts.LEASE_OF, turnId)) as [number, number, number]
    return until < 0 ? undefined : { until, isLapsed: lapsed === 1, epoch }
  }

  /** Removes an ended turn; with `endedBefore`, only one that ended before. */
  async forget(turnId: string, endedBefore?: number): Promise<'forgotten' | 'stays' | 'unknown'> {
    const keys = [...keysOf(turnId), forgottenKey(turnId)]
    const answer = await this.#ask(scripts.FORGET, keys, [endedBefore ?? '', this.#operation()])
    return answer === 1 ? 'forgotten' : answer === 0 ? 'stays' : 'unknown'
  }

  #operation(): string {
    this.#operations += 1
    return `${this.#nodeId}:${this.#operations}`
  }

  #run(script: Script, turnId: string, ...given: readonly (string | number)[]): Promise<unknown> {
    return this.#ask(script, keysOf(turnId), given)
  }

  async #ask(script: Script, keys: readonly string[], given: readonly (string | number)[]): Promise<unknown> {
    let mayHaveHappened = false
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#redis.run(script, keys, [this.#keepMs, ...given])
      } catch (error) {
        if (!(error instanceof RedisUnavailable)) throw error
        mayHaveHappened ||= error.mayHaveHappened
        if (tries < TRIES_MAX) continue
        // An earlier try may have been executed, which counts too.
        if (mayHaveHappened === error.mayHaveHappened) throw error
        throw new RedisUnavailable(error.message, { cause: error, mayHaveHappened })
      }
    }
  }
}

/** The channel on which the records of a turn are published. */
export function liveChannel(turnId: string): string {
  return `ma:{turn:${turnId}}:live`
}

/** The channel that carries `stop` when a stop is requested and `end` when the turn has ended. */
export function stopChannel(turnId: string): string {
  return `ma:{turn:${turnId}}:stop`
}

function keysOf(turnId: string): readonly string[] {
  const turn = `ma:{turn:${turnId}}`
  return [turn, `${turn}:log`, `${turn}:readers`]
}

/** The key that stores for a while which operation removed the turn. */
function forgottenKey(turnId: string): string {
  return `ma:{turn:${turnId}}:forgotten`
}

function endFlag(records: readonly LogRecord[]): number {
  return records.at(-1)?.kind === 'turn-end' ? 1 : 0
}

function encoded(record: LogRecord): string {
  return JSON.stringify(storedRecord(record))
}

function decoded(text: string): LogRecord {
  return recordFrom(JSON.parse(text) as LogRecord)
}

function writtenOf(answer: unknown): Written {
  const [state, count] = answer as [Written['state'], number]
  return { state, count }
}
