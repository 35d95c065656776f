// Why a running turn was told to end. The reason of its signal is one of these, so that the end it is given
// tells the truth.
import type { FinishReason } from '@mangaassist/protocol'

type AbortCause = 'stopped' | 'timeout' | 'drained' | 'lost'

const FINISH: Readonly<Record<AbortCause, FinishReason>> = {
  /** The shopper pressed stop. */
  stopped: 'stopped',
  /** `endBy` came. */
  timeout: 'timeout',
  /** The server is going away and the turn did not finish in time. */
  drained: 'interrupted',
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
}
