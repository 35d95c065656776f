// A model of any vendor that has an AI SDK provider package, behind the model port. The provider's own `doStream` is
// called: it makes one attempt, where the SDK's higher functions retry by themselves.
import type { ModelFacts } from '#domain/model/model-facts.ts'
import { failure } from '#domain/model/model-failure.ts'
import { CANCELLED, modelError } from '#domain/model/model-part.ts'
import type { ModelAnomaly, ModelPart } from '#domain/model/model-part.ts'
import { boundedSignal, Late } from '#lib/time/bounded-signal.ts'
import { silenceWatchdog } from '#lib/time/silence-watchdog.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model, ModelRequest } from '#ports/model/port.ts'
import type { StartSample } from '#ports/sample-store/port.ts'
import { classify } from './classify.ts'
import type { CallOptions, LanguageModel, PromptMessage } from './client.ts'
import { PartReader } from './reader.ts'

export interface AiSdkModelParts {
  readonly id: string
  readonly facts: ModelFacts
  readonly languageModel: LanguageModel
  readonly limits: { readonly firstByteMs: number; readonly stallMs: number }
  readonly clock: Clock
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
  readonly startSample?: StartSample | undefined
}

export function aiSdkModel(parts: AiSdkModelParts): Model {
  return { id: parts.id, facts: parts.facts, stream: (request) => stream(parts, request) }
}

async function* stream(parts: AiSdkModelParts, request: ModelRequest): AsyncGenerator<ModelPart> {
  if (request.signal.aborted) return yield CANCELLED
  const { clock, limits } = parts
  using bound = boundedSignal(clock, request.signal, request.deadlineAt - clock.now())
  using watchdog = silenceWatchdog(clock, () => bound.expire('the connection fell silent'))
  const reader = new PartReader(parts.id, () => clock.now(), parts.onAnomaly)
  const sample = parts.startSample?.(request.turnId)
  const out: ModelPart[] = []
  let isDrained = false
  try {
    watchdog.expectWithin(limits.firstByteMs)
    const options = optionsOf(parts.facts, request, bound.signal)
    const { stream: values } = await parts.languageModel.doStream(
      sample === undefined ? options : { ...options, includeRawChunks: true },
    )
    for await (const value of values) {
      watchdog.expectWithin(limits.stallMs)
      sample?.see(value)
      out.length = 0
      reader.read(value, out)
      for (const part of out) {
        if (bound.signal.aborted) throw bound.signal.reason
        yield part
      }
      if (reader.hasEnded()) break
    }
    isDrained = reader.hasEnded()
    if (!isDrained) yield modelError(failure('stream-broken', 'the stream ended before its message did'))
  } catch (error) {
    sample?.see(error)
    if (!reader.hasEnded()) yield errorPart(error, bound.signal, { nowMs: clock.now(), hasBegun: reader.hasBegun() })
  } finally {
    if (!isDrained) bound.expire('the reader left')
    sample?.end()
  }
}

function optionsOf(facts: ModelFacts, request: ModelRequest, abortSignal: AbortSignal): CallOptions {
  const system: readonly PromptMessage[] = request.system === '' ? [] : [{ role: 'system', content: request.system }]
  return {
    prompt: [
      ...system,
      ...request.messages.map(({ role, content }) => ({ role, content: [{ type: 'text' as const, text: content }] })),
    ],
    maxOutputTokens: request.maxOutputTokens,
    ...(facts.temperature && request.temperature !== undefined ? { temperature: request.temperature } : {}),
    abortSignal,
  }
}

function errorPart(error: unknown, signal: AbortSignal, at: { nowMs: number; hasBegun: boolean }): ModelPart {
  if (!signal.aborted) return modelError(classify(error, at.nowMs, at.hasBegun))
  return signal.reason instanceof Late ? modelError(failure('timeout', signal.reason.message)) : CANCELLED
}
