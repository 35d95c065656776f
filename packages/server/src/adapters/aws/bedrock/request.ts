// Translates a request of the model port for Bedrock's two APIs.
import { ConverseStreamCommand, InvokeModelWithResponseStreamCommand } from '@aws-sdk/client-bedrock-runtime'
import type { ModelFacts } from '#domain/model/model-facts.ts'
import type { ContentPart, ModelMessage, ModelRequest } from '#ports/model/port.ts'

const ANTHROPIC_VERSION = 'bedrock-2023-05-31'

export interface BedrockTarget {
  readonly id: string
  readonly facts: ModelFacts
  readonly guardrail?: { readonly id: string; readonly version: string }
}

export function converseCommand({ id, facts, guardrail }: BedrockTarget, request: ModelRequest): ConverseStreamCommand {
  return new ConverseStreamCommand({
    modelId: id,
    ...conversation(request),
    inferenceConfig: { maxTokens: request.maxOutputTokens, ...temperature(facts, request) },
    ...(guardrail === undefined
      ? {}
      : { guardrailConfig: { guardrailIdentifier: guardrail.id, guardrailVersion: guardrail.version } }),
  })
}

export function invokeCommand(
  { id, facts, guardrail }: BedrockTarget,
  request: ModelRequest,
): InvokeModelWithResponseStreamCommand {
  return new InvokeModelWithResponseStreamCommand({
    modelId: id,
    contentType: 'application/json',
    accept: 'application/json',
    body: JSON.stringify({
      anthropic_version: ANTHROPIC_VERSION,
      max_tokens: request.maxOutputTokens,
      ...(request.system === '' ? {} : { system: request.system }),
      messages: request.messages.map(anthropicMessage),
      ...temperature(facts, request),
    }),
    ...(guardrail === undefined ? {} : { guardrailIdentifier: guardrail.id, guardrailVersion: guardrail.version }),
  })
}

export function conversation({ system, messages }: Pick<ModelRequest, 'system' | 'messages'>) {
  return {
    // Bedrock refuses an empty system text.
    ...(system === '' ? {} : { system: [{ text: system }] }),
    messages: messages.map(({ role, content }) => ({ role, content: content.map(converseBlock) })),
  }
}

function converseBlock(part: ContentPart): { readonly text: string } {
  switch (part.type) {
    case 'text':
      return { text: part.text }
  }
}

/** Anthropic's own wire takes text as one string. */
function anthropicMessage({ role, content }: ModelMessage) {
  return { role, content: content.map((part) => converseBlock(part).text).join('') }
}

function temperature(facts: ModelFacts, request: ModelRequest): { temperature?: number } {
  return facts.temperature && request.temperature !== undefined ? { temperature: request.temperature } : {}
}
