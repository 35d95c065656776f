// The state of a turn, replayed from the records of its log. Recovery continues from it, trimming makes the snapshot from it,
// and readers that join late start from it.
import type { TurnEnd, TurnOutcome, TurnSnapshot, TurnStart, LogRecordBody } from './turn-record.ts'

export interface TurnState extends TurnSnapshot {
  readonly start?: TurnStart
  readonly outcome?: TurnOutcome
  readonly end?: TurnEnd
}

const NOTHING_TOLD: TurnState = { text: '', attempts: [] }

export function replay(records: readonly LogRecordBody[]): TurnState {
  return records.reduce(toldMore, NOTHING_TOLD)
}

/** The snapshot that replaces these records when they are trimmed; for a log without an end. */
export function snapshotOf(records: readonly LogRecordBody[]): TurnSnapshot {
  const { text, meta, attempts, underWay, hedge } = replay(records)
  return {
    text,
    attempts,
    ...(meta === undefined ? {} : { meta }),
    ...(underWay === undefined ? {} : { underWay }),
    ...(hedge === undefined ? {} : { hedge }),
  }
}

function toldMore(story: TurnState, told: LogRecordBody): TurnState {
  switch (told.kind) {
    case 'start':
      return { ...story, start: told.start }
    case 'snapshot':
      return { ...NOTHING_TOLD, ...(story.start === undefined ? {} : { start: story.start }), ...told.snapshot }
    case 'meta':
      return { ...story, meta: told.meta }
    case 'text':
      return { ...story, text: story.text + told.text }
    // A position in the queue is outdated by any later record.
    case 'queued':
      return story
    case 'attempt-start':
      return told.attempt.isHedge === true ? { ...story, hedge: told.attempt } : { ...story, underWay: told.attempt }
    case 'attempt-end': {
      const { underWay, hedge, ...rest } = story
      const isHedge = hedge?.attempt === told.record.attempt
      return {
        ...rest,
        attempts: [...story.attempts, told.record],
        ...(isHedge && underWay !== undefined ? { underWay } : {}),
        ...(!isHedge && hedge !== undefined ? { hedge } : {}),
      }
    }
    case 'text-end':
      return { ...story, outcome: told.outcome }
    case 'turn-end':
      return { ...story, end: told.end }
  }
}
