// One WebSocket from `ready` to its loss. Listeners receive each frame and, once at the end, `lost`. It has no
// knowledge of turns or of other attempts. Used by `connection.ts` only.
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
/** An event that a listener sends to itself, in the same queue as the frames, so that one `await` receives both. */
export type LocalEvent = { readonly type: 'aborted' } | { readonly type: 'held'; readonly forMs: number }
export type LinkEvent = ServerFrame | Lost | LocalEvent

interface Listener {
  readonly inbox: Inbox<LinkEvent>
  readonly end: () => void
}

export interface Link {
  /** Does nothing once lost: listeners receive `lost`, and send again on the next link. */
  readonly send: (frame: ClientFrame) => void
  readonly listen: () => Listener
  /** Pings the server; when no frame arrives soon, the link counts as lost. */
  readonly check: () => void
}

export interface LinkOptions {
  readonly open: () => Socket
  readonly signal: AbortSignal
  readonly onFrame: (frame: ServerFrame) => void
  /** `inUse`: the link had listeners. */
  readonly onLost: (lost: Lost, inUse: boolean) => void
}

const readyTimeoutMs = 10_000
const checkTimeoutMs = 2_000
const abnormal = 1006
/** A loss without a close code: the server cannot be reached now. */
export const networkGone: Lost = { type: 'lost', code: abnormal }

/** Resolves at the server's `ready`; rejects with `Lost` when it does not arrive. */
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
  const readyTimer = setTimeout(() => lose(abnormal), readyTimeoutMs)

  function send(frame: ClientFrame): void {
    if (lost === undefined) socket.send(JSON.stringify(frame))
  }

  function lose(code: number): void {
    if (lost !== undefined) return
    lost = { type: 'lost', code }
    clearTimeout(readyTimer)
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
    // Without listeners, missing heartbeats are not acted on: check them now that a listener needs the link.
    if (silence.isOverdue()) check()
    else silence.reset()
    return { inbox, end: () => inboxes.delete(inbox) }
  }

  function check(): void {
    send({ type: 'ping' })
    silence.loseAfter(checkTimeoutMs, () => lose(abnormal))
  }

  function receive(data: unknown): void {
    if (lost !== undefined) return
    const frame = parse(data)
    if (frame === undefined) return lose(abnormal)
    if (frame.type === 'ready' && !ready) {
      ready = true
      clearTimeout(readyTimer)
      silence.start(frame.heartbeatMs)
      resolve({ send, listen, check })
    }
    silence.reset()
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
 * A phone that changes networks leaves a socket that is open and dead. The server sends a frame every `heartbeatMs`:
 * after twice that in silence we ping, and after one more interval without a frame the link is lost. The ping comes
 * first because a laptop that slept has a late timer, not a dead connection.
 */
function watchSilence({ ping, dead }: { readonly ping: () => void; readonly dead: () => void }) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let heartbeatMs = 0
  let lastFrameAtMs = Date.now()
  const reset = (): void => {
    clearTimeout(timer)
    lastFrameAtMs = Date.now()
    if (heartbeatMs > 0) timer = setTimeout(ask, heartbeatMs * 2)
  }
  const ask = (): void => {
    ping()
    timer = setTimeout(dead, heartbeatMs)
  }
  return {
    reset,
    isOverdue: () => heartbeatMs > 0 && Date.now() - lastFrameAtMs > heartbeatMs * 2,
    /** Calls `then` after `ms`, unless a frame arrives before. */
    loseAfter(ms: number, then: () => void): void {
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
