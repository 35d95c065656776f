// One WebSocket from its `ready` to its loss. It tells its listeners each frame and, last, that it was lost, once;
// it knows nothing of turns, and nothing of other attempts. Used by `connection.ts` only.
import type { ClientFrame, ServerFrame } from '@mangaassist/protocol'
import { deferred } from './deferred.ts'
import { createInbox } from './inbox.ts'
import type { Inbox } from './inbox.ts'
import type { Socket } from './types.ts'

export interface Lost {
  readonly type: 'lost'
  /** The WebSocket's close code; 1006 when there was none. */
  readonly code: number
}
/** A listener's word to itself: in the same queue, one `await` serves it too. */
export type OwnWord = { readonly type: 'aborted' } | { readonly type: 'held'; readonly forMs: number }
export type LinkEvent = ServerFrame | Lost | OwnWord

interface Listener {
  readonly inbox: Inbox<LinkEvent>
  readonly end: () => void
}

export interface Link {
  /** Silently nothing once lost: whoever listens is told, and says it again on the next link. */
  readonly send: (frame: ClientFrame) => void
  readonly listen: () => Listener
  /** It may be dead: asks the server, and is lost when no answer comes soon. */
  readonly check: () => void
}

export interface LinkOptions {
  readonly open: () => Socket
  readonly signal: AbortSignal
  readonly onFrame: (frame: ServerFrame) => void
  /** `inUse`: somebody was listening. */
  readonly onLost: (lost: Lost, inUse: boolean) => void
}

const readyWithinMs = 10_000
const checkedWithinMs = 2_000
const abnormal = 1006
/** A loss without a close code: there is no way to the server now. */
export const networkGone: Lost = { type: 'lost', code: abnormal }

/** Resolves at the server's `ready`; rejects with `Lost` when it does not come. */
export function openLink({ open, signal, onFrame, onLost }: LinkOptions): Promise<Link> {
  const { promise, resolve, reject } = deferred<Link>()
  const inboxes = new Set<Inbox<LinkEvent>>()
  const socket = open()
  let lost: Lost | undefined
  let ready = false
  const silence = watchSilence({
    ping: () => inboxes.size > 0 && send({ type: 'ping' }),
    dead: () => inboxes.size > 0 && lose(abnormal),
  })
  const patience = setTimeout(() => lose(abnormal), readyWithinMs)

  function send(frame: ClientFrame): void {
    if (lost === undefined) socket.send(JSON.stringify(frame))
  }

  function lose(code: number): void {
    if (lost !== undefined) return
    lost = { type: 'lost', code }
    clearTimeout(patience)
    silence.end()
    signal.removeEventListener('abort', leave)
    socket.close()
    if (ready) onLost(lost, inboxes.size > 0)
    else reject(lost)
    for (const inbox of inboxes) inbox.push(lost)
  }

  function leave(): void {
    lose(1000)
  }

  function listen(): Listener {
    const inbox = createInbox<LinkEvent>()
    if (lost === undefined) inboxes.add(inbox)
    else inbox.push(lost)
    // What the server did not say while nobody listened is missed only now, by the one who needs it.
    if (silence.isOverdue()) check()
    else silence.heard()
    return { inbox, end: () => inboxes.delete(inbox) }
  }

  function check(): void {
    send({ type: 'ping' })
    silence.endsIn(checkedWithinMs, () => lose(abnormal))
  }

  function receive(data: unknown): void {
    if (lost !== undefined) return
    const frame = parse(data)
    if (frame === undefined) return lose(abnormal)
    if (frame.type === 'ready' && !ready) {
      ready = true
      clearTimeout(patience)
      silence.start(frame.heartbeatMs)
      resolve({ send, listen, check })
    }
    silence.heard()
    onFrame(frame)
    for (const inbox of inboxes) inbox.push(frame)
  }

  signal.addEventListener('abort', leave)
  socket.addEventListener('message', (event) => receive(event.data))
  socket.addEventListener('error', () => lose(abnormal))
  socket.addEventListener('close', (event) => lose(event.code))
  return promise
}

function parse(data: unknown): ServerFrame | undefined {
  try {
    return JSON.parse(data as string) as ServerFrame
  } catch {
    return undefined
  }
}

/**
 * A phone that changes networks leaves a socket that is open and dead. The server speaks every `heartbeatMs`, so twice
 * that in silence makes a ping, and once more without an answer a loss. Ping first: a laptop that slept has a late
 * timer, not a dead connection.
 */
function watchSilence({ ping, dead }: { readonly ping: () => void; readonly dead: () => void }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let heartbeatMs = 0
  let heardAtMs = Date.now()
  const heard = (): void => {
    clearTimeout(timer)
    heardAtMs = Date.now()
    if (heartbeatMs > 0) timer = setTimeout(ask, heartbeatMs * 2)
  }
  const ask = (): void => {
    ping()
    timer = setTimeout(dead, heartbeatMs)
  }
  return {
    heard,
    isOverdue: () => heartbeatMs > 0 && Date.now() - heardAtMs > heartbeatMs * 2,
    /** Until something is heard. */
    endsIn(ms: number, then: () => void): void {
      clearTimeout(timer)
      if (heartbeatMs > 0) timer = setTimeout(then, Math.min(ms, heartbeatMs))
    },
    start(everyMs: number): void {
      heartbeatMs = everyMs
    },
    end(): void {
      clearTimeout(timer)
      heartbeatMs = 0
    },
  }
}
