// A sink that holds the log lines of requests until the record of their turn is written, so that the story of a turn has them. A line
// costs an entry of a map; most turns have none. Bounded: the oldest requests are forgotten, and of one request only the first lines stay.
import { redactedMessage } from '#domain/model/vendor-fault.ts'
import { LINES_LENGTH_MAX, LINES_MAX } from '#domain/turn-records/turn-record.ts'
import type { RecordedLine, TurnRecord } from '#domain/turn-records/turn-record.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { Clock } from '../clock/port.ts'
import type { LogLine, TelemetryFields, TelemetrySink } from './port.ts'

export interface TurnLines {
  /** The lines of the record's turn and request, which are then forgotten here. */
  take(of: Pick<TurnRecord, 'turnId' | 'requestId' | 'traceId'>): Pick<TurnRecord, 'lines' | 'linesLeftOut'>
}

/** Not stored with the turn: every request has these lines, and its record says the same. */
const RECORDED_ELSEWHERE: ReadonlySet<string> = new Set(['turn.ended', 'request.refused'])
/** Requests and turns with a line: those that run, and those that will never have a record. */
const REQUESTS_MAX = 2000
const TEXT_LENGTH_MAX = 300

interface HeldLine extends RecordedLine {
  readonly turnId: unknown
  readonly requestId: string | undefined
}

interface Held {
  readonly lines: HeldLine[]
  leftOut: number
}

export function turnLines({ clock }: { readonly clock: Pick<Clock, 'now'> }): TelemetrySink & TurnLines {
  /** By trace, which a turn shares with its request; a line of the process that names a turn by that turn. */
  const held = new BoundedMap<string, Held>(REQUESTS_MAX)

  return {
    wantsSpans: false,
    count() {},
    observe() {},
    spanEnded() {},
    log(line) {
      const { event, fields, level, within } = line
      const turnId = within?.turnId ?? fields?.['turnId']
      const key = within?.trace.traceId ?? turnId
      if (level === 'debug' || typeof key !== 'string' || RECORDED_ELSEWHERE.has(event)) return
      const known = held.get(key)
      if (known !== undefined && known.lines.length >= LINES_MAX) known.leftOut += 1
      else {
        const one = { ...recordedLine(line, clock.now()), turnId, requestId: within?.requestId }
        if (known === undefined) held.set(key, { lines: [one], leftOut: 0 })
        else known.lines.push(one)
      }
    },
    take({ requestId, traceId, turnId }) {
      const taken: RecordedLine[] = []
      let [leftOut, length] = [0, 0]
      for (const key of [traceId, turnId]) {
        const found = key === undefined ? undefined : held.get(key)
        if (key === undefined || found === undefined) continue
        // One trace of a caller can have several requests, whose lines wait for their own records.
        const isOwn = (line: HeldLine) =>
          line.turnId === undefined ? line.requestId === requestId : line.turnId === turnId
        const { own = [], other = [] } = Object.groupBy(found.lines, (line) => (isOwn(line) ? 'own' : 'other'))
        held.delete(key)
        if (other.length > 0) held.set(key, { lines: other, leftOut: 0 })
        leftOut += found.leftOut
        for (const { requestId: _, turnId: __, ...line } of own) {
          length += JSON.stringify(line).length
          if (taken.length < LINES_MAX && length <= LINES_LENGTH_MAX) taken.push(line)
          else leftOut += 1
        }
      }
      return { lines: taken, ...(leftOut === 0 ? {} : { linesLeftOut: leftOut }) }
    },
  }
}

/** The ids of the scope are those of the record. */
function recordedLine({ cause, event, fields, level }: LogLine, at: number): RecordedLine {
  const shown = fields === undefined ? [] : Object.entries(fields).flatMap(shownField)
  return {
    at,
    level,
    event,
    ...(shown.length === 0 ? {} : { fields: Object.fromEntries(shown) }),
    ...(cause === undefined ? {} : { error: errorText(cause) }),
  }
}

function shownField([name, value]: readonly [string, TelemetryFields[string]]) {
  if (value === undefined || name === 'turnId' || name === 'requestId') return []
  const isLong = typeof value === 'string' && value.length > TEXT_LENGTH_MAX
  return [[name, isLong ? `${value.slice(0, TEXT_LENGTH_MAX - 1).toWellFormed()}…` : value] as const]
}

/** Records live longer than logs, so the words of an error are redacted as those of a vendor are. */
function errorText(cause: unknown): string {
  if (!(cause instanceof Error)) return redactedMessage(String(cause))
  const words = redactedMessage(cause.message)
  return words === '' ? cause.name : `${cause.name}: ${words}`
}
