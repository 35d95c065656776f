// A model behind OpenAI's API: OpenAI itself, Ollama, vLLM, llama.cpp and many more. Our own and small, because every token
// passes through it.
import type { IncomingMessage } from 'node:http'
import { driveStream } from '#domain/model/drive-stream.ts'
import type { StreamLimits, StreamOpening } from '#domain/model/drive-stream.ts'
import type { ModelAnomaly } from '#domain/model/model-part.ts'
import { hostOf, requestIdIn } from '#domain/model/vendor-fault.ts'
import type { Model, ModelRequest } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import { classifyOpenAiError, refusalOf, Refused } from './classify.ts'
import { openAiClient } from './client.ts'
import type { OpenAiClientParts, Post } from './client.ts'
import { eventsIn } from './events.ts'
import { ChunkReader } from './reader.ts'
import { bodyOf } from './request.ts'
import type { OpenAiTarget } from './request.ts'

export interface OpenAiModelParts extends OpenAiClientParts, OpenAiTarget {
  readonly limits: OpenAiClientParts['limits'] & StreamLimits
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
  readonly startSample?: StartSample | undefined
}

interface Wire {
  readonly parts: OpenAiModelParts
  readonly post: Post
  /** False once the server has refused the request for usage. */
  asksForUsage: boolean
}

export function openAiModel(parts: OpenAiModelParts): Model {
  const wire: Wire = { parts, post: openAiClient(parts), asksForUsage: true }
  const address = hostOf(parts.baseURL)
  const host = address === undefined ? {} : { host: address }
  return {
    id: parts.id,
    facts: parts.facts,
    ...host,
    stream(request) {
      let requestId: string | undefined
      return driveStream(parts, request, {
        reader: new ChunkReader(parts.id, parts.onAnomaly),
        async open(opening) {
          const response = await responseTo(wire, request, opening)
          requestId = requestIdIn(response.headers)
          return eventsIn(response, opening.sample)
        },
        classify: classifyOpenAiError,
        about: () => ({ ...host, ...(requestId === undefined ? {} : { requestId }) }),
      })
    },
  }
}

async function responseTo(wire: Wire, request: ModelRequest, opening: StreamOpening): Promise<IncomingMessage> {
  const { parts, asksForUsage: asks } = wire
  opening.expectWithin(parts.limits.firstByteMs)
  const response = await wire.post(bodyOf(parts, request, asks), opening.signal, request.trace)
  if (response.statusCode === 200) return response
  opening.expectWithin(parts.limits.stallMs)
  const refusal = await refusalOf(response, parts.clock.now())
  if (!asks || refusal.class !== 'invalid' || !/stream_options|include_usage/.test(refusal.message)) {
    throw new Refused(refusal)
  }
  // Not a retry: the server rejected the parameter before it did anything.
  wire.asksForUsage = false
  return responseTo(wire, request, opening)
}
