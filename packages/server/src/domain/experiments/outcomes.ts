// The outcomes of an experiment: what of a turn's record is compared between arms, and which direction is better.
import type { TurnRecord } from '../turn-records/turn-record.ts'

export interface OutcomeMeasure {
  /** `share`: each turn has 0 or 1; the others are means of the turns. */
  readonly kind: 'share' | 'count' | 'microUsd' | 'ms'
  readonly better: 'higher' | 'lower' | 'either'
  /** Undefined where the turn has no such value. */
  readonly of: (record: TurnRecord) => number | undefined
}

const share = (better: OutcomeMeasure['better'], isSo: (record: TurnRecord) => boolean): OutcomeMeasure => ({
  kind: 'share',
  better,
  of: (record) => (isSo(record) ? 1 : 0),
})

const CUT_SHORT: readonly TurnRecord['finishReason'][] = ['timeout', 'interrupted']
const MODEL_TIERS: readonly TurnRecord['tier'][] = ['primary', 'economy']

/** No model answered, or the answer is not complete. A model that stands in for another is no failure. */
export function hasFailed({ failure, finishReason, isDegraded, tier }: TurnRecord): boolean {
  return failure !== undefined || CUT_SHORT.includes(finishReason) || (isDegraded && !MODEL_TIERS.includes(tier))
}

// Thumbs are shares of all answers, not of the rated ones: an arm may also change who rates.
export const outcomeMeasures = {
  'thumbs-up': share('higher', ({ received }) => received.feedback?.value === 'up'),
  'thumbs-down': share('lower', ({ received }) => received.feedback?.value === 'down'),
  'asked-again': share('lower', ({ received }) => received.askedAgain === true),
  'followed-up': share('either', ({ received }) => received.followedUp === true),
  'cards-opened': { kind: 'count', better: 'higher', of: ({ received }) => received.cardsOpened ?? 0 },
  'handed-over': share('lower', ({ received }) => received.handedOver === true),
  cost: { kind: 'microUsd', better: 'lower', of: ({ costMicroUsd }) => costMicroUsd },
  'first-words': { kind: 'ms', better: 'lower', of: ({ firstWordMs }) => firstWordMs ?? undefined },
  degraded: share('lower', ({ isDegraded }) => isDegraded),
  mismatches: share('lower', ({ mismatches }) => mismatches.length > 0),
  errors: share('lower', hasFailed),
} as const satisfies Readonly<Record<string, OutcomeMeasure>>

export type ExperimentOutcome = keyof typeof outcomeMeasures

export const OUTCOMES = Object.keys(outcomeMeasures) as readonly ExperimentOutcome[]
