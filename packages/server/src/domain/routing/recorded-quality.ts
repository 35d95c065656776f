// Estimates the quality of another route from recorded turns: how readers received the answers of each model, by
// complexity of the question. For a model without recorded answers of that complexity there is no estimate.
import type { Complexity } from '@mangaassist/bookseller/understanding/complexity'
import { shareInterval } from '../turn-records/share-interval.ts'

export const RECEPTIONS = ['thumbsUp', 'askedAgain', 'mismatch'] as const
export type Reception = (typeof RECEPTIONS)[number]

export interface Proportion {
  readonly count: number
  readonly of: number
  /** Null where there is nothing to count. */
  readonly share: number | null
  /** With 95 % confidence. */
  readonly interval: readonly [number, number] | null
}

export interface ReceivedPart extends Readonly<Record<Reception, Proportion>> {
  readonly level: Complexity
  readonly model: string
  readonly turns: number
}

export interface RecordedQuality {
  readonly parts: readonly ReceivedPart[]
  /** Turns whose new model has recorded answers of that complexity, and turns whose model has none. */
  readonly knownTurns: number
  readonly unknownTurns: number
  /** The shares that the known turns would have; null where nothing was counted. */
  readonly expected: Readonly<Record<Reception, number | null>>
  /** The shares of all recorded turns. */
  readonly recorded: Readonly<Record<Reception, number | null>>
}

/** How the answer of a turn was received. */
interface ReceivedTurn {
  readonly mismatches: readonly unknown[]
  readonly received: { readonly askedAgain?: true; readonly feedback?: { readonly value: 'up' | 'down' } }
}

interface Counts {
  turns: number
  thumbs: number
  thumbsUp: number
  askedAgain: number
  mismatch: number
}

export class ReceptionTable {
  readonly #counts = new Map<string, { readonly level: Complexity; readonly model: string; readonly counts: Counts }>()

  add(level: Complexity, model: string, { mismatches, received }: ReceivedTurn): void {
    const counts = this.#of(level, model)
    counts.turns += 1
    if (received.feedback !== undefined) counts.thumbs += 1
    if (received.feedback?.value === 'up') counts.thumbsUp += 1
    if (received.askedAgain === true) counts.askedAgain += 1
    if (mismatches.length > 0) counts.mismatch += 1
  }

  parts(): readonly ReceivedPart[] {
    return [...this.#counts.values()].map(({ level, model, counts }) => ({ level, model, ...receivedOf(counts) }))
  }

  whole(): Omit<ReceivedPart, 'level' | 'model'> {
    const all: Counts = { turns: 0, thumbs: 0, thumbsUp: 0, askedAgain: 0, mismatch: 0 }
    for (const { counts } of this.#counts.values())
      for (const name of Object.keys(all) as (keyof Counts)[]) all[name] += counts[name]
    return receivedOf(all)
  }

  #of(level: Complexity, model: string): Counts {
    const key = `${level} ${model}`
    const known = this.#counts.get(key)
    if (known !== undefined) return known.counts
    const counts: Counts = { turns: 0, thumbs: 0, thumbsUp: 0, askedAgain: 0, mismatch: 0 }
    this.#counts.set(key, { level, model, counts })
    return counts
  }
}

function receivedOf({ turns, thumbs, thumbsUp, askedAgain, mismatch }: Counts): Omit<ReceivedPart, 'level' | 'model'> {
  return {
    turns,
    thumbsUp: proportion(thumbsUp, thumbs),
    askedAgain: proportion(askedAgain, turns),
    mismatch: proportion(mismatch, turns),
  }
}

export function qualityOf(
  table: ReceptionTable,
  routes: readonly { readonly first: string; readonly level: Complexity; readonly isCached: boolean }[],
): RecordedQuality {
  const parts = table.parts()
  const partFor = (route: (typeof routes)[number]) =>
    parts.find(({ level, model }) => level === route.level && model === (route.isCached ? 'cached' : route.first))
  const groups = [...Map.groupBy(routes, partFor)]
  const known = groups.flatMap(([part, of]) => (part === undefined ? [] : [{ part, turns: of.length }]))
  const knownTurns = known.reduce((sum, { turns }) => sum + turns, 0)
  const expected = (reception: Reception): number | null => {
    const counted = known.filter(({ part }) => part[reception].share !== null)
    const turns = counted.reduce((sum, one) => sum + one.turns, 0)
    const total = counted.reduce((sum, one) => sum + one.turns * (one.part[reception].share ?? 0), 0)
    return turns === 0 ? null : total / turns
  }
  const whole = table.whole()
  return {
    parts,
    knownTurns,
    unknownTurns: routes.length - knownTurns,
    expected: { thumbsUp: expected('thumbsUp'), askedAgain: expected('askedAgain'), mismatch: expected('mismatch') },
    recorded: { thumbsUp: whole.thumbsUp.share, askedAgain: whole.askedAgain.share, mismatch: whole.mismatch.share },
  }
}

export function proportion(count: number, of: number): Proportion {
  if (of === 0) return { count, of, share: null, interval: null }
  return { count, of, share: count / of, interval: shareInterval(count, of) }
}
