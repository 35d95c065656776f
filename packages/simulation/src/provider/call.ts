// One call of a simulated provider: the caller reads parts, the provider works. The caller can leave or die while the
// work continues; each side ends exactly once. One timer at a time and no generators, because a run makes millions of
// calls.
import { CANCELLED, modelError } from '@mangaassist/server/domain/model/model-part'
import type { ModelFailure } from '@mangaassist/server/domain/model/model-part'
import { TurnAbort } from '@mangaassist/server/domain/turn/turn-abort'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { ModelErrorClass, ModelPart, ModelRequest } from '@mangaassist/server/ports/model/port'
import type { AnswerText } from './answer-text.ts'

/** How a call ended for its caller. */
export type CallOutcome = 'ended' | 'node-died' | ModelErrorClass

export interface CallFacts {
  readonly lane: string
  readonly node: string
  /** Absent for a call outside a turn. */
  readonly turnId?: string
  /** Sequence number of the call in its region. */
  readonly number: number
  readonly at: number
  readonly deadlineAt: number
  readonly maxOutputTokens: number
  /** The call must continue an answer that broke off. */
  readonly isContinuation: boolean
}

/** What a region reads of a request: it answers by the words, whatever they were made from. */
export type CallRequest = Omit<ModelRequest, 'grounding'>

/** The planned answer and its timing, decided when the work begins. */
export interface Work {
  readonly answer: AnswerText
  readonly stopReason: 'end' | 'length'
  /** At most the number of UTF-16 units of the text. */
  readonly deltas: number
  /** Offset of every cut between two even cuts, from 0 to below 1. */
  readonly phase: number
  readonly firstAt: number
  readonly endAt: number
  /** Index of the delta at which the stream breaks off (`breaksAt`) or falls silent (`stallsAt`). */
  readonly breaksAt: number | undefined
  readonly stallsAt: number | undefined
  readonly reportsUsage: boolean
}

/** The region, as a call uses it. */
export interface CallContext {
  readonly clock: Clock
  readonly modelId: string
  readonly abandonedWork: boolean
  began(call: ProviderCall): void
  /** The caller has received the end, or has left. */
  ended(call: ProviderCall, outcome: CallOutcome): void
  /** The work has ended after this share of the answer. */
  released(call: ProviderCall, share: number): void
}

/** Longest silence of a provider before the call ends with a timeout, even if the deadline is later. */
const SILENCE_MAX_MS = 300_000
const DONE: IteratorResult<ModelPart> = { value: undefined, done: true }

export class ProviderCall implements AsyncIterableIterator<ModelPart> {
  readonly request: CallRequest
  /** Set by the region when the call begins: its facts, and the tokens taken from the quota. */
  facts: CallFacts | undefined
  takenTokens = 0
  inputTokens = 0
  work: Work | undefined
  readonly #context: CallContext
  readonly #parts: ModelPart[] = []
  #hasBegun = false
  #isOver = false
  #isDead = false
  #lastPartAt = 0
  #step = 0
  #wake: ((result: IteratorResult<ModelPart>) => void) | undefined
  #timer: Disposable | undefined

  constructor(request: CallRequest, context: CallContext) {
    this.request = request
    this.#context = context
  }

  /** The caller has received the end, or has left. */
  get isOver(): boolean {
    return this.#isOver
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<ModelPart>> {
    if (!this.#hasBegun) this.#begin()
    const part = this.#parts.shift()
    if (part !== undefined) return Promise.resolve({ value: part, done: false })
    if (this.#isOver && !this.#isDead) return Promise.resolve(DONE)
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  return(): Promise<IteratorResult<ModelPart>> {
    if (this.#hasBegun) this.#leave()
    this.#hasBegun = true
    this.#isOver = true
    this.#parts.length = 0
    return Promise.resolve(DONE)
  }

  /** Ends the call with this failure after a delay. */
  refuse(failure: ModelFailure, afterMs: number): void {
    this.#timer = this.#context.clock.after(afterMs, () => this.#end(modelError(failure), failure.class))
  }

  /** Stays silent until the caller leaves or the deadline passes. */
  hold(): void {
    const { clock } = this.#context
    const ms = Math.min(SILENCE_MAX_MS, this.request.deadlineAt - clock.now())
    this.#timer = clock.after(ms, () => {
      this.#end(modelError({ class: 'timeout', message: 'nothing came in time' }), 'timeout')
      this.#abandon()
    })
  }

  /** Starts the work; the call holds a slot until `released`. */
  begin(work: Work): void {
    this.work = work
    if (this.#isOver) this.#abandon()
    else this.#schedule()
  }

  /** The calling node died: it receives nothing more, not even an end. */
  nodeDied(): void {
    if (this.#isOver) return
    this.#isDead = true
    this.#over('node-died')
    this.#wake = undefined
    this.#abandon()
  }

  #begin(): void {
    this.#hasBegun = true
    const { signal } = this.request
    if (signal.aborted) {
      this.#isOver = true
      this.#parts.push(CANCELLED)
      return
    }
    this.#lastPartAt = this.#context.clock.now()
    signal.addEventListener('abort', this.#leave, { once: true })
    this.#context.began(this)
  }

  readonly #leave = (): void => {
    if (this.#isOver) return
    this.#over(this.#whyLeft())
    this.#emit(CANCELLED)
    this.#abandon()
  }

  // A provider cannot read the caller's reason for leaving, only whether the caller had been waiting.
  #whyLeft(): CallOutcome {
    const { reason, aborted } = this.request.signal
    if (reason instanceof TurnAbort) return reason.abortCause === 'timeout' ? 'timeout' : 'cancelled'
    return aborted && this.#context.clock.now() > this.#lastPartAt ? 'timeout' : 'cancelled'
  }

  #schedule(): void {
    const { clock } = this.#context
    const { firstAt, endAt, deltas } = this.work!
    const at = firstAt + ((endAt - firstAt) * this.#step) / Math.max(1, deltas - 1)
    if (at > this.request.deadlineAt) this.hold()
    else this.#timer = clock.after(at - clock.now(), this.#speak)
  }

  readonly #speak = (): void => {
    const work = this.work!
    const step = this.#step
    if (step === 0) this.#emit({ type: 'message-start', model: this.#context.modelId })
    if (step === work.breaksAt) {
      this.#end(modelError({ class: 'stream-broken', message: 'the stream broke off' }), 'stream-broken')
      return this.#context.released(this, step / work.deltas)
    }
    if (step === work.stallsAt) return this.hold()
    this.#emit({ type: 'text-delta', text: pieceOf(work, step) })
    this.#step = step + 1
    if (this.#step < work.deltas) return this.#schedule()
    if (work.reportsUsage) {
      this.#emit({ type: 'usage', inputTokens: this.inputTokens, outputTokens: work.answer.tokens })
    }
    this.#end({ type: 'message-end', stopReason: work.stopReason }, 'ended')
    this.#context.released(this, 1)
  }

  #end(last: ModelPart, outcome: CallOutcome): void {
    this.#emit(last)
    this.#isOver = true
    this.#forget(outcome)
  }

  /** Ends the call and discards the unread parts. */
  #over(outcome: CallOutcome): void {
    this.#parts.length = 0
    this.#isOver = true
    this.#forget(outcome)
  }

  #forget(outcome: CallOutcome): void {
    this.#timer?.[Symbol.dispose]()
    this.#timer = undefined
    this.request.signal.removeEventListener('abort', this.#leave)
    this.#context.ended(this, outcome)
  }

  /** The caller is gone. A queued call stays in the queue; running work continues until its planned end. */
  #abandon(): void {
    const { work } = this
    if (work === undefined) return
    const { clock, abandonedWork } = this.#context
    if (!abandonedWork) return this.#context.released(this, this.#step / work.deltas)
    clock.after(Math.max(0, work.endAt - clock.now()), () => this.#context.released(this, 1))
  }

  #emit(part: ModelPart): void {
    this.#lastPartAt = this.#context.clock.now()
    const wake = this.#wake
    if (wake === undefined) return void this.#parts.push(part)
    this.#wake = undefined
    wake({ value: part, done: false })
  }
}

/** Pieces of even length, cut at any UTF-16 unit: a surrogate pair may be split. */
function pieceOf({ answer: { text }, deltas, phase }: Work, step: number): string {
  const cut = (index: number) => Math.floor((text.length * (index + phase)) / deltas)
  return text.slice(step === 0 ? 0 : cut(step), step === deltas - 1 ? text.length : cut(step + 1))
}
