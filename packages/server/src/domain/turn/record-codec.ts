// Records of the turn log as they are stored and sent between nodes, for every log whose records leave the process. Only a
// start differs from what is in memory: a message of one text is stored as that text, as it always was, so that nodes of
// different versions read each other's logs.
import { textPart } from '../model/model-message.ts'
import type { ContentPart, ModelMessage } from '../model/model-message.ts'
import type { LogRecordBody, TurnStart } from './turn-record.ts'

type StoredMessage = Omit<ModelMessage, 'content'> & { readonly content: string | readonly ContentPart[] }
type StoredPrompt = Omit<NonNullable<TurnStart['completion']>, 'messages'> & {
  readonly messages: readonly StoredMessage[]
}
type StoredStart = Omit<TurnStart, 'completion'> & { readonly completion?: StoredPrompt }

/** The value to be written as JSON. */
export function storedRecord(record: LogRecordBody): object {
  return record.kind === 'start' ? { ...record, start: storedStart(record.start) } : record
}

/** A record from what was parsed, whichever version wrote it. */
export function recordFrom<Entry extends LogRecordBody>(parsed: Entry): Entry {
  return parsed.kind === 'start' ? { ...parsed, start: startFrom(parsed.start) } : parsed
}

/** The value to be written as JSON. */
export function storedStart(start: TurnStart): StoredStart {
  const { completion } = start
  if (completion === undefined) return start
  return { ...start, completion: { ...completion, messages: completion.messages.map(storedMessage) } }
}

/** A start from what was parsed, whichever version wrote it. */
export function startFrom({ completion, ...rest }: StoredStart): TurnStart {
  if (completion === undefined) return rest
  return { ...rest, completion: { ...completion, messages: completion.messages.map(messageFrom) } }
}

function storedMessage({ role, content }: ModelMessage): StoredMessage {
  const [first, ...others] = content
  return { role, content: first?.type === 'text' && others.length === 0 ? first.text : content }
}

function messageFrom({ role, content }: StoredMessage): ModelMessage {
  return { role, content: typeof content === 'string' ? [textPart(content)] : content }
}
