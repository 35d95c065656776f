// One message of a prompt. Its content is a list of parts, because a message will not always be text alone. Code that reads
// a part switches over its type without a default, so that a new type does not compile until every reader handles it.

/** A piece of text. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

export type ContentPart = TextPart

export interface ModelMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly ContentPart[]
}

export function textPart(text: string): TextPart {
  return { type: 'text', text }
}

/** A message of one text. */
export function textMessage(role: ModelMessage['role'], text: string): ModelMessage {
  return { role, content: [textPart(text)] }
}

/** The text of a message; '' for no message. A message of one text, the usual case, is not copied. */
export function messageText(message: Pick<ModelMessage, 'content'> | undefined): string {
  const [first, ...others] = message?.content ?? []
  if (first === undefined) return ''
  return others.length === 0 ? partText(first) : partText(first) + others.map(partText).join('')
}

function partText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text
  }
}
