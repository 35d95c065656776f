// Every span, span event and span attribute, by name: the telemetry port takes no other. Fields are in camel case here and in
// the log; `span-attributes.ts` says how an exporter calls them. An event that is also logged or counted uses the same words.
import type { SpanField } from './span-attributes.ts'

/** The spans below a scope: the stages of a turn, and calls of models and stores. docs/telemetry.md has a row for each. */
export const spanNames = {
  admission: 'Checks the request, takes every limit of the principal and opens the turn log.',
  context: 'Reads the history and retrieves products and FAQ entries.',
  routing: 'Builds the prompt and chooses which model is asked first.',
  invocation: 'Asks the models of the ladder in order, then the fallback.',
  attempt: 'One call of a model: a child of `invocation`.',
  delivery: 'Writes the answer to the turn log, from where readers get it; lasts as long as the invocation.',
  settlement: 'Stores the turn and books what it used.',
  'store-call':
    'One call of Redis, DynamoDB or OpenSearch, or one commit of SQLite that was waited for: a child of the stage that made it.',
} as const

export type SpanName = keyof typeof spanNames

interface SpanEventEntry<Field extends SpanField = SpanField> {
  readonly help: string
  readonly fields: readonly Field[]
  /** A trace with such an event is always exported, whatever the share of sampled traces is. */
  readonly isFlag: boolean
}

function spanEvent<const Field extends SpanField>(help: string, fields: readonly Field[]): SpanEventEntry<Field> {
  return { help, fields, isFlag: false }
}

function flag<const Field extends SpanField>(help: string, fields: readonly Field[]): SpanEventEntry<Field> {
  return { help, fields, isFlag: true }
}

const events = {
  'lane.permit-granted': spanEvent('The lane of a model let the call through, after `waitMs` in its queue.', [
    'model',
    'laneId',
    'waitMs',
  ]),
  'lane.permit-refused': spanEvent('The lane refused the call, or its queue did; the next model is asked.', [
    'model',
    'laneId',
    'reason',
    'waitMs',
  ]),
  'lane.queue-entered': spanEvent('The lane was full, and the turn began to wait for a permit.', [
    'model',
    'laneId',
    'position',
  ]),
  'lane.queue-left': spanEvent('The wait in the queue ended, with a permit or without.', [
    'model',
    'laneId',
    'waitMs',
    'permitOutcome',
  ]),
  'lane.circuit-seen': spanEvent(
    'The circuit of a lane was not closed when the turn asked, or was in another state than the last time.',
    ['model', 'laneId', 'circuit', 'level'],
  ),
  'model.retry-granted': spanEvent('A failed call is made again, after a backoff of `delayMs`.', [
    'model',
    'errorClass',
    'delayMs',
  ]),
  'model.retry-refused': spanEvent('A failed call is not made again: `reason` says why.', [
    'model',
    'errorClass',
    'reason',
  ]),
  'model.hedged': spanEvent(
    'A second model was asked beside a slow one: it answered first (`won`), did not (`lost`), or neither did (`failed`).',
    ['model', 'hedgeOutcome'],
  ),
  'turn.continued': flag('A call continued an answer whose stream had broken; `textLength` characters were shown.', [
    'model',
    'callOutcome',
    'textLength',
  ]),
  'turn.continuation-misfit': flag(
    'A model that was to continue an answer wrote something else; the next one is asked.',
    ['model', 'textLength'],
  ),
  'turn.taken-over': flag('This node took over a turn whose owner was lost; the scope links to the first trace.', [
    'epoch',
    'continued',
    'textLength',
  ]),
  'turn.abandoned': flag(
    'This node stopped running the turn; another takes it over, in a trace that links to this one.',
    ['reason'],
  ),
  'turn.stopped': spanEvent(
    'The turn is ended: by the shopper, for lack of a reader or of time, or because another node owns it now.',
    ['reason'],
  ),
  'budget.overage': flag('The turn used more than was reserved for it.', []),
  'reader.resumed': spanEvent(
    'A reader continues an answer after a reconnect; the scope links to the trace of the turn.',
    ['turnId', 'offset'],
  ),
} as const

export const spanEvents: Readonly<Record<SpanEventName, SpanEventEntry>> = events

type Events = typeof events
export type SpanEventName = keyof Events
export type SpanEventFields<Name extends SpanEventName> = {
  readonly [Field in Events[Name]['fields'][number]]?: string | number | boolean | undefined
}

/** Whether a trace with this event is always exported. */
export const isFlagEvent = (name: string): boolean =>
  Object.hasOwn(events, name) && events[name as SpanEventName].isFlag
