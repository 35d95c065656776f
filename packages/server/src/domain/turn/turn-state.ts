// The state of a turn, replayed from the records of its log. Recovery continues from it, trimming makes the snapshot from it,
// and readers that join late start from it.
import type { TurnEnd, TurnOutcome, TurnSnapshot, TurnStart, LogRecordBody } from './log-records.ts'

export interface TurnState extends TurnSnapshot {
  readonly start?: TurnStart
  readonly outcome?: TurnOutcome
  readonly end?: TurnEnd
}

const EMPTY: TurnState = { text: '', attempts: [] }

export function replay(records: readonly LogRecordBody[]): TurnState {
  return records.reduce(withRecord, EMPTY)
}

/** The snapshot that replaces these records when they are trimmed; for a log without an end. */
export function snapshotOf(records: readonly LogRecordBody[]): TurnSnapshot {
  const { text, meta, route, attempts, underWay, hedge } = replay(records)
  return {
    text,
    attempts,
    ...(meta === undefined ? {} : { meta }),
    ...(route === undefined ? {} : { route }),
    ...(underWay === undefined ? {} : { underWay }),
    ...(hedge === undefined ? {} : { hedge }),
  }
}

function withRecord(state: TurnState, record: LogRecordBody): TurnState {
  switch (record.kind) {
    case 'start':
      return { ...state, start: record.start }
    case 'snapshot':
      return { ...EMPTY, ...(state.start === undefined ? {} : { start: state.start }), ...record.snapshot }
    case 'meta':
      return { ...state, ...routeIn(record), meta: record.meta }
    case 'text':
      return { ...state, text: state.text + record.text }
    // A position in the queue is outdated by any later record.
    case 'queued':
      return state
    case 'attempt-start':
      return record.attempt.isHedge === true
        ? { ...state, ...routeIn(record), hedge: record.attempt }
        : { ...state, ...routeIn(record), underWay: record.attempt }
    case 'attempt-end': {
      const { underWay, hedge, ...rest } = state
      const isHedge = hedge?.attempt === record.record.attempt
      return {
        ...rest,
        attempts: [...state.attempts, record.record],
        ...(isHedge && underWay !== undefined ? { underWay } : {}),
        ...(!isHedge && hedge !== undefined ? { hedge } : {}),
      }
    }
    case 'text-end':
      return { ...state, outcome: record.outcome }
    case 'turn-end':
      return { ...state, end: record.end }
  }
}

function routeIn({ route }: Pick<TurnSnapshot, 'route'>): Pick<TurnSnapshot, 'route'> {
  return route === undefined ? {} : { route }
}
