// Counts what the calls of turns say about each model, in steps of a quarter of an hour, and collects changes of lanes, until they are stored. Bounded: a
// node that cannot store drops its oldest steps, and further words of vendors are counted without their words. Nothing personal is in it.
import { bucketOf } from '#lib/rates/duration-counts.ts'
import { DEADLINE_PASSED } from '../turn/log-records.ts'
import type { VendorFault } from '../model/vendor-fault.ts'
import type { TurnCall, TurnRecord } from '../turn-records/turn-record.ts'
import type { LaneChange } from './lane-change.ts'

export const HISTORY_STEP_MS = 15 * 60_000
/** Upper ends of the buckets in which the durations of calls are counted; a count is named by its end, so that more may be added. */
export const CALL_MS = [
  50, 100, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 5000, 8000, 10_000, 12_000, 15_000, 18_000, 20_000, 22_000,
  24_000, 26_000, 30_000, 45_000, 60_000, 120_000,
]

/** What was counted of one model, by its configured name, or of all turns (`ALL_TURNS`). */
export interface CountedModel {
  readonly of: string
  readonly counts: Readonly<Record<string, number>>
}

/** Equal faults of a model: the same class, status, code and words, figures in the words aside. */
export interface CountedFault {
  readonly model: string
  readonly outcome: string
  readonly status?: number
  readonly code?: string
  /** As the vendor said it the last time, redacted. */
  readonly message?: string
  readonly count: number
  readonly lastAt: number
  /** The turn of the last one. */
  readonly turnId: string
}

/** What happened in one step. */
export interface HistoryStep {
  /** Its beginning, a multiple of `HISTORY_STEP_MS`. */
  readonly at: number
  readonly counts: readonly CountedModel[]
  readonly faults: readonly CountedFault[]
  readonly changes: readonly LaneChange[]
}

/** Under this name are the counts of all ended turns: `turns`, and `tier:` with each answer tier. */
export const ALL_TURNS = ''

/** Earlier versions named a count by the index of its bucket here: smaller than any limit. */
const FORMER_CALL_MS = [
  50, 100, 200, 300, 400, 500, 700, 1000, 1500, 2000, 3000, 5000, 8000, 15_000, 30_000, 60_000, 120_000,
]
const STEPS_WAITING_MAX = 8
const MODELS_MAX = 50
const FAULTS_MAX = 50
const CHANGES_MAX = 200
/** Ends of a call that gave the text that was asked for. */
const COMPLETE: ReadonlySet<string> = new Set(['end', 'length', 'budget'])
/** Ends that are no answer and no failure of the model: it declined, or the call was ended from our side. */
const NO_FAILURE: ReadonlySet<string> = new Set(['blocked', 'tool-use', 'stopped', 'cancelled', 'interrupted'])
/** Beyond the last of `CALL_MS`. */
const LONGER = 'longer'

interface Counting {
  readonly counts: Map<string, Record<string, number>>
  readonly faults: Map<string, CountedFault>
  readonly changes: LaneChange[]
}

export class ModelMeter {
  readonly #steps = new Map<number, Counting>()

  turnEnded(record: TurnRecord): void {
    const step = this.#stepOf(record.at)
    this.#add(step, ALL_TURNS, { turns: 1, [`tier:${record.tier}`]: 1 })
    const { calls = [] } = record
    for (const call of calls) this.#call(step, call, record)
    const answering = record.isCached ? undefined : calls.findLast(({ model }) => model === record.model)
    if (answering !== undefined) this.#add(step, nameOf(answering), { answers: 1 })
  }

  laneChanged(change: LaneChange): void {
    const { changes } = this.#stepOf(change.at)
    if (changes.length < CHANGES_MAX) changes.push(change)
  }

  /** What was counted since the last call, oldest first; it is counted no more here. */
  take(): readonly HistoryStep[] {
    const taken = [...this.#steps].map(([at, { changes, counts, faults }]) => ({
      at,
      counts: [...counts].map(([of, sums]) => ({ of, counts: sums })),
      faults: [...faults.values()],
      changes,
    }))
    this.#steps.clear()
    return taken.toSorted((one, other) => one.at - other.at)
  }

  #call(step: Counting, call: TurnCall, { at, turnId }: TurnRecord): void {
    const { costMicroUsd, fault, firstTokenMs, inputTokens, outcome, outputTokens, tookMs } = call
    const model = nameOf(call)
    const isComplete = COMPLETE.has(outcome)
    const isCutShort = outcome === DEADLINE_PASSED && firstTokenMs !== undefined
    const isFailed = !isComplete && !isCutShort && !NO_FAILURE.has(outcome)
    this.#add(step, model, {
      calls: 1,
      [`outcome:${outcome}`]: 1,
      cost: costMicroUsd,
      input: inputTokens,
      output: outputTokens,
      ...(isFailed ? { failures: 1 } : {}),
      ...(firstTokenMs === undefined ? {} : { [`first:${bucketName(firstTokenMs)}`]: 1 }),
      // A call that the turn's deadline cut short would have taken even longer: without it the slowest would be missing.
      ...(tookMs === undefined || !(isComplete || isCutShort) ? {} : { [`total:${bucketName(tookMs)}`]: 1 }),
    })
    if (!isFailed) return
    const key = faultKey({ model, outcome, ...fault })
    const known = step.faults.get(key)
    const plain = faultKey({ model, outcome })
    const used = known !== undefined || step.faults.size < FAULTS_MAX ? { key, said: fault } : { key: plain, said: {} }
    const { code, message, status }: VendorFault = used.said ?? {}
    step.faults.set(used.key, {
      model,
      outcome,
      ...(status === undefined ? {} : { status }),
      ...(code === undefined ? {} : { code }),
      ...(message === undefined ? {} : { message }),
      count: (step.faults.get(used.key)?.count ?? 0) + 1,
      lastAt: at,
      turnId,
    })
  }

  #add({ counts }: Counting, of: string, added: Readonly<Record<string, number>>): void {
    const known = counts.get(of)
    if (known === undefined && counts.size >= MODELS_MAX) return
    const sums = known ?? {}
    counts.set(of, sums)
    for (const [name, count] of Object.entries(added)) if (count !== 0) sums[name] = (sums[name] ?? 0) + count
  }

  #stepOf(time: number): Counting {
    const at = Math.floor(time / HISTORY_STEP_MS) * HISTORY_STEP_MS
    const known = this.#steps.get(at)
    if (known !== undefined) return known
    const made: Counting = { counts: new Map(), faults: new Map(), changes: [] }
    this.#steps.set(at, made)
    if (this.#steps.size > STEPS_WAITING_MAX) this.#steps.delete(Math.min(...this.#steps.keys()))
    return made
  }
}

/** The key under which equal faults are counted. Figures in a vendor's message are left out, because they differ each time. */
export function faultKey({
  code = '',
  message = '',
  model,
  outcome,
  status = 0,
}: Pick<CountedFault, 'model' | 'outcome' | 'status' | 'code' | 'message'>): string {
  return JSON.stringify([model, outcome, status, code, message.replaceAll(/\d+/g, '#')])
}

function bucketName(ms: number): string {
  return String(CALL_MS[bucketOf(CALL_MS, ms)] ?? LONGER)
}

/** The counts of durations by the buckets of `CALL_MS`, from sums whose names begin with `prefix`. */
export function durationCounts(sums: Readonly<Record<string, number>>, prefix: string): readonly number[] {
  const counts = [...CALL_MS, LONGER].map((limit) => sums[`${prefix}${limit}`] ?? 0)
  for (const [index, limit] of FORMER_CALL_MS.entries()) {
    const bucket = CALL_MS.indexOf(limit)
    counts[bucket] = (counts[bucket] ?? 0) + (sums[`${prefix}${index}`] ?? 0)
  }
  counts[CALL_MS.length] = (counts[CALL_MS.length] ?? 0) + (sums[`${prefix}${FORMER_CALL_MS.length}`] ?? 0)
  return counts
}

function nameOf({ model, name }: TurnCall): string {
  return name ?? model
}
