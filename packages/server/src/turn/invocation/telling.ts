// What one invocation has told so far, whoever spoke: the words that were shown, and every call that was made for them.
import type { AttemptRecord } from '#domain/turn-record.ts'
import type { InvocationPart, Routed } from '../turn.ts'

type Source = Extract<InvocationPart, { readonly type: 'source' }>

export class Telling {
  readonly attempts: AttemptRecord[]
  readonly emit: (part: InvocationPart) => void
  #shown: string

  constructor({ begun }: Pick<Routed, 'begun'>, emit: (part: InvocationPart) => void) {
    this.attempts = [...(begun?.attempts ?? [])]
    this.emit = emit
    this.#shown = begun?.text ?? ''
  }

  get shown(): string {
    return this.#shown
  }

  get hasShown(): boolean {
    return this.#shown !== ''
  }

  /** Numbers go on over all owners of a turn. */
  get nextNumber(): number {
    return Math.max(0, ...this.attempts.map(({ attempt }) => attempt)) + 1
  }

  say(text: string): void {
    this.#shown += text
    this.emit({ type: 'text-delta', text })
  }

  /** An answer that is there as a whole. */
  sayWhole(source: Source, text: string): void {
    this.emit(source)
    this.say(text)
  }
}
