// Reads the stream parts of an AI SDK provider, of any version of its specification from 2 to 4.
import { fieldsOf } from '#lib/collections/fields-of.ts'
import type { StreamReader } from '#domain/model/drive-stream.ts'
import { failure } from '#domain/model/model-failure.ts'
import { messageEnd, modelError } from '#domain/model/model-part.ts'
import type { ModelAnomaly, ModelPart, ModelStopReason } from '#domain/model/model-part.ts'
import { UsageTally } from '#domain/model/model-usage.ts'
import { classifyAiSdkError, isUndecodable } from './classify.ts'

const STOP_REASONS: Readonly<Record<string, ModelStopReason>> = {
  stop: 'end',
  length: 'length',
  'content-filter': 'blocked',
  'tool-calls': 'tool-use',
}

const PASSED_OVER: ReadonlySet<unknown> = new Set([
  'stream-start',
  'text-start',
  'text-end',
  'reasoning-start',
  'reasoning-end',
  'tool-input-start',
  'tool-input-delta',
  'tool-input-end',
  'tool-call',
  'tool-result',
  'tool-approval-request',
  'source',
  'file',
  'reasoning-file',
  'ping',
  'raw',
])

export class PartReader implements StreamReader<unknown> {
  readonly #id: string
  readonly #now: () => number
  readonly #onAnomaly: (anomaly: ModelAnomaly) => void
  readonly #usage = new UsageTally()
  #started = false
  #deltas = 0
  #skipped = false

  constructor(id: string, now: () => number, onAnomaly: (anomaly: ModelAnomaly) => void) {
    this.#id = id
    this.#now = now
    this.#onAnomaly = onAnomaly
  }

  /** Always false: the provider's `finish` part ends the stream, so a stream without it is incomplete. */
  isComplete(): boolean {
    return false
  }

  finish(): readonly ModelPart[] {
    return [modelError(failure('stream-broken', 'the stream ended before its message did'))]
  }

  read(value: unknown, out: ModelPart[]): void {
    const part = fieldsOf(value)
    switch (part.type) {
      case 'text-delta':
        return this.#text(part.delta, out)
      case 'reasoning':
      case 'reasoning-delta':
        return this.#reason(part.delta ?? part.text, out)
      case 'response-metadata':
        return this.#start(part.modelId, out)
      case 'error':
        return isUndecodable(part.error)
          ? this.#skip()
          : void out.push(modelError(classifyAiSdkError(part.error, this.#now(), this.#started)))
      case 'finish':
        return this.#end(part, out)
      default:
        if (!PASSED_OVER.has(part.type)) this.#onAnomaly('unknown-event')
    }
  }

  #skip(): void {
    this.#skipped = true
    this.#onAnomaly('undecodable-event')
  }

  #start(model: unknown, out: ModelPart[]): void {
    if (this.#started) return
    this.#started = true
    out.push({ type: 'message-start', model: typeof model === 'string' && model !== '' ? model : this.#id })
  }

  #text(text: unknown, out: ModelPart[]): void {
    if (typeof text !== 'string' || text === '') return
    this.#start(undefined, out)
    this.#deltas += 1
    out.push({ type: 'text-delta', text })
  }

  #reason(text: unknown, out: ModelPart[]): void {
    this.#start(undefined, out)
    out.push({ type: 'reasoning-delta', text: typeof text === 'string' ? text : '' })
  }

  #end(part: Readonly<Record<string, unknown>>, out: ModelPart[]): void {
    const reason = fieldsOf(part.finishReason)
    const unified = typeof part.finishReason === 'string' ? part.finishReason : reason.unified
    const raw = typeof reason.raw === 'string' ? reason.raw : undefined
    // The vendor sent no reason: the stream stopped, and the provider filled one in.
    const isLost = this.#skipped && unified === 'error' && raw === undefined
    if (isLost || unified === 'unknown' || unified === 'interrupted' || (unified === 'other' && raw === undefined)) {
      return void out.push(...this.finish())
    }
    if (unified === 'error') return void out.push(modelError(failure('internal', raw ?? 'the model failed')))
    this.#start(undefined, out)
    this.#usage.see(part.usage)
    const usage = this.#usage.part(this.#deltas)
    if (usage !== undefined) out.push(usage)
    const stop = STOP_REASONS[String(unified)]
    if (stop !== undefined) return void out.push(messageEnd(stop, raw ?? String(unified)))
    // An unknown stop reason may mean a truncated answer: do not report a complete one.
    this.#onAnomaly('unknown-stop-reason')
    out.push(modelError(failure('stream-broken', 'the model stopped for a reason that is no clean end')))
  }
}
