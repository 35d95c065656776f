// Writes a turn's answer to its log as people read it: the first words at once, then together with what comes
// within `flushMs`, by timer, never waiting for the model to speak again. One append is under way at a time;
// what comes meanwhile goes with the next. Nothing is forgotten until it is in the log.
import { createHash } from 'node:crypto'
import type { Config } from '#config.ts'
import { TurnAbort } from '#domain/turn-abort.ts'
import { holdBackHalfPair, splitByEncodedBytes } from '#lib/graphemes.ts'
import type { Clock } from '#ports/clock.ts'
import type { LogEntry, TurnLog } from '#ports/turn-log.ts'

/** What a `chunk` frame needs around its text. */
const FRAME_ENVELOPE_BYTES = 512

export interface TextWriter extends Disposable {
  /** Text as the model gave it. Its total is bounded by the turn's grant of output. */
  push(text: string): void
  /** An entry of another kind, after all text before it, at once. */
  add(entry: LogEntry): void
  /** Resolves when everything so far is in the log; throws when it cannot be. */
  settled(): Promise<void>
  /** Takes what is still held back; the text is complete now. */
  finish(): { readonly text: string; readonly sha256: string }
  readonly firstWordAt: number | null
}

export interface TextWriterParts {
  readonly clock: Clock
  readonly turnLog: TurnLog
  readonly streaming: Config['streaming']
  readonly turnId: string
  readonly epoch: number
  /** Called once, as soon as the log refuses or fails. */
  readonly onFailure: (error: unknown) => void
}

export function createTextWriter(parts: TextWriterParts): TextWriter {
  const { clock, turnLog, streaming } = parts
  const hash = createHash('sha256')
  const pieceBytesMax = streaming.frameBytesMax - FRAME_ENVELOPE_BYTES
  let text = ''
  let loggedUnits = 0
  let held = ''
  let outbox: LogEntry[] = []
  let timer: Disposable | undefined
  let firstWordAt: number | null = null
  let pumping: Promise<void> | undefined
  let failure: { readonly error: unknown } | undefined

  function flush(): void {
    timer?.[Symbol.dispose]()
    timer = undefined
    const pending = text.slice(loggedUnits)
    if (pending === '') return
    for (const piece of splitByEncodedBytes(pending, pieceBytesMax)) {
      outbox.push({ kind: 'text', offset: loggedUnits, text: piece })
      loggedUnits += piece.length
    }
    hash.update(pending)
    pump()
  }

  function pump(): void {
    if (pumping !== undefined || failure !== undefined || outbox.length === 0) return
    pumping = writeOutbox().then(
      () => {
        pumping = undefined
        // Something may have come between the last look into the outbox and this moment.
        pump()
      },
      (error: unknown) => {
        pumping = undefined
        failure = { error }
        parts.onFailure(error)
      },
    )
  }

  async function writeOutbox(): Promise<void> {
    while (outbox.length > 0) {
      const entries = outbox
      outbox = []
      const owned = await turnLog.append(parts.turnId, parts.epoch, entries)
      if (!owned) throw new TurnAbort('lost')
    }
  }

  return {
    push(delta) {
      const { whole, held: half } = holdBackHalfPair(held + delta)
      held = half
      if (whole === '') return
      // A half that never found its other half cannot be encoded; it becomes the replacement character.
      text += whole.toWellFormed()
      if (firstWordAt === null) {
        firstWordAt = clock.now()
        return flush()
      }
      if (Buffer.byteLength(text.slice(loggedUnits)) >= streaming.flushBytes) return flush()
      timer ??= clock.after(streaming.flushMs, flush)
    },
    add(entry) {
      flush()
      outbox.push(entry)
      pump()
    },
    async settled() {
      flush()
      while (pumping !== undefined) await pumping
      if (failure !== undefined) throw failure.error
    },
    finish() {
      text += held.toWellFormed()
      held = ''
      flush()
      return { text, sha256: hash.digest('hex') }
    },
    get firstWordAt() {
      return firstWordAt
    },
    [Symbol.dispose]: () => timer?.[Symbol.dispose](),
  }
}
