// Records every attempt, for assertions: the request, its outcome, and whether the client disconnected.
import type { Api, VendorCall } from './call.ts'
import type { FaultName } from './faults.ts'

/** More than any test makes; a simulator that runs for days must not fill the memory. */
const ATTEMPTS_MAX = 10_000

/**
 * `answered` in full, `refused` with an error status, `broken` by a fault (reset, cut, an exception, no proper end),
 * `abandoned` by the client.
 */
type Outcome = 'running' | 'answered' | 'refused' | 'broken' | 'abandoned'

export interface Attempt {
  /** Counts from 1 in the order of arrival. */
  readonly number: number
  readonly at: number
  readonly api: Api
  readonly model: string
  readonly promptTokens: number
  readonly maxTokens: number
  readonly guardrail?: { readonly id: string; readonly version: string }
  readonly trace?: VendorCall['trace']
  /** The faults that hit it. */
  readonly faults: readonly FaultName[]
  readonly outcome: Outcome
  readonly status?: number
  readonly tokensSent: number
  readonly endedAt?: number
  /** When the client closed the connection before its answer was complete. */
  readonly clientClosedAt?: number
  readonly body: unknown
}

/** An attempt in progress. */
export type OpenAttempt = { -readonly [Field in keyof Attempt]: Attempt[Field] }

export class Attempts {
  #all: OpenAttempt[] = []
  #count = 0
  /** Running attempts by model; counted apart from the list, which is trimmed. */
  readonly #inFlight = new Map<string, number>()

  open({ api, model, promptTokens, maxTokens, guardrail, body, trace }: VendorCall, at: number): OpenAttempt {
    this.#count += 1
    const asked = {
      api,
      model,
      promptTokens,
      maxTokens,
      ...(guardrail ? { guardrail } : {}),
      ...(trace ? { trace } : {}),
      body,
    }
    const attempt: OpenAttempt = { number: this.#count, at, ...asked, faults: [], outcome: 'running', tokensSent: 0 }
    this.#all.push(attempt)
    this.#inFlight.set(model, this.inFlight(model) + 1)
    if (this.#all.length > ATTEMPTS_MAX) this.#all.shift()
    return attempt
  }

  close(attempt: OpenAttempt, at: number): void {
    attempt.endedAt = at
    this.#inFlight.set(attempt.model, this.inFlight(attempt.model) - 1)
  }

  list(): readonly Attempt[] {
    return this.#all.map((attempt) => ({ ...attempt }))
  }

  inFlight(model: string): number {
    return this.#inFlight.get(model) ?? 0
  }

  clear(): void {
    this.#all = []
    this.#count = 0
  }
}
