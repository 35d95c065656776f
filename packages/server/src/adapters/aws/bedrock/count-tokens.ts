// What Bedrock itself counts for a prompt, to calibrate the estimator by. Free of charge, and only some models have it.
import { CountTokensCommand } from '@aws-sdk/client-bedrock-runtime'
import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { tokensOf } from '#domain/model/model-usage.ts'
import type { ModelRequest } from '#ports/model/port.ts'
import { classifyBedrockError } from './classify.ts'
import { conversation } from './request.ts'

/** CountTokens takes base model ids only, not those of inference profiles. */
const PROFILE = /^(global|us|us-gov|eu|apac|jp|au|ca|sa)\./

/** Undefined for a model that cannot count; throws for anything else that goes wrong. */
export async function countTokens(
  client: BedrockRuntimeClient,
  modelId: string,
  prompt: Pick<ModelRequest, 'system' | 'messages' | 'signal'>,
): Promise<number | undefined> {
  try {
    const command = new CountTokensCommand({
      modelId: modelId.replace(PROFILE, ''),
      input: { converse: conversation(prompt) },
    })
    const { inputTokens } = await client.send(command, { abortSignal: prompt.signal })
    return tokensOf(inputTokens)
  } catch (error) {
    const { class: errorClass } = classifyBedrockError(error, 0, false)
    if (errorClass === 'invalid' || errorClass === 'not-found') return undefined
    throw error
  }
}
