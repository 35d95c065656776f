// What the readers of Bedrock's two dialects share: events in, parts out, and the closing parts at the end of the stream. A
// stream without the vendor's stop event is broken, however cleanly the body ended.
import type { StreamReader } from '#domain/model/drive-stream.ts'
import { failure } from '#domain/model/model-failure.ts'
import { messageEnd, modelError } from '#domain/model/model-part.ts'
import type { ModelAnomaly, ModelPart, ModelStopReason } from '#domain/model/model-part.ts'
import { UsageTally } from '#domain/model/model-usage.ts'
import type { BedrockEvent } from '../event-stream.ts'

export type AnswerReader = StreamReader<BedrockEvent>

const STOP_REASONS: Readonly<Record<string, ModelStopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool-use',
  guardrail_intervened: 'blocked',
  content_filtered: 'blocked',
  refusal: 'blocked',
}

export class AnswerState {
  readonly usage = new UsageTally()
  readonly #id: string
  readonly #onAnomaly: (anomaly: ModelAnomaly) => void
  #started = false
  #deltas = 0
  #stop: ModelStopReason | undefined
  #vendorReason: string | undefined
  #complete = false
  #intervened = false

  constructor(id: string, onAnomaly: (anomaly: ModelAnomaly) => void) {
    this.#id = id
    this.#onAnomaly = onAnomaly
  }

  start(out: ModelPart[]): void {
    if (this.#started) return
    this.#started = true
    out.push({ type: 'message-start', model: this.#id })
  }

  text(text: unknown, out: ModelPart[]): void {
    if (typeof text !== 'string' || text === '') return
    // The answer is still usable when its first event was lost.
    this.start(out)
    this.#deltas += 1
    out.push({ type: 'text-delta', text })
  }

  /** Also called with no text, where the vendor hides the reasoning. */
  reasoning(text: unknown, out: ModelPart[]): void {
    this.start(out)
    out.push({ type: 'reasoning-delta', text: typeof text === 'string' ? text : '' })
  }

  unknownEvent(): void {
    this.#onAnomaly('unknown-event')
  }

  stop(reason: unknown): void {
    if (typeof reason !== 'string') return
    this.#vendorReason = reason
    this.#stop = STOP_REASONS[reason]
    if (this.#stop === undefined) this.#onAnomaly('unknown-stop-reason')
  }

  intervene(): void {
    this.#intervened = true
  }

  complete(): void {
    this.#complete = true
  }

  isComplete(): boolean {
    return this.#complete
  }

  knownUsage(): ModelPart | undefined {
    return this.#started ? this.usage.part(this.#deltas) : undefined
  }

  finish(): readonly ModelPart[] {
    if (!this.#complete) return [modelError(failure('stream-broken', 'the stream ended before its message did'))]
    const out: ModelPart[] = []
    this.start(out)
    const usage = this.usage.part(this.#deltas)
    if (usage !== undefined) out.push(usage)
    const stop = this.#intervened ? 'blocked' : this.#stop
    // An unknown stop reason may mean a truncated answer: do not report a complete one.
    const unclean = failure('stream-broken', 'the model stopped for a reason that is no clean end')
    out.push(stop === undefined ? modelError(unclean) : messageEnd(stop, this.#vendorReason))
    return out
  }
}
