// A model on Amazon Bedrock behind the model port, by either of its streaming APIs.
import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { driveStream } from '#domain/model/drive-stream.ts'
import { hostOf } from '#domain/model/vendor-fault.ts'
import { boundedSignal } from '#lib/time/bounded-signal.ts'
import { fairTimers } from '#lib/time/fair-timers.ts'
import type { Model, ModelRequest } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import { classifyBedrockError } from './classify.ts'
import { bedrockClient } from './client.ts'
import type { BedrockClientParts } from './client.ts'
import { countTokens } from './count-tokens.ts'
import type { BedrockEvent } from './event-stream.ts'
import { converseReader } from './readers/converse.ts'
import { invokeReader } from './readers/invoke.ts'
import { converseCommand, invokeCommand } from './request.ts'
import type { BedrockTarget } from './request.ts'
import { withTrace } from './trace-headers.ts'

export interface BedrockModelParts extends BedrockClientParts, BedrockTarget {
  readonly api: 'converse' | 'invoke'
  readonly startSample?: StartSample | undefined
}

const READERS = { converse: converseReader, invoke: invokeReader }

export function bedrockModel(parts: BedrockModelParts): Model {
  const client = bedrockClient(parts)
  const host = hostOf(parts.baseURL ?? '') ?? `bedrock-runtime.${parts.region}.amazonaws.com`
  return {
    id: parts.id,
    facts: parts.facts,
    host,
    stream(request) {
      let requestId: string | undefined
      return driveStream(parts, request, {
        reader: READERS[parts.api](parts.id, parts.onAnomaly),
        async open({ signal }) {
          const sent = await send(parts, client, { ...request, signal })
          requestId = sent.requestId
          return sent.events
        },
        classify: (error, { nowMs, hasBegun }) => classifyBedrockError(error, nowMs, hasBegun),
        about: () => ({ host, ...(requestId === undefined ? {} : { requestId }) }),
      })
    },
    async countTokens(prompt) {
      using bound = boundedSignal(fairTimers(parts), prompt.signal, parts.limits.firstByteMs)
      return await countTokens(client, parts.id, { ...prompt, signal: bound.signal })
    },
  }
}

async function send(
  parts: BedrockModelParts,
  client: BedrockRuntimeClient,
  request: ModelRequest,
): Promise<{ readonly events: AsyncIterable<BedrockEvent>; readonly requestId: string | undefined }> {
  const options = { abortSignal: request.signal }
  if (parts.api === 'converse') {
    const { stream, $metadata } = await client.send(withTrace(converseCommand(parts, request), request.trace), options)
    return { events: (stream ?? noEvents()) as AsyncIterable<BedrockEvent>, requestId: $metadata.requestId }
  }
  const { body, $metadata } = await client.send(withTrace(invokeCommand(parts, request), request.trace), options)
  return { events: (body ?? noEvents()) as AsyncIterable<BedrockEvent>, requestId: $metadata.requestId }
}

async function* noEvents(): AsyncGenerator<BedrockEvent> {}
