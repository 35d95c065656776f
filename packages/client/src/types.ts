// The public types of the client: options, parts of an answer, states of the connection.
// Platform types are structural, so that they fit both the DOM's types and Node's.
import type {
  BackpressureFrame,
  DoneFrame,
  ErasedView,
  FeedbackValue,
  HandoverAsk,
  HandoverPreview,
  HandoverView,
  Language,
  MetaFrame,
  PageContext,
  SessionDetail,
  SessionSummary,
  TransferredFrame,
} from '@mangaassist/protocol'
import type { ChatError } from './chat-error.ts'

/**
 * - `idle`: no connection, and no call needs one
 * - `connecting`: the first attempt, or the first after `idle`
 * - `open`: the server has sent `ready`
 * - `lost`: the connection broke during a call, or the browser went offline; reconnecting
 * - `closed`: `close()` was called
 */
export type ConnectionState = 'idle' | 'connecting' | 'open' | 'lost' | 'closed'

export interface ClientOptions {
  /**
   * `ws(s)://host/ws`, or the server's `http(s)://host` address. A function is called before each attempt, for an
   * address with a short-lived ticket: a `ChatError` that it throws is final, any other error is a failed attempt.
   */
  readonly url: string | (() => Promise<string>)
  /** Sent as the Origin header. Outside browsers only: a browser sends its own. */
  readonly origin?: string
  /** More request headers (`authorization`, `cookie`). Outside browsers only: a browser cannot send any. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Stores the guest token, for a program that should be the same guest the next time it runs. Without it the guest
   * ends with the client. Outside browsers, and wherever this is set, the client is a guest with a ticket for each
   * connection, unless `headers` or `url` already give an identity.
   */
  readonly guest?: GuestKeeper
  /**
   * Default: the platform's `WebSocket`. Node 20 has none: pass the default export of the package `ws`. A class that is
   * passed here gets `headers` and `origin` as `{ headers }` in a third argument, as `ws` expects.
   */
  readonly webSocket?: SocketConstructor
  /**
   * The source of `offline`, `online`, `visibilitychange` and `pageshow`, which report the loss and the return of the
   * network and a page that wakes. Default: the browser's window.
   */
  readonly page?: Page
  readonly onState?: (state: ConnectionState) => void
  /**
   * Frames that belong to no answer. `backpressure`: the client obeys it by itself; when a pause has passed, the client
   * reports `none`, as if the server had sent it. `transferred`: another device writes now; `watch` follows it, and a
   * `chat` from here makes this device the writer again.
   */
  readonly onNotice?: (notice: BackpressureFrame | TransferredFrame) => void
}

/** Errors of these functions are thrown to the caller of `chat`. The token is a secret: its holder is the guest. */
export interface GuestKeeper {
  /** Called once, when first needed. `undefined`: start as a new guest. */
  load(): string | undefined
  /** Called with each ticket: the server may have signed the token again. */
  save(token: string): void
  /** The server no longer knows the guest, and the conversations are lost; `save` is called next with a new token. */
  forget?(): void
}

export interface ChatInput {
  readonly message: string
  /** Absent: a new conversation, whose id is in `accepted`. */
  readonly sessionId?: string | undefined
  /** An explicit wish. Absent: the server answers in the language of the words. */
  readonly language?: Language | undefined
  /** The language of the interface around the chat: it decides where the message has only titles, or no words. */
  readonly interfaceLanguage?: Language | undefined
  /** The page that the shopper is on: "is this one finished?" is about its series. */
  readonly page?: PageContext | undefined
  readonly maxTokens?: number | undefined
  /**
   * The version of the conversation for which the question was written (`sessionVersion` of the last `done`): if
   * another device has asked meanwhile, the question is refused with VERSION_CONFLICT.
   */
  readonly baseVersion?: number | undefined
  /**
   * A turn of the conversation in whose place this one is asked: the same question again, or an edited one. It stays
   * stored, and is left out of what follows. INVALID_REQUEST with `already-replaced` names the turn in its place.
   */
  readonly replaces?: string | undefined
  /**
   * A turn whose answer was stopped or broke off. `message` is its question again. The new turn's text begins with the
   * shown text, continues from there, and takes its place.
   */
  readonly continues?: string | undefined
  /**
   * Default: a new random key. Pass the same key to repeat a question that must not be answered and charged twice. To
   * retry an `interrupted` answer, pass none.
   */
  readonly idempotencyKey?: string | undefined
  /**
   * How often you have sent your own `idempotencyKey`, counting this time: 1 when you have never sent it before. Omit
   * it when you do not know; the question may then have to wait while the server cannot look the key up. The client
   * adds the times that it sends the question itself.
   */
  readonly attempt?: number | undefined
  /**
   * Aborting stops the model, and the answer ends with `done` and the `finishReason` `stopped`. Without a connection it
   * throws the signal's reason at once, and the stop is sent after the reconnection.
   */
  readonly signal?: AbortSignal | undefined
}

export type ChatPart =
  /**
   * The server asked its clients to wait: the question is sent when this time has passed, or when the pause is lifted.
   */
  | { readonly type: 'held'; readonly forMs: number }
  | { readonly type: 'accepted'; readonly turnId: string; readonly sessionId: string; readonly duplicate: boolean }
  | { readonly type: 'queued'; readonly turnId: string; readonly position: number; readonly etaMs: number }
  /** May be repeated: the last one counts. */
  | { readonly type: 'meta'; readonly meta: MetaFrame }
  /** New text only: nothing is repeated, nothing is missing. `offset` is its start, in UTF-16 units. */
  | { readonly type: 'text'; readonly text: string; readonly offset: number }
  /** `text` is the whole answer; `verified`: its length and hash are those that the server sent. */
  | { readonly type: 'done'; readonly done: DoneFrame; readonly text: string; readonly verified: boolean }

/** A part of a turn of another connection in a watched conversation. `error` ends that turn, not the watch. */
export interface WatchPart {
  readonly turnId: string
  readonly part: ChatPart | { readonly type: 'error'; readonly error: ChatError }
}

export interface FeedbackOptions {
  /** Why, in at most 500 characters. */
  readonly reason?: string | undefined
  /** The conversation: the server finds an old turn by it. */
  readonly sessionId?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** The caller's own conversations, over HTTP. Each call is sent once and throws `ChatError`; NOT_FOUND for what is not the caller's. */
export interface Conversations {
  /** Latest activity first. While `next` is set there are more: pass it as `after`. */
  list(options?: {
    readonly after?: string | undefined
    readonly signal?: AbortSignal | undefined
  }): Promise<{ readonly sessions: readonly SessionSummary[]; readonly next?: string }>
  /** The newest turns, oldest first. While `earlier` is set there are more: pass it as `before`. */
  read(
    sessionId: string,
    options?: {
      readonly before?: string | undefined
      readonly limit?: number | undefined
      readonly signal?: AbortSignal | undefined
    },
  ): Promise<SessionDetail>
  remove(sessionId: string): Promise<void>
  /** Erases everything that is stored about the caller, and says what stays. */
  removeAll(): Promise<ErasedView>
  /** The shop's desk, when it answers, and what it would get. */
  previewHandover(
    sessionId: string,
    options?: { readonly language?: Language | undefined; readonly signal?: AbortSignal | undefined },
  ): Promise<HandoverPreview>
  /** Asks for a person. A conversation has one request at a time: until that is closed, a repeat returns it. */
  askForPerson(sessionId: string, asked?: HandoverAsk): Promise<HandoverView>
}

/** All iterables are lazy: nothing is sent before the first `next()`. Leaving a loop early does not stop the model. */
export interface Client {
  /** Asks, and yields the answer as it arrives. Throws `ChatError` when it is refused or cannot be delivered. */
  chat(input: ChatInput): AsyncIterable<ChatPart>
  /** Yields a running or finished turn until its `done`, with its text from `offset` (default 0). */
  resume(turnId: string, offset?: number): AsyncIterable<ChatPart>
  /** Resolves when the request has been sent; the turn's own stream shows when it has ended. */
  stop(turnId: string): Promise<void>
  /**
   * Sets the reader's thumb for an answer that has ended; a repeat replaces it, `null` takes it back. It is sent over
   * HTTP and never retried. Throws `ChatError`: NOT_FOUND for a turn that is not the caller’s, SESSION_BUSY while it runs.
   */
  feedback(turnId: string, value: FeedbackValue | null, options?: FeedbackOptions): Promise<void>
  /** Reports that a card below an answer was opened. The request outlives the page: do not wait for it to navigate. */
  opened(turnId: string, productId: string, options?: Pick<FeedbackOptions, 'sessionId'>): Promise<void>
  readonly conversations: Conversations
  /** Follows the turns of other connections in a conversation, until aborted or closed. */
  watch(sessionId: string, options?: { readonly signal?: AbortSignal }): AsyncIterable<WatchPart>
  /** Ends the connection for good; calls in flight throw `CLIENT_CLOSED`. */
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
