// Records of the turn log as they are stored and sent between nodes, for every log whose records leave the process. Only
// start records differ from their form in memory, so that nodes of different versions read each other's logs: a message of
// one text is stored as that text, and a start of an older version, which has no kind, gets one from its other fields.
import { textPart } from '../model/model-message.ts'
import type { ContentPart, ModelMessage } from '../model/model-message.ts'
import type { CompletionPrompt, LogRecordBody, StartFields, TurnStart } from './log-records.ts'

type StoredMessage = Omit<ModelMessage, 'content'> & { readonly content: string | readonly ContentPart[] }
type StoredPrompt = Omit<CompletionPrompt, 'messages'> & { readonly messages: readonly StoredMessage[] }
interface StoredStart extends StartFields {
  /** Absent in records of versions without kinds: there, a start with a prompt is a completion. */
  readonly kind?: TurnStart['kind']
  readonly completion?: StoredPrompt
}

/** The value to be written as JSON. */
export function storedRecord(record: LogRecordBody): object {
  return record.kind === 'start' ? { ...record, start: storedStart(record.start) } : record
}

/** Makes a record from parsed JSON of any version. */
export function recordFrom<Entry extends LogRecordBody>(parsed: Entry): Entry {
  return parsed.kind === 'start' ? { ...parsed, start: startFrom(parsed.start) } : parsed
}

/** The value to be written as JSON. */
export function storedStart(start: TurnStart): StoredStart {
  if (start.kind !== 'completion') return start
  const { completion } = start
  return { ...start, completion: { ...completion, messages: completion.messages.map(storedMessage) } }
}

/** Makes a start from parsed JSON of any version. */
export function startFrom({ completion, ...rest }: StoredStart): TurnStart {
  // A kind that this version does not know is not changed: its log can be read, and `policyOf` refuses to run it.
  if (completion === undefined) return { kind: 'chat', ...rest } as TurnStart
  const messages = completion.messages.map(messageFrom)
  return { kind: 'completion', ...rest, completion: { ...completion, messages } }
}

function storedMessage({ role, content }: ModelMessage): StoredMessage {
  const [first, ...others] = content
  return { role, content: first?.type === 'text' && others.length === 0 ? first.text : content }
}

function messageFrom({ role, content }: StoredMessage): ModelMessage {
  return { role, content: typeof content === 'string' ? [textPart(content)] : content }
}
