// Translates a request of the model port for the AI SDK's providers.
import { traceparentOf } from '#domain/telemetry/trace-context.ts'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { ContentPart, ModelRequest } from '#ports/model/port.ts'

export interface CallOptions {
  readonly prompt: readonly PromptMessage[]
  readonly maxOutputTokens: number
  readonly temperature?: number
  readonly abortSignal: AbortSignal
  /** Added to those of the provider. */
  readonly headers?: Readonly<Record<string, string>>
  /** Adds the vendor's own chunks to the stream, as parts of type `raw`. */
  readonly includeRawChunks?: boolean
}

interface PromptPart {
  readonly type: 'text'
  readonly text: string
}

type PromptMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user' | 'assistant'; readonly content: readonly PromptPart[] }

export function callOptions(
  facts: ModelFacts,
  request: ModelRequest,
  { includeRawChunks }: { readonly includeRawChunks: boolean },
): CallOptions {
  const system: readonly PromptMessage[] = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  return {
    prompt: [...system, ...request.messages.map(({ role, content }) => ({ role, content: content.map(promptPart) }))],
    maxOutputTokens: request.maxOutputTokens,
    ...(facts.temperature && request.temperature !== undefined ? { temperature: request.temperature } : {}),
    abortSignal: request.signal,
    ...(request.trace === undefined ? {} : { headers: { traceparent: traceparentOf(request.trace) } }),
    ...(includeRawChunks ? { includeRawChunks } : {}),
  }
}

function promptPart(part: ContentPart): PromptPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text }
  }
}
