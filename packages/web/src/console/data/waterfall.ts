// The waterfall of a turn: when each stage and each call began and how long it took, from what the record has. Stages follow each
// other, delivery runs beside invocation, and calls have their own beginnings; what is not known has no bar. Pure.
import type { TurnRecordView } from '@mangaassist/protocol/admin'

export interface Bar {
  readonly name: string
  readonly kind: 'stage' | 'call' | 'failed-call' | 'queue'
  /** Milliseconds from the acceptance of the turn; admission ends there. */
  readonly startMs: number
  readonly tookMs: number
}

export interface Waterfall {
  readonly bars: readonly Bar[]
  readonly fromMs: number
  readonly toMs: number
}

type Timed = Pick<TurnRecordView, 'stages' | 'calls' | 'queueMs' | 'firstWordMs' | 'totalMs'>

/** Outcomes of a call that gave the text that was asked for. */
const COMPLETE = new Set(['end', 'length', 'budget'])

export function waterfallOf(record: Timed): Waterfall {
  const bars = [...stageBars(record), ...callBars(record)]
  const ends = bars.map(({ startMs, tookMs }) => startMs + tookMs)
  return {
    bars,
    fromMs: Math.min(0, ...bars.map(({ startMs }) => startMs)),
    toMs: Math.max(1, record.totalMs, ...ends),
  }
}

function stageBars({ calls = [], queueMs = 0, stages = {} }: Timed): Bar[] {
  const { admissionMs, contextMs = 0, deliveryMs, invocationMs = 0, routingMs = 0, settlementMs } = stages
  // Invocation ends with its last call, whose time is known exactly.
  const lastCallMs = Math.max(0, ...calls.map(({ startMs = 0, tookMs = 0 }) => startMs + tookMs))
  const invokedAt = Math.max(contextMs + routingMs, lastCallMs - invocationMs)
  const endedAt = invokedAt + Math.max(invocationMs, deliveryMs ?? 0)
  const bars: readonly (Bar & { readonly isKnown: boolean })[] = [
    bar('admission', -(admissionMs ?? 0), admissionMs),
    bar('context', 0, stages.contextMs),
    bar('routing', contextMs, stages.routingMs),
    { ...bar('queue', invokedAt, queueMs === 0 ? undefined : queueMs), kind: 'queue' },
    bar('invocation', invokedAt, stages.invocationMs),
    bar('delivery', invokedAt, deliveryMs),
    bar('settlement', endedAt, settlementMs),
  ]
  return bars.filter(({ isKnown }) => isKnown).map(({ isKnown: _, ...shown }) => shown)
}

function bar(name: string, startMs: number, tookMs: number | undefined): Bar & { readonly isKnown: boolean } {
  return { name, kind: 'stage', startMs, tookMs: tookMs ?? 0, isKnown: tookMs !== undefined }
}

function callBars({ calls = [] }: Timed): Bar[] {
  return calls.flatMap(({ attempt, model, name, outcome, startMs, tookMs }) =>
    startMs === undefined || tookMs === undefined
      ? []
      : [
          {
            name: `#${attempt} ${name ?? model} · ${outcome}`,
            kind: COMPLETE.has(outcome) ? ('call' as const) : ('failed-call' as const),
            startMs,
            tookMs,
          },
        ],
  )
}
