// What the clients of a chaos run asked and saw. Only what a client can know by the documented protocol.
import type { DoneFrame } from '../../packages/protocol/src/index.ts'

export interface Reading {
  /** Which reader: the asking one, a second one, one after the end, a repeated key. */
  readonly by: 'asker' | 'second' | 'after' | 'repeat'
  readonly text: string
  readonly done: DoneFrame
}

export interface Question {
  readonly key: string
  readonly marker: string
  readonly message: string
  /** How often the key was sent. */
  sent: number
  /** Every turn that the key was accepted as, with its conversation. */
  readonly turns: Map<string, string>
  readonly readings: Reading[]
  readonly askedAt: number
  /** The turns that were not found again: their node died with them. */
  readonly lost: Set<string>
  acceptedAt?: number
  endedAt?: number
}

export interface Conversation {
  readonly cookie: string
  sessionId?: string
  readonly questions: Question[]
}

export const COUNTS = [
  'resumed',
  'repeated',
  'joined',
  'slow',
  'stops',
  'secondReaders',
  'readAfterEnd',
  'hungUp',
  'silent',
  'unanswered',
] as const

export class Seen {
  readonly #startedAt = Date.now()
  readonly #mayLose: boolean
  lostTurns = 0
  readonly conversations: Conversation[] = []
  readonly violations: string[] = []
  readonly refusals = new Map<string, number>()
  readonly counts: Record<(typeof COUNTS)[number], number> = {
    resumed: 0,
    repeated: 0,
    joined: 0,
    slow: 0,
    stops: 0,
    secondReaders: 0,
    readAfterEnd: 0,
    hungUp: 0,
    silent: 0,
    unanswered: 0,
  }

  constructor({ mayLose = false }: { readonly mayLose?: boolean } = {}) {
    this.#mayLose = mayLose
  }

  get questions(): readonly Question[] {
    return this.conversations.flatMap(({ questions }) => questions)
  }

  /** A turn was lost: a violation, unless the plan lets nodes die while they are cut off. */
  lose(what: string): void {
    this.lostTurns += 1
    if (!this.#mayLose) this.violation(what)
  }

  violation(what: string): void {
    this.violations.push(`${((Date.now() - this.#startedAt) / 1000).toFixed(1)} s ${what}`)
  }

  refused(code: string): void {
    this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1)
  }
}
