// Translates a request of the model port for OpenAI's API.
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { ContentPart, ModelMessage, ModelRequest } from '#ports/model/port.ts'

export interface OpenAiTarget {
  readonly id: string
  readonly facts: ModelFacts
  /** OpenAI's own models need `max_completion_tokens`; other servers know `max_tokens`. */
  readonly outputLimitField: 'max_tokens' | 'max_completion_tokens'
}

export function bodyOf(
  { id, facts, outputLimitField }: OpenAiTarget,
  request: ModelRequest,
  asksForUsage: boolean,
): string {
  const system = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  return JSON.stringify({
    model: id,
    messages: [...system, ...request.messages.map(wireMessage)],
    [outputLimitField]: request.maxOutputTokens,
    ...(facts.temperature && request.temperature !== undefined ? { temperature: request.temperature } : {}),
    stream: true,
    ...(asksForUsage ? { stream_options: { include_usage: true } } : {}),
  })
}

/** Text is sent as one string, which every server of this wire reads; some know no list of parts. */
function wireMessage({ role, content }: ModelMessage) {
  return { role, content: content.map(wireText).join('') }
}

function wireText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text
  }
}
