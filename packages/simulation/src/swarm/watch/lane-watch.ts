// Checks the lanes after each script that the store runs: at most as many probes in an epoch as its stages allow, a
// bucket that is never overdrawn, and epochs that never decrease. Reports which phases and refusals occurred.
import type { LaneState } from '@mangaassist/server/domain/lane/state'
import type { WatchReport } from './watch-report.ts'

type Argument = string | number

interface ScriptRun {
  readonly name: string
  readonly key: string
  readonly args: readonly Argument[]
}

interface WatchedLane {
  epoch: number
  gate: string
  phase: string
  ticker: string
  readonly probes: Map<number, Set<string>>
}

/** Three stages of 1, 3 and 10 probes. */
const PROBES_MAX = 14

export class LaneWatch {
  readonly #report: WatchReport
  readonly #lanes = new Map<string, WatchedLane>()

  constructor(report: WatchReport) {
    this.#report = report
  }

  /** The gate of the lane: `free`, `probing` or `shut`. */
  gateOf(key: string): string {
    return this.#lanes.get(key)?.gate ?? ''
  }

  /** The store lost its lanes in a restart. */
  restarted(): void {
    this.#lanes.clear()
  }

  ran({ name, key, args }: ScriptRun, answer: unknown): void {
    switch (name) {
      case 'lane-permit':
        return this.#permitted(key, args, answer as readonly Argument[])
      case 'lane-read':
        return this.#polled(key, args, answer as readonly Argument[])
      case 'lane-publish':
        if (answer === 1) this.#published(key, args)
        return
      default:
        return
    }
  }

  #permitted(key: string, [id, kind]: readonly Argument[], [verdict, epoch, isProbe]: readonly Argument[]): void {
    if (verdict !== 'permit') return this.#report.see(`lane ${kind} ${verdict}`)
    if (kind === 'retry') this.#report.see('retry paid for')
    if (isProbe !== 1) return
    const { probes } = this.#lane(key)
    const ofEpoch = probes.get(Number(epoch)) ?? new Set()
    probes.set(Number(epoch), ofEpoch.add(String(id)))
    this.#report.see('probe')
    if (ofEpoch.size > PROBES_MAX) this.#report.breach('too many probes in an epoch', `${key} ${epoch}`)
  }

  #polled(key: string, [node]: readonly Argument[], answer: readonly Argument[]): void {
    const lane = this.#lane(key)
    if (answer[1] === 1 && lane.ticker !== node) {
      if (lane.ticker !== '') this.#report.see('another node ticks a lane')
      lane.ticker = String(node)
    }
    const [inFlight, bucket] = [Number(answer[5] ?? 0), Number(answer[6] ?? 0)]
    if (bucket < 0) this.#report.breach('a retry bucket is overdrawn', `${key}: ${bucket}`)
    if (inFlight < 0) this.#report.breach('a count in flight is negative', `${key}: ${inFlight}`)
  }

  #published(key: string, args: readonly Argument[]): void {
    const lane = this.#lane(key)
    const [gate, epoch, limit] = [String(args[2]), Number(args[3]), args[5]]
    if (epoch < lane.epoch) this.#report.breach('an epoch of a lane decreased', `${key}: ${epoch} after ${lane.epoch}`)
    const { kind } = (JSON.parse(String(args[1])) as LaneState).phase
    if (limit !== '') this.#report.see('lane limited')
    if (kind !== lane.phase) {
      this.#report.see(`lane ${kind}`)
      if (lane.phase === 'half-open' && kind !== 'open') this.#report.see('lane recovered')
      this.#report.trace(`lane ${key} ${kind} ${epoch}`)
    }
    Object.assign(lane, { epoch, gate, phase: kind })
  }

  #lane(key: string): WatchedLane {
    const known = this.#lanes.get(key)
    if (known !== undefined) return known
    const lane = { epoch: 0, gate: '', phase: '', ticker: '', probes: new Map() }
    this.#lanes.set(key, lane)
    return lane
  }
}
