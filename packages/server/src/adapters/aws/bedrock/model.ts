// A model on Amazon Bedrock behind the model port, by either of its streaming APIs. Whatever the SDK throws becomes a
// classified part; an abort really ends the request, and with it the bill.
import type { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { failure } from '#domain/model/model-failure.ts'
import { CANCELLED, modelError } from '#domain/model/model-part.ts'
import type { ModelPart } from '#domain/model/model-part.ts'
import { boundedSignal, Late } from '#lib/time/bounded-signal.ts'
import { fairTimers } from '#lib/time/fair-timers.ts'
import { silenceWatchdog } from '#lib/time/silence-watchdog.ts'
import type { Model, ModelRequest } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import { classify } from './classify.ts'
import { bedrockClient } from './client.ts'
import type { BedrockClientParts } from './client.ts'
import { converseReader } from './readers/converse.ts'
import { countTokens } from './count-tokens.ts'
import type { BedrockEvent } from './event-stream.ts'
import { invokeReader } from './readers/invoke.ts'
import { converseCommand, invokeCommand } from './request.ts'
import type { BedrockTarget } from './request.ts'

export interface BedrockModelParts extends BedrockClientParts, BedrockTarget {
  readonly api: 'converse' | 'invoke'
  readonly startSample?: StartSample | undefined
}

export function bedrockModel(parts: BedrockModelParts): Model {
  const client = bedrockClient(parts)
  return {
    id: parts.id,
    facts: parts.facts,
    stream: (request) => stream(parts, client, request),
    async countTokens(prompt) {
      using bound = boundedSignal(fairTimers(parts), prompt.signal, parts.limits.firstByteMs)
      return await countTokens(client, parts.id, { ...prompt, signal: bound.signal })
    },
  }
}

const READERS = { converse: converseReader, invoke: invokeReader }

async function* stream(
  parts: BedrockModelParts,
  client: BedrockRuntimeClient,
  request: ModelRequest,
): AsyncGenerator<ModelPart> {
  if (request.signal.aborted) return yield CANCELLED
  const { clock, limits } = parts
  using bound = boundedSignal(clock, request.signal, request.deadlineAt - clock.now())
  let isSilent = false
  using watchdog = silenceWatchdog(clock, () => {
    isSilent = true
    bound.expire('the connection fell silent')
  })
  const reader = READERS[parts.api](parts.id, parts.onAnomaly)
  const sample = parts.startSample?.(request.turnId)
  const out: ModelPart[] = []
  let hasBegun = false
  let isDrained = false
  try {
    watchdog.expectWithin(limits.firstByteMs)
    const events = await send(parts, client, request, bound.signal)
    watchdog.expectWithin(limits.stallMs)
    for await (const event of events) {
      watchdog.expectWithin(limits.stallMs)
      // Events that were already here when the caller left.
      if (bound.signal.aborted) throw bound.signal.reason
      sample?.see(event)
      out.length = 0
      reader.read(event, out)
      for (const part of out) {
        hasBegun = true
        yield part
        if (part.type === 'model-error') return
      }
    }
    isDrained = true
    yield* reader.finish()
  } catch (error) {
    sample?.see(error)
    if (reader.isComplete() && (isSilent || !bound.signal.aborted)) {
      // The message was whole; what was lost is what comes after it.
      parts.onAnomaly('lost-after-end')
      yield* reader.finish()
    } else yield errorPart(error, bound.signal, { nowMs: clock.now(), hasBegun })
  } finally {
    // Leaving the loop does not stop the generation: only the signal does. A connection whose answer was read to its
    // end is left alone: it serves the next call.
    if (!isDrained) bound.expire('the reader left')
    sample?.end()
  }
}

async function send(
  parts: BedrockModelParts,
  client: BedrockRuntimeClient,
  request: ModelRequest,
  abortSignal: AbortSignal,
): Promise<AsyncIterable<BedrockEvent>> {
  const events =
    parts.api === 'converse'
      ? (await client.send(converseCommand(parts, request), { abortSignal })).stream
      : (await client.send(invokeCommand(parts, request), { abortSignal })).body
  return (events ?? noEvents()) as AsyncIterable<BedrockEvent>
}

async function* noEvents(): AsyncGenerator<BedrockEvent> {}

function errorPart(error: unknown, signal: AbortSignal, at: { nowMs: number; hasBegun: boolean }): ModelPart {
  if (!signal.aborted) return modelError(classify(error, at.nowMs, at.hasBegun))
  return signal.reason instanceof Late ? modelError(failure('timeout', signal.reason.message)) : CANCELLED
}
