// A turn record as an item: what never changes as JSON, the rest as attributes. An item without a body has notes that wait for their
// record, until `notedUntil`.
import { isRefusal } from '#domain/turn-records/records-filter.ts'
import type { Feedback, Noted, Received, RefusalRecord, StoredRecord, TurnRecord } from '#ports/turn-records/port.ts'
import type { Item } from '../client/batches.ts'

const FLAGS = ['followedUp', 'askedAgain', 'handedOver'] as const
const COUNTS = ['cardsOpened', 'resumed'] as const

/** The parts of an update expression; values by their names. */
export interface Update {
  readonly set: Readonly<Record<string, unknown>>
  readonly add: Readonly<Record<string, number>>
}

export function recordBodyOf(record: StoredRecord): string {
  if (isRefusal(record)) {
    const { principalId: _, ...body } = record
    return JSON.stringify(body)
  }
  const { principalId: _, received: __, ...body } = record
  return JSON.stringify(body)
}

export function receivedUpdate({ feedback, ...noted }: Received): Update {
  const { add, set } = notedUpdate(noted)
  return { add, set: feedback === undefined ? set : { ...set, feedback: JSON.stringify(feedback) } }
}

export function notedUpdate(noted: Noted): Update {
  return {
    set: Object.fromEntries(FLAGS.filter((flag) => noted[flag] === true).map((flag) => [flag, true])),
    add: Object.fromEntries(COUNTS.flatMap((name) => (noted[name] === undefined ? [] : [[name, noted[name]]]))),
  }
}

/** The update as an expression; attributes are `#name`, values `:name`. */
export function expressionOf({ add, set }: Update, remove: readonly string[] = []) {
  const parts = [
    ...clause(
      'SET',
      Object.keys(set).map((name) => `#${name} = :${name}`),
    ),
    ...clause(
      'ADD',
      Object.keys(add).map((name) => `#${name} :${name}`),
    ),
    ...clause(
      'REMOVE',
      remove.map((name) => `#${name}`),
    ),
  ]
  const names = [...Object.keys(set), ...Object.keys(add), ...remove]
  return {
    UpdateExpression: parts.join(' '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
    values: Object.fromEntries(Object.entries({ ...set, ...add }).map(([name, value]) => [`:${name}`, value])),
  }
}

function clause(word: string, parts: readonly string[]): readonly string[] {
  return parts.length === 0 ? [] : [`${word} ${parts.join(', ')}`]
}

/** Undefined for an item that only has notes. */
export function recordIn(item: Item | undefined): StoredRecord | undefined {
  const text = item?.['body']
  if (item === undefined || typeof text !== 'string') return undefined
  const body = JSON.parse(text) as Omit<TurnRecord, 'principalId' | 'received'> | Omit<RefusalRecord, 'principalId'>
  const principalId = String(item['principal'])
  if (body.kind === 'refusal') return { ...body, principalId }
  const { feedback } = item
  return {
    ...body,
    principalId,
    received: {
      ...(typeof feedback === 'string' ? { feedback: JSON.parse(feedback) as Feedback } : {}),
      ...Object.fromEntries(FLAGS.filter((flag) => item[flag] === true).map((flag) => [flag, true])),
      ...Object.fromEntries(
        COUNTS.filter((name) => item[name] !== undefined).map((name) => [name, Number(item[name])]),
      ),
    },
  }
}
