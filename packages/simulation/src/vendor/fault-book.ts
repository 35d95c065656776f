// Holds the active faults and decides which of them hit an attempt. Each draws from its own seeded stream, so that
// adding one does not change when the others apply. Refusing faults come first, then quotas; all others shape the
// answer together.
import { seededFloats } from '@mangaassist/server/lib/collections/seeded-floats'
import type { VendorCall } from './call.ts'
import { asPattern } from './model-pattern.ts'
import type { VendorFault, VendorFaultOf } from './faults.ts'
import { refused } from './plan.ts'
import type { Incident, Plan, Refusal } from './plan.ts'
import { Quota } from './quota.ts'

const QUOTA_WINDOW_MS = 60_000
const BROWNOUT_EXPONENT = 2

interface SetFault {
  readonly fault: VendorFault
  readonly setAt: number
  readonly draw: () => number
  /** Quotas by model. */
  readonly quotas: Map<string, Quota>
  passed: number
  hits: number
}

export interface Arrival {
  readonly call: VendorCall
  readonly now: number
  /** Attempts of its model in progress, itself included. */
  readonly load: number
}

export class FaultBook {
  readonly #seed: number
  #set: SetFault[] = []
  #count = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  set(faults: readonly VendorFault[], now: number): void {
    for (const fault of faults) {
      this.#count += 1
      const draw = seededFloats(`${this.#seed}/fault ${this.#count}`)
      this.#set.push({ fault, setAt: now, draw, quotas: new Map(), passed: 0, hits: 0 })
    }
  }

  /** The faults that may still apply, with their hits. */
  list(now: number): readonly { readonly fault: VendorFault; readonly hits: number }[] {
    return this.#set.filter((set) => isOpen(set, now)).map(({ fault, hits }) => ({ fault, hits }))
  }

  clear(): void {
    this.#set = []
  }

  /** Clears all faults and restarts their random streams. */
  reset(): void {
    this.clear()
    this.#count = 0
  }

  plan(arrival: Arrival): Plan {
    const aimed = this.#set.filter((set) => isOpen(set, arrival.now) && isAimedAt(set.fault, arrival.call))
    for (const set of aimed) {
      const refusal = refusalBy(set.fault, arrival.call)
      if (refusal !== undefined && applies(set)) return refused([set.fault.fault], refusal)
    }
    const quotas = aimed.flatMap((set) => (set.fault.fault === 'quota' ? [{ set, quota: set.fault }] : []))
    const short = quotas.find(({ set, quota }) => waitMs(set, quota, arrival) > 0)
    if (short) {
      short.set.hits += 1
      const retryAfterSeconds = Math.ceil(waitMs(short.set, short.quota, arrival) / 1000)
      return refused(['quota'], { kind: 'error', error: 'throttled', changes: { retryAfterSeconds } })
    }
    const settles = quotas.map(({ set, quota }) => take(set, quota, arrival))
    const shaping = aimed.filter((set) => isShaping(set.fault) && applies(set)).map(({ fault }) => fault)
    return { ...shaped(shaping, arrival), settle: (output) => settles.forEach((settle) => settle(output)) }
  }
}

function isOpen({ fault, setAt, hits }: SetFault, now: number): boolean {
  return hits < (fault.times ?? Infinity) && now < setAt + (fault.forMs ?? Infinity)
}

function isAimedAt({ api, model }: VendorFault, call: VendorCall): boolean {
  if (api !== undefined && api !== call.api) return false
  return model === undefined || asPattern(model).test(call.model)
}

/** Whether the fault hits this attempt; counts skipped attempts and hits. */
function applies(set: SetFault): boolean {
  if (set.passed < (set.fault.skip ?? 0)) {
    set.passed += 1
    return false
  }
  if (set.fault.chance !== undefined && set.draw() >= set.fault.chance) return false
  set.hits += 1
  return true
}

function refusalBy(fault: VendorFault, call: VendorCall): Refusal | undefined {
  if (fault.fault === 'reset') return { kind: 'reset' }
  if (fault.fault === 'silence') return { kind: 'silence', after: fault.after ?? 'request' }
  if (fault.fault === 'error') return { kind: 'error', error: fault.error, changes: changesOf(fault) }
  if (fault.fault === 'context-window' && call.promptTokens + call.maxTokens > fault.tokens)
    return { kind: 'error', error: 'context-too-long', changes: {} }
  if (fault.fault === 'no-prefill' && call.prompt.messages.at(-1)?.role === 'assistant')
    return { kind: 'error', error: 'no-prefill', changes: {} }
  return undefined
}

function changesOf({ status, type, message, retryAfterSeconds }: VendorFaultOf<'error'>) {
  return {
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(message === undefined ? {} : { message }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  }
}

function isShaping({ fault }: VendorFault): boolean {
  return !['reset', 'silence', 'error', 'context-window', 'no-prefill', 'quota'].includes(fault)
}

function shaped(faults: readonly VendorFault[], { load }: Arrival): Omit<Plan, 'settle'> {
  const first = <Name extends VendorFault['fault']>(name: Name) =>
    faults.find((fault): fault is VendorFaultOf<Name> => fault.fault === name)
  const [brownout, slow, thinks, usage, missingEnd, vectors] = [
    first('brownout'),
    first('slow-first-token'),
    first('thinks'),
    first('usage'),
    first('missing-end'),
    first('vectors'),
  ]
  const overload = brownout ? Math.max(1, load / brownout.slots) : 1
  return {
    faults: faults.map(({ fault }) => fault),
    slowdown: overload ** (brownout?.exponent ?? BROWNOUT_EXPONENT),
    incidents: faults.filter(isIncident),
    usage: usage ?? {},
    ...(slow ? { firstTokenMs: slow.ms } : {}),
    ...(thinks ? { thinks } : {}),
    ...(missingEnd ? { missingEnd: missingEnd.only ?? 'all' } : {}),
    ...(vectors ? { vectors: vectors.shape } : {}),
  }
}

function isIncident(fault: VendorFault): fault is Incident {
  return ['cut', 'stall', 'exception', 'malformed', 'unknown-event', 'blocked', 'tool-use'].includes(fault.fault)
}

function quotaOf({ quotas }: SetFault, quota: VendorFaultOf<'quota'>, model: string): Quota {
  const { requests, tokens, windowMs = QUOTA_WINDOW_MS } = quota
  const found = quotas.get(model) ?? new Quota({ requests, tokens, windowMs })
  quotas.set(model, found)
  return found
}

function waitMs(set: SetFault, quota: VendorFaultOf<'quota'>, { call, now }: Arrival): number {
  return quotaOf(set, quota, call.model).waitMs(now, costOf(quota, call, call.maxTokens))
}

function take(set: SetFault, quota: VendorFaultOf<'quota'>, { call, now }: Arrival): (outputTokens: number) => void {
  const settle = quotaOf(set, quota, call.model).take(now, costOf(quota, call, call.maxTokens))
  return (outputTokens) => settle(costOf(quota, call, outputTokens))
}

function costOf(
  { outputWeight = 1 }: VendorFaultOf<'quota'>,
  { promptTokens }: VendorCall,
  outputTokens: number,
): number {
  return promptTokens + outputTokens * outputWeight
}
