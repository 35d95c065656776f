// Asks Bedrock for the token count of a prompt, to calibrate the estimator. Free of charge; only some models support it.
import { CountTokensCommand } from '@aws-sdk/client-bedrock-runtime'
import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { tokensOf } from '#domain/model/model-usage.ts'
import type { ModelRequest } from '#ports/model/port.ts'
import { classifyBedrockError } from './classify.ts'
import { conversation } from './request.ts'

/** CountTokens takes base model ids only, not those of inference profiles. */
const PROFILE = /^(global|us|us-gov|eu|apac|jp|au|ca|sa)\./

/** Returns undefined for a model that cannot count; throws on any other failure. */
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
