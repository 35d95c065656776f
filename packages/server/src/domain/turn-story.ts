// A turn's log, read from its beginning: everything it says so far, as one value. Recovery continues from it, trimming
// makes its snapshot from it, and readers that come late are told it.
import type {
  AttemptRecord,
  AttemptStart,
  TurnEnd,
  TurnMeta,
  TurnOutcome,
  TurnSnapshot,
  TurnStart,
} from './turn-record.ts'

/** As the log's records are, in the words of the domain. */
export type Told =
  | { readonly kind: 'start'; readonly start: TurnStart }
  | { readonly kind: 'snapshot'; readonly snapshot: TurnSnapshot }
  | { readonly kind: 'meta'; readonly meta: TurnMeta }
  | { readonly kind: 'text'; readonly offset: number; readonly text: string }
  | { readonly kind: 'attempt-start'; readonly attempt: AttemptStart }
  | { readonly kind: 'attempt-end'; readonly record: AttemptRecord }
  | { readonly kind: 'text-end'; readonly outcome: TurnOutcome }
  | { readonly kind: 'turn-end'; readonly end: TurnEnd }

export interface TurnStory extends TurnSnapshot {
  readonly start?: TurnStart
  readonly outcome?: TurnOutcome
  readonly end?: TurnEnd
}

const NOTHING_TOLD: TurnStory = { text: '', attempts: [] }

export function storyOf(records: readonly Told[]): TurnStory {
  return records.reduce(toldMore, NOTHING_TOLD)
}

/** Of a log that has not ended: what stands for its records when they are trimmed. */
export function snapshotOf(records: readonly Told[]): TurnSnapshot {
  const { text, meta, attempts, underWay } = storyOf(records)
  return {
    text,
    attempts,
    ...(meta === undefined ? {} : { meta }),
    ...(underWay === undefined ? {} : { underWay }),
  }
}

function toldMore(story: TurnStory, told: Told): TurnStory {
  switch (told.kind) {
    case 'start':
      return { ...story, start: told.start }
    case 'snapshot':
      return { ...NOTHING_TOLD, ...(story.start === undefined ? {} : { start: story.start }), ...told.snapshot }
    case 'meta':
      return { ...story, meta: told.meta }
    case 'text':
      return { ...story, text: story.text + told.text }
    case 'attempt-start':
      return { ...story, underWay: told.attempt }
    case 'attempt-end': {
      const { underWay: _, ...rest } = story
      return { ...rest, attempts: [...story.attempts, told.record] }
    }
    case 'text-end':
      return { ...story, outcome: told.outcome }
    case 'turn-end':
      return { ...story, end: told.end }
  }
}
