// The conversation behind the panel: asks, follows, stops, retries, restores, and shows turns of other devices. Every
// exchange ends or offers a way to continue, and late parts of an earlier conversation change nothing in the current
// one. No DOM.
import { ChatError } from '@mangaassist/client'
import type { ChatInput, ChatPart, Client, ClientOptions } from '@mangaassist/client'
import type { Memory } from '../../memory.ts'
import { failureOf, mayRetry } from './answer-failure.ts'
import { createExchangeList } from './exchange-list.ts'
import { advance, ended, endOf, originOf } from './exchange.ts'
import type { Exchange } from './exchange.ts'
import { createNotices } from './notices.ts'
import type { Busy, Notice } from './notices.ts'
import { createRatings } from './ratings.ts'
import type { Ratings } from './ratings.ts'
import { isRateable, rated } from './rating.ts'
import { createOtherDevices } from './other-devices.ts'
import type { StoredSession, StoredTurn, LoadSession } from './sessions.ts'
import { watchSilence } from './silence.ts'

export interface ConversationState {
  readonly exchanges: readonly Exchange[]
  readonly answering: boolean
  readonly restoring: boolean
  readonly notice: Notice | undefined
  readonly busy: Busy | undefined
}

export interface Conversation extends Ratings {
  readonly state: ConversationState
  /** Returns false, and asks nothing, while an answer is in flight or during a pause that the server asked for. */
  ask(question: string): boolean
  stop(): void
  retry(id: number): void
  startNew(): void
  restore(): Promise<void>
  /** While the panel is visible, turns of other devices are followed as they arrive. */
  setVisible(isVisible: boolean): void
  close(): void
}

export interface ConversationOptions {
  readonly connect: (events: Pick<ClientOptions, 'onState' | 'onNotice'>) => Client
  readonly load: LoadSession
  readonly memory: Memory
  readonly changed: () => void
  /** Where a question is asked: the language of the interface, and the page. */
  readonly where: () => Pick<ChatInput, 'interfaceLanguage' | 'page'>
  /** Puts a question that must be changed before it can be asked back into the field. */
  readonly giveBack: (question: string) => void
}

/** One activity at a time: a new one replaces the last, whose late results are ignored. */
type Activity =
  | { readonly type: 'idle' }
  | { readonly type: 'restoring' }
  | { readonly type: 'answering'; readonly abort: AbortController }

/** A function of the signal, so that an answer can be stopped before its first part. */
type Parts = (signal: AbortSignal) => AsyncIterable<ChatPart>

/** A quota's wait may be hours: the button is enabled sooner, and the server refuses again if need be. */
const retryWaitMaxMs = 60_000

export function createConversation(options: ConversationOptions): Conversation {
  const { connect, load, memory, changed, where, giveBack } = options
  let activity: Activity = { type: 'idle' }
  /** The session of this page; another tab may have stored another one meanwhile. */
  let { sessionId } = memory.recall()
  /** The idempotency key of each exchange's question: however often it is sent, it is answered once. */
  const keys = new Map<number, string>()
  /** Where each question was first asked: sent again from another page, it means the same. */
  const places = new Map<number, ReturnType<typeof where>>()
  const exchanges = createExchangeList(changed)
  const notices = createNotices(changed)
  const client = connect({
    onState(state) {
      notices.showConnection(state)
      others.connectionChanged(state)
    },
    onNotice(notice) {
      if (notice.type === 'backpressure') notices.showBackpressure(notice)
      else if (notice.sessionId === sessionId) notices.show({ word: 'transferred' })
    },
  })
  const others = createOtherDevices({
    client,
    load,
    sessionId: () => sessionId,
    isIdle: () => activity.type === 'idle',
    knows: (turnId) => exchanges.knows(turnId),
    show,
    resume,
  })

  const ratings = createRatings({ client, exchanges, sessionId: () => sessionId })

  function become(next: Activity): void {
    activity = next
    changed()
  }

  /** A question may be sent: no answer is in flight, and there is no pause. */
  function isFree(): boolean {
    return activity.type !== 'answering' && notices.busy?.paused !== true
  }

  function ask(question: string): boolean {
    if (!isFree()) return false
    notices.show(undefined)
    const id = exchanges.append(question)
    keys.set(id, randomKey())
    places.set(id, where())
    void follow(id, asking(id, question, 1))
    return true
  }

  /**
   * `attempt` is 1 for a new question. For a retry it is absent, because it is not known how often the client has sent the
   * question.
   */
  function asking(id: number, message: string, attempt?: 1): Parts {
    const idempotencyKey = keys.get(id)
    return (signal) => client.chat({ message, sessionId, ...places.get(id), idempotencyKey, attempt, signal })
  }

  function reading(turnId: string): Parts {
    return (signal) => {
      signal.addEventListener('abort', () => void client.stop(turnId).catch(() => {}))
      return client.resume(turnId)
    }
  }

  async function follow(id: number, parts: Parts): Promise<void> {
    const abort = new AbortController()
    const mine: Activity = { type: 'answering', abort }
    // Both change in one update: the end of an earlier attempt must not be announced as the end of this one.
    activity = mine
    exchanges.update(id, (exchange) => ({ ...exchange, phase: { type: 'waiting' } }))
    try {
      await play(id, parts(abort.signal))
    } catch (error) {
      fail(id, error, abort.signal.aborted)
    }
    // Not ours any more: a new conversation was started, and its first answer may already be in flight.
    if (activity !== mine) return
    become({ type: 'idle' })
    others.catchUpIfBehind()
  }

  async function play(id: number, parts: AsyncIterable<ChatPart>): Promise<void> {
    const silence = watchSilence(() => exchanges.update(id, (exchange) => ({ ...exchange, silent: true })))
    try {
      for await (const part of parts) {
        silence.reset()
        if (part.type === 'accepted' && exchanges.find(id) !== undefined) enter(part.sessionId)
        exchanges.update(id, (exchange) => advance(exchange, part))
        if (part.type === 'done') return
      }
      throw new Error('The stream of parts ended without `done`.')
    } finally {
      silence.end()
    }
  }

  function fail(id: number, error: unknown, isStopped: boolean): void {
    const exchange = exchanges.find(id)
    if (exchange === undefined) return
    const { end, endsSession, isTooLong } = failureOf(error, exchange, isStopped)
    if (isTooLong && exchange.question !== undefined) giveBack(exchange.question)
    if (endsSession) enter(undefined)
    exchanges.update(id, (current) => ended(current, end))
    const { retryAfterMs = 0 } = error instanceof ChatError ? error : {}
    if (retryAfterMs > 0) setTimeout(() => exchanges.update(id, mayRetry), Math.min(retryAfterMs, retryWaitMaxMs))
  }

  function retry(id: number): void {
    const exchange = exchanges.find(id)
    if (!isFree() || exchange?.phase.type !== 'ended') return
    const { question, turnId, phase } = exchange
    const { remedy } = phase.end
    if (remedy === 'read' && turnId !== undefined) return void follow(id, reading(turnId))
    if (question === undefined) return
    if (remedy === 'ask' || remedy === 'ask-elsewhere') keys.set(id, randomKey())
    // A question that was never accepted is sent again in its own exchange; a bad answer stays, and a new one follows.
    if (turnId === undefined) void follow(id, asking(id, question))
    else ask(question)
  }

  async function restore(): Promise<void> {
    const restored = sessionId
    if (restored === undefined || exchanges.all.length > 0) return
    const mine: Activity = { type: 'restoring' }
    become(mine)
    const session = await load(restored).catch(() => undefined)
    // False when the shopper asked a question or started a new conversation meanwhile.
    const isAwaited = activity === mine
    if (isAwaited) become({ type: 'idle' })
    if (session === undefined && sessionId === restored) notices.show({ word: 'cannotLoad' })
    if (session === undefined || !isAwaited) return
    if (session === 'gone') return forget()
    show(session)
    others.catchUpIfBehind()
  }

  /** Appends the turns that are not shown yet, and follows the one that is in flight. */
  function show({ turns, running }: StoredSession): void {
    for (const turn of turns) if (!exchanges.knows(turn.turnId)) showStored(turn)
    if (running !== undefined && !exchanges.knows(running.turnId)) resume(running)
  }

  function showStored({ turnId, question, answer, finishReason, tier, ...shown }: StoredTurn): void {
    const id = exchanges.append(question, turnId)
    const { products, suggestions = [], sources = [], feedback } = shown
    const origin = originOf({ tier, degraded: false, sources })
    const rating = isRateable({ text: answer, finishReason, tier }) ? { rating: rated(feedback?.value ?? null) } : {}
    const answered = { text: answer, products, suggestions, sources, origin, ...rating }
    exchanges.update(id, (exchange) => ended({ ...exchange, ...answered }, endOf({ finishReason })))
  }

  function resume({ turnId, question }: NonNullable<StoredSession['running']>): void {
    void follow(exchanges.append(question, turnId), reading(turnId))
  }

  function enter(next: string | undefined): void {
    const hasChanged = next !== sessionId
    sessionId = next
    memory.remember({ sessionId })
    others.sessionSet(hasChanged)
  }

  function forget(): void {
    enter(undefined)
    notices.show({ word: 'sessionGone' })
  }

  function stop(): void {
    if (activity.type === 'answering') activity.abort.abort()
  }

  function startNew(): void {
    stop()
    keys.clear()
    places.clear()
    enter(undefined)
    notices.show(undefined)
    activity = { type: 'idle' }
    exchanges.clear()
  }

  return {
    get state() {
      const { notice, busy } = notices
      const answering = activity.type === 'answering'
      return { exchanges: exchanges.all, answering, restoring: activity.type === 'restoring', notice, busy }
    },
    ask,
    stop,
    retry,
    startNew,
    restore,
    ...ratings,
    setVisible: (isVisible) => others.setVisible(isVisible),
    close() {
      notices.close()
      client.close()
    },
  }
}

/** Not `randomUUID`, which is missing on pages over plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('')
}
