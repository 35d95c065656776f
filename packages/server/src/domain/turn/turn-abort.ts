// Why a running turn was told to end. The reason of its signal is one of these, so that the end it is given
// tells the truth.
import type { FinishReason } from '@mangaassist/protocol'

type AbortCause = 'stopped' | 'unread' | 'timeout' | 'handed-over' | 'lost'

const FINISH: Readonly<Record<AbortCause, FinishReason>> = {
  /** The shopper pressed stop. */
  stopped: 'stopped',
  /** Nobody has read it for the resume window. */
  unread: 'stopped',
  /** `endBy` came. */
  timeout: 'timeout',
  /** The server is going away and the turn did not finish in time: another owner goes on with it. */
  'handed-over': 'interrupted',
  /** Another owner has the turn now: nothing more may be written here. */
  lost: 'interrupted',
}

export class TurnAbort extends Error {
  readonly abortCause: AbortCause

  constructor(abortCause: AbortCause) {
    super(`turn aborted: ${abortCause}`)
    this.name = 'TurnAbort'
    this.abortCause = abortCause
  }

  get finishReason(): FinishReason {
    return FINISH[this.abortCause]
  }

  /** Whether the turn goes on elsewhere: then it is not for us to end it. */
  get goesOn(): boolean {
    return this.abortCause === 'handed-over' || this.abortCause === 'lost'
  }
}
