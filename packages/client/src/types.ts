// What a user of the client sees: the options, the parts of an answer, and the states of the connection.
// Structural where the platform is concerned, so that it typechecks with the DOM's types and with Node's.
import type { BackpressureFrame, DoneFrame, Language, MetaFrame, TransferredFrame } from '@mangaassist/protocol'
import type { ChatError } from './chat-error.ts'

/**
 * - `idle`: no connection, and nobody needs one
 * - `connecting`: the first attempt, or the first after `idle`
 * - `open`: the server has said `ready`
 * - `lost`: it broke while something was under way, or the browser went offline; reconnecting
 * - `closed`: `close()` was called
 */
export type ConnectionState = 'idle' | 'connecting' | 'open' | 'lost' | 'closed'

export interface ClientOptions {
  /**
   * `ws(s)://host/ws`, or the server's `http(s)://host` address. A function is asked before each attempt, for an
   * address that carries a short-lived ticket: a `ChatError` it throws is final, anything else a failed attempt.
   */
  readonly url: string | (() => Promise<string>)
  /** Sent as the Origin header. Outside browsers only: a browser sends its own. */
  readonly origin?: string
  /** More request headers (`authorization`, `cookie`). Outside browsers only: a browser has no way to send any. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Keeps the guest token, for a program that wants to be the same guest the next time it runs. Without it the guest lives
   * as long as the client. Outside browsers, and wherever this is given, the client is a guest with a ticket for each
   * connection, unless `headers` or `url` already say who it is.
   */
  readonly guest?: GuestKeeper
  /**
   * Default: the platform's `WebSocket`. Node 20 has none: give the default export of the package `ws`. A class that is
   * given here gets `headers` and `origin` as `{ headers }` in a third argument, as `ws` takes them.
   */
  readonly webSocket?: SocketConstructor
  /**
   * Who tells that the network went and came, and that a page that slept is awake: `offline`, `online`,
   * `visibilitychange`, `pageshow`. Default: the browser's window.
   */
  readonly page?: Page
  readonly onState?: (state: ConnectionState) => void
  /**
   * What the server says to the connection rather than in an answer: slow down (the client does, by itself), or another
   * device writes now (`watch` follows it; a `chat` from here takes the pen back). A pause that has passed is told as
   * `none`, as though the server had said it.
   */
  readonly onNotice?: (notice: BackpressureFrame | TransferredFrame) => void
}

/** What its functions throw is thrown to whoever asked something. The token is a secret: it is the guest. */
export interface GuestKeeper {
  /** Asked once, when first needed. `undefined`: begin as a new guest. */
  load(): string | undefined
  /** Told with each ticket: the server may have signed the token anew. */
  save(token: string): void
  /** The server no longer knows that guest, whose conversations are out of reach; a new token is saved next. */
  forget?(): void
}

export interface ChatInput {
  readonly message: string
  /** Absent: a new conversation; its id comes in `accepted`. */
  readonly sessionId?: string | undefined
  readonly language?: Language | undefined
  readonly maxTokens?: number | undefined
  /**
   * The version of the conversation this question was written for (`sessionVersion` of the last `done`): when another
   * device has moved on, it is refused with VERSION_CONFLICT.
   */
  readonly baseVersion?: number | undefined
  /**
   * Default: a fresh random one. Give the same again to ask again without being answered (and charged) twice; to try an
   * `interrupted` answer again, give none.
   */
  readonly idempotencyKey?: string | undefined
  /**
   * Which sending of your own `idempotencyKey` this is: 1 when you have never sent it before. Leave it out when you do not know; the
   * question may then have to wait while the server cannot look the key up. The client counts its own sendings on from here.
   */
  readonly attempt?: number | undefined
  /**
   * Aborting stops the model, and the answer ends with `done`, `finishReason` `stopped`. With no connection to say so
   * on, it throws the signal's reason at once, and the stop is sent when there is one.
   */
  readonly signal?: AbortSignal | undefined
}

export type ChatPart =
  /** The server asked its clients to wait: the question goes out when this has passed, or when it is lifted. */
  | { readonly type: 'held'; readonly forMs: number }
  | { readonly type: 'accepted'; readonly turnId: string; readonly sessionId: string; readonly duplicate: boolean }
  | { readonly type: 'queued'; readonly turnId: string; readonly position: number; readonly etaMs: number }
  /** May repeat: the last one wins. */
  | { readonly type: 'meta'; readonly meta: MetaFrame }
  /** New text only: nothing is given twice, nothing is left out. `offset` is where it begins, in UTF-16 units. */
  | { readonly type: 'text'; readonly text: string; readonly offset: number }
  /** `text` is the whole answer; `verified` says that its length and hash are those the server promised. */
  | { readonly type: 'done'; readonly done: DoneFrame; readonly text: string; readonly verified: boolean }

/** A part of a turn that someone asked in a watched conversation. `error` ends that turn, not the watch. */
export interface WatchPart {
  readonly turnId: string
  readonly part: ChatPart | { readonly type: 'error'; readonly error: ChatError }
}

/** All iterables are lazy: nothing is sent before the first `next()`. Leaving a loop early does not stop the model. */
export interface Client {
  /** Asks, and yields the answer as it comes. Throws `ChatError` when it is refused or cannot be brought home. */
  chat(input: ChatInput): AsyncIterable<ChatPart>
  /** Yields a running or finished turn, its text from `offset` (default 0) on, until its `done`. */
  resume(turnId: string, offset?: number): AsyncIterable<ChatPart>
  /** Resolves when the request has been sent; the turn's own stream tells when it ended. */
  stop(turnId: string): Promise<void>
  /** Follows the turns that other connections ask in a conversation, until aborted or closed. */
  watch(sessionId: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<WatchPart>
  /** Ends the connection for good; what is under way throws `CLIENT_CLOSED`. */
  close(): void
}

/** The part of a browser's `window` that is used here. */
export interface Page {
  readonly navigator?: { readonly onLine?: boolean }
  readonly document?: { readonly visibilityState: string }
  readonly addEventListener?: (type: string, listener: () => void) => void
  readonly removeEventListener?: (type: string, listener: () => void) => void
}

/** The part of `WebSocket` that is used here. */
export interface Socket {
  send(data: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
}
export type SocketConstructor = new (
  url: string,
  protocols: string[],
  options?: { readonly headers: Record<string, string> },
) => Socket
