// The text of one invocation so far, from whichever model: the shown text, and every call that was made for it. For a
// caller that gets the answer in one piece, text is held until its model has ended well, so that another model can start
// again.
import type { TurnPolicy } from '#domain/turn/turn-policy.ts'
import { attemptsBefore } from '#domain/turn/attempt-numbers.ts'
import type { AttemptRecord } from '#domain/turn/log-records.ts'
import type { PassedModel } from '#domain/turn/turn-story.ts'
import type { Usage } from '@mangaassist/protocol'
import { NO_SPAN } from '#ports/telemetry/plain-scope.ts'
import type { Span } from '#ports/telemetry/port.ts'
import type { InvocationPart, Routed } from '../turn.ts'

type Source = Extract<InvocationPart, { readonly type: 'source' }>

export class AnswerDraft {
  readonly attempts: AttemptRecord[]
  readonly emit: (part: InvocationPart) => void
  readonly #isStreamed: boolean
  #held: InvocationPart[] = []
  /** The calls whose text makes the answer: one, and those that continued it as their own beginning. */
  #answering: AttemptRecord[] = []
  #shown: string
  #lastNumber: number
  /** Whether two models were asked at once, which is done at most once a turn. */
  hasHedged = false
  /** The model that was asked beside another and failed too: the walk asks a third one first, where it can. */
  failedBeside: string | undefined
  /** Whether the model that is asked now was shown to think: then it keeps its own time, and the next one gets the whole promise. */
  isThinking = false
  /** The models that gave no answer, and why. */
  readonly passed: PassedModel[] = []
  /** How long it waited in queues of lanes. */
  queuedMs = 0
  /** How long it paused before retries. */
  pausedMs = 0
  /** Span of the invocation: its calls are children of it. */
  span: Span = NO_SPAN
  /** The circuits of lanes as this turn last saw them, where they were not always closed. */
  readonly circuits = new Map<string, string>()

  constructor(
    { begun, epoch, policy }: Pick<Routed, 'begun' | 'epoch'> & { readonly policy: Pick<TurnPolicy, 'isStreamed'> },
    emit: (part: InvocationPart) => void,
  ) {
    this.attempts = [...(begun?.attempts ?? [])]
    this.emit = emit
    this.#isStreamed = policy.isStreamed
    this.#shown = begun?.text ?? ''
    this.#lastNumber = attemptsBefore(epoch)
  }

  get shown(): string {
    return this.#shown
  }

  get hasText(): boolean {
    return this.#shown !== ''
  }

  /** The number of the next call: higher than those of earlier owners and of calls in flight. */
  newNumber(): number {
    this.#lastNumber = Math.max(this.#lastNumber, ...this.attempts.map(({ attempt }) => attempt)) + 1
    return this.#lastNumber
  }

  /** Records the end of a call. */
  ended(record: AttemptRecord, { isPrefilled }: { readonly isPrefilled: boolean }): void {
    this.attempts.push(record)
    this.#answering = isPrefilled ? [...this.#answering, record] : [record]
  }

  /** The usage of the answer, without calls that did not contribute to it; undefined when no model was called. */
  get answerUsage(): Usage | undefined {
    const usages = this.#answering.map(({ usage }) => usage)
    const [first] = usages
    if (first === undefined) return undefined
    return {
      inputTokens: first.inputTokens,
      outputTokens: usages.reduce((sum, { outputTokens }) => sum + outputTokens, 0),
      estimated: usages.some(({ estimated }) => estimated),
    }
  }

  /** Sets the source of the next text. */
  introduce(source: Source): void {
    this.#pass(source)
  }

  append(text: string): void {
    this.#pass({ type: 'text-delta', text })
  }

  /** Adds a complete answer. */
  appendWhole(source: Source, text: string): void {
    this.introduce(source)
    this.append(text)
    this.commit()
  }

  /** Shows the held text: its model has ended well. */
  commit(): void {
    for (const part of this.#held.splice(0)) this.#show(part)
  }

  /** Drops the held text: its model broke off, and another starts again from the beginning. */
  drop(): void {
    this.#held = []
  }

  #pass(part: InvocationPart): void {
    if (this.#isStreamed) this.#show(part)
    else this.#held.push(part)
  }

  #show(part: InvocationPart): void {
    if (part.type === 'text-delta') this.#shown += part.text
    this.emit(part)
  }
}
