// Reads the chunks of a streamed chat completion. Only a known `finish_reason` is a clean end; `[DONE]` alone is not. The
// usage comes in a chunk after the last text, so the stream is read to its end.
import type { StreamReader } from '#domain/model/drive-stream.ts'
import { failure } from '#domain/model/model-failure.ts'
import { messageEnd, modelError } from '#domain/model/model-part.ts'
import type { ModelAnomaly, ModelPart, ModelStopReason } from '#domain/model/model-part.ts'
import { UsageTally } from '#domain/model/model-usage.ts'
import { complaintOf } from './classify.ts'
import { DONE } from './events.ts'
import { ThinkTags } from './think-tags.ts'
import type { Parted } from './think-tags.ts'

const STOP_REASONS: Readonly<Record<string, ModelStopReason>> = {
  stop: 'end',
  eos: 'end',
  end_turn: 'end',
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  tool_calls: 'tool-use',
  function_call: 'tool-use',
  content_filter: 'blocked',
}

interface Chunk {
  readonly model?: unknown
  readonly object?: unknown
  readonly message?: unknown
  readonly choices?: readonly {
    readonly index?: unknown
    readonly error?: unknown
    readonly delta?: {
      readonly content?: unknown
      readonly refusal?: unknown
      /** Reasoning, under the name that DeepSeek and vLLM use, and under that of Ollama and OpenRouter. */
      readonly reasoning_content?: unknown
      readonly reasoning?: unknown
    }
    readonly finish_reason?: unknown
  }[]
  readonly usage?: unknown
  readonly error?: unknown
}

export class ChunkReader implements StreamReader<string> {
  readonly #id: string
  readonly #onAnomaly: (anomaly: ModelAnomaly) => void
  readonly #usage = new UsageTally()
  readonly #thinkTags = new ThinkTags()
  #started = false
  #deltas = 0
  #finishReason: string | undefined

  constructor(id: string, onAnomaly: (anomaly: ModelAnomaly) => void) {
    this.#id = id
    this.#onAnomaly = onAnomaly
  }

  isComplete(): boolean {
    return this.#finishReason !== undefined
  }

  read(data: string, out: ModelPart[]): void {
    if (data === DONE) return
    const chunk = this.#parsed(data)
    if (chunk === undefined) return
    if (chunk.error !== undefined && chunk.error !== null) {
      out.push(modelError(complaintOf(200, chunk)))
      return
    }
    if (chunk.usage !== undefined && chunk.usage !== null) this.#usage.see(chunk.usage)
    if (!Array.isArray(chunk.choices)) {
      // Some servers send an error as a chunk of its own kind, without an `error` object around it.
      const isComplaint = chunk.object === 'error' || typeof chunk.message === 'string'
      return isComplaint ? void out.push(modelError(complaintOf(200, chunk))) : this.#onAnomaly('unknown-event')
    }
    this.#start(chunk.model, out)
    // One answer was requested: other choices are ignored.
    const choice = chunk.choices.find((each) => (each?.index ?? 0) === 0)
    if (choice === undefined) return
    if (choice.error !== undefined && choice.error !== null) {
      out.push(modelError(complaintOf(200, choice)))
      return
    }
    const { content, refusal, reasoning_content: reasoningContent, reasoning } = choice.delta ?? {}
    const thought = [reasoning, reasoningContent].find((words) => typeof words === 'string' && words !== '')
    if (typeof thought === 'string') this.#say({ reasoning: thought, text: '' }, out)
    const text = content ?? refusal
    if (typeof text === 'string' && text !== '') this.#say(this.#thinkTags.read(text), out)
    if (typeof choice.finish_reason === 'string') this.#finishReason = choice.finish_reason
  }

  finish(): readonly ModelPart[] {
    if (!this.isComplete()) return [modelError(failure('stream-broken', 'the stream ended before its message did'))]
    const out: ModelPart[] = []
    this.#start(undefined, out)
    this.#say(this.#thinkTags.finish(), out)
    const usage = this.#usage.part(this.#deltas)
    if (usage !== undefined) out.push(usage)
    const reason = this.#finishReason
    const stop = STOP_REASONS[reason ?? '']
    if (stop !== undefined) return [...out, messageEnd(stop, reason)]
    // `abort`, `error` and unknown reasons may mean a truncated answer: do not report a complete one.
    this.#onAnomaly('unknown-stop-reason')
    return [...out, modelError(failure('stream-broken', 'the model stopped for a reason that is no clean end'))]
  }

  #say({ reasoning, text }: Parted, out: ModelPart[]): void {
    if (reasoning !== '') out.push({ type: 'reasoning-delta', text: reasoning })
    if (text === '') return
    this.#deltas += 1
    out.push({ type: 'text-delta', text })
  }

  #start(model: unknown, out: ModelPart[]): void {
    if (this.#started) return
    this.#started = true
    out.push({ type: 'message-start', model: typeof model === 'string' && model !== '' ? model : this.#id })
  }

  #parsed(data: string): Chunk | undefined {
    try {
      const value: unknown = JSON.parse(data)
      if (typeof value === 'object' && value !== null) return value
    } catch {
      // Counted below, like everything else that is not a chunk.
    }
    this.#onAnomaly('undecodable-event')
    return undefined
  }
}
