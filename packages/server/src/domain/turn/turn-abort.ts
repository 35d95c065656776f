// Why a running turn was aborted. The reason of its signal is a `TurnAbort`, so that the turn gets the right finish reason.
import type { FinishReason } from '@mangaassist/protocol'

type AbortCause = 'stopped' | 'unread' | 'timeout' | 'handed-over' | 'lost' | 'log-failed'

const FINISH: Readonly<Record<AbortCause, FinishReason>> = {
  /** The shopper pressed stop. */
  stopped: 'stopped',
  /** It had no reader for the resume window. */
  unread: 'stopped',
  /** The deadline `endBy` has passed. */
  timeout: 'timeout',
  /** The server drains and the turn did not finish in time: another owner continues it. */
  'handed-over': 'interrupted',
  /** Another node owns the turn now: this node must not write to it any more. */
  lost: 'interrupted',
  /** The turn log cannot be written: the turn is continued by an owner who can. */
  'log-failed': 'interrupted',
}

export class TurnAbort extends Error {
  readonly abortCause: AbortCause

  constructor(abortCause: AbortCause, options?: ErrorOptions) {
    super(`turn aborted: ${abortCause}${options === undefined ? '' : ` (${String(options.cause)})`}`, options)
    this.name = 'TurnAbort'
    this.abortCause = abortCause
  }

  get finishReason(): FinishReason {
    return FINISH[this.abortCause]
  }

  /** Whether another owner continues the turn: then this node must not end it. */
  get continuesElsewhere(): boolean {
    return this.abortCause === 'handed-over' || this.abortCause === 'lost' || this.abortCause === 'log-failed'
  }
}
