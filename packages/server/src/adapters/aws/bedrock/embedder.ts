// An embedding model on Amazon Bedrock behind the embedder port, by InvokeModel.
import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime'
import { failure } from '#domain/model/model-failure.ts'
import type { Embedded, Embedder } from '#ports/embedder/port.ts'
import { vectorsIn } from '#ports/embedder/vectors-in.ts'
import { awsClientSettings } from '../client.ts'
import type { AwsClientParts } from '../client.ts'
import { classifyBedrockError } from './classify.ts'
import { embeddingFamilyOf } from './embed-request.ts'

export interface BedrockEmbedderParts extends AwsClientParts {
  readonly id: string
  readonly dimensions: number
}

export function bedrockEmbedder(parts: BedrockEmbedderParts): Embedder {
  const { id, dimensions, clock } = parts
  const family = embeddingFamilyOf(id)
  if (family === undefined) throw new Error(`${id} is no embedding model of Bedrock that is known here`)
  const client = new BedrockRuntimeClient(awsClientSettings(parts))
  return {
    model: id,
    dimensions,
    textsPerCallMax: family.textsPerCallMax,
    async embed(request): Promise<Embedded> {
      const command = new InvokeModelCommand({
        modelId: id,
        contentType: 'application/json',
        accept: 'application/json',
        body: JSON.stringify(family.body(request, dimensions)),
      })
      try {
        const { body } = await client.send(command, { abortSignal: request.signal })
        const { vectors, inputTokens } = family.read(parsed(body.transformToString()))
        return vectorsIn(vectors, { count: request.texts.length, dimensions, inputTokens })
      } catch (error) {
        if (request.signal.aborted) return { kind: 'failed', failure: failure('cancelled', 'aborted by the caller') }
        return { kind: 'failed', failure: classifyBedrockError(error, clock.now(), false) }
      }
    },
  }
}

/** A body that is not JSON has no vectors, which `vectorsIn` reports. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
