// The conversation behind the panel: asks, follows, stops, retries, restores, and shows turns of other devices. Every
// exchange ends or offers a way to continue, and late parts of an earlier conversation change nothing in the current
// one. No DOM.
import { ChatError } from '@mangaassist/client'
import type { ChatInput, ChatPart, Client, ClientOptions } from '@mangaassist/client'
import type { Memory } from '../../memory.ts'
import { failureOf, mayRetry } from './answer-failure.ts'
import type { Refusal } from './answer-failure.ts'
import { createEarlierTurns } from './earlier-turns.ts'
import { createExchangeList } from './exchange-list.ts'
import { advance, ended, endOf, originOf } from './exchange.ts'
import type { Exchange, TurnLink } from './exchange.ts'
import { createLimitKeeper, heldMaxMs } from './limit.ts'
import type { Limit } from './limit.ts'
import { createNotices } from './notices.ts'
import type { Busy, Notice } from './notices.ts'
import type { DeskCalls } from './person-desk.ts'
import { createRatings } from './ratings.ts'
import type { Ratings } from './ratings.ts'
import { isRateable, rated } from './rating.ts'
import { createOtherDevices } from './other-devices.ts'
import type { StoredSession, StoredTurn, LoadSession } from './sessions.ts'
import { watchSilence } from './silence.ts'
import { createTabs } from './tabs.ts'
import type { TabChannel } from './tabs.ts'

export interface ConversationState {
  /** The exchanges to show: a replaced one is folded into the one that replaces it. */
  readonly exchanges: readonly Exchange[]
  readonly answering: boolean
  readonly restoring: boolean
  readonly notice: Notice | undefined
  readonly busy: Busy | undefined
  /** Why the last question was refused, and when it can be sent. */
  readonly limit: Limit | undefined
  /** A question may be sent: no answer is in flight, there is no pause, and no limit holds it. */
  readonly free: boolean
  /** The longest message that the server takes, in characters, when it has said so. */
  readonly charactersMax: number | undefined
}

export interface Conversation extends Ratings {
  readonly state: ConversationState
  /** Returns false, and asks nothing, while an answer is in flight or during a pause that the server asked for. */
  ask(question: string): boolean
  stop(): void
  retry(id: number): void
  /** Asks the question of an exchange again, or another one in its place; the exchange is folded into the new one. */
  askInstead(id: number, question?: string): boolean
  /** Continues an answer that was stopped or cut. */
  goOn(id: number): boolean
  /** The calls to the shop's desk, for a way to a person. */
  readonly desk: DeskCalls
  /** The id of the conversation on the server; undefined before the first question. */
  sessionId(): string | undefined
  startNew(): void
  /** Shows another conversation of the reader. An answer in flight is made to its end. */
  open(sessionId: string | undefined): void
  /** Call after conversations were deleted in another tab: closes the open one if it no longer exists. */
  recheck(): Promise<void>
  restore(): Promise<void>
  /** Loads turns before those that are shown, if there are any. */
  loadEarlier(): Promise<void>
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
  /** Puts a question that was refused back into the field. Returns false when the shopper has begun another one. */
  readonly giveBack: (question: string) => boolean
  /** Opens the channel to the other tabs of this browser; absent where there is none. */
  readonly openChannel?: () => TabChannel
}

/** One activity at a time: a new one replaces the last, whose late results are ignored. */
type Activity =
  | { readonly type: 'idle' }
  | { readonly type: 'restoring' }
  | { readonly type: 'answering'; readonly abort: AbortController; readonly id: number }

/** A function of the signal, so that an answer can be stopped before its first part. */
type Parts = (signal: AbortSignal) => AsyncIterable<ChatPart>

export function createConversation(options: ConversationOptions): Conversation {
  const { connect, load, memory, changed, where, giveBack, openChannel } = options
  let activity: Activity = { type: 'idle' }
  /** The session of this page; another tab may have stored another one meanwhile. */
  let { sessionId } = memory.recall()
  /** The idempotency key of each exchange's question: however often it is sent, it is answered once. */
  const keys = new Map<number, string>()
  /** The page on which each question was first asked: a repeat from another page keeps that meaning. */
  const places = new Map<number, ReturnType<typeof where>>()
  /** A question that is in the field again: sent unchanged, it still replaces what it was to replace. */
  let returned: { readonly question: string; readonly link: TurnLink } | undefined
  let charactersMax: number | undefined
  const exchanges = createExchangeList(changed)
  const notices = createNotices(changed)
  const limits = createLimitKeeper(changed)
  const tabs = createTabs(openChannel, (written) => {
    if (written === sessionId) notices.correct('transferred', 'transferredTab')
  })
  const client = connect({
    onState(state) {
      notices.showConnection(state)
      showOffline(state === 'lost')
      others.connectionChanged(state)
    },
    onNotice(notice) {
      if (notice.type === 'backpressure') notices.showBackpressure(notice)
      else if (notice.sessionId === sessionId)
        notices.show({ word: tabs.wroteLately(notice.sessionId) ? 'transferredTab' : 'transferred' })
    },
  })
  const own = (): string | undefined => sessionId
  const isIdle = (): boolean => activity.type === 'idle'
  const others = createOtherDevices({ client, load, sessionId: own, isIdle, knows: exchanges.knows, show, resume })
  const earlier = createEarlierTurns({ load, sessionId: own, show: showEarlier })
  const ratings = createRatings({ client, exchanges, sessionId: own })

  function become(next: Activity): void {
    activity = next
    changed()
  }

  function isFree(): boolean {
    // While the server asks for a pause the client holds the question, and sends it when the pause is over.
    return activity.type !== 'answering' && !limits.isHeld
  }

  function showOffline(offline: boolean): void {
    if (activity.type === 'answering') exchanges.update(activity.id, (exchange) => ({ ...exchange, offline }))
  }

  function ask(question: string, given?: TurnLink): boolean {
    if (!isFree()) return false
    const link = given ?? (returned?.question === question ? returned.link : {})
    returned = undefined
    notices.show(undefined)
    limits.clear()
    const text = exchanges.all.find(({ turnId }) => turnId !== undefined && turnId === link.continues)?.text ?? ''
    const id = exchanges.append(question, { link, atMs: Date.now(), text })
    keys.set(id, randomKey())
    places.set(id, where())
    void follow(id, asking(id, question, 1))
    return true
  }

  function askInstead(id: number, question?: string): boolean {
    const { question: asked, turnId: replaces, phase } = exchanges.find(id) ?? {}
    const message = question ?? asked
    if (phase?.type !== 'ended' || message === undefined) return false
    return ask(message, { replaces })
  }

  function goOn(id: number): boolean {
    const { question, turnId: continues, phase } = exchanges.find(id) ?? {}
    if (phase?.type !== 'ended' || question === undefined || continues === undefined) return false
    return ask(question, { continues })
  }

  /**
   * `attempt` is 1 for a new question. For a retry it is absent, because it is not known how often the client has sent the
   * question.
   */
  function asking(id: number, message: string, attempt?: 1): Parts {
    const idempotencyKey = keys.get(id)
    return (signal) => {
      const link = exchanges.find(id)?.link
      if (sessionId !== undefined) tabs.writes(sessionId)
      return client.chat({ message, sessionId, ...places.get(id), ...link, idempotencyKey, attempt, signal })
    }
  }

  function reading(turnId: string): Parts {
    return (signal) => {
      signal.addEventListener('abort', () => void client.stop(turnId).catch(() => {}))
      return client.resume(turnId)
    }
  }

  async function follow(id: number, parts: Parts): Promise<void> {
    const abort = new AbortController()
    const mine: Activity = { type: 'answering', abort, id }
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
    // While there is no connection, silence does not mean that the answer has stopped.
    const silence = watchSilence(() => exchanges.update(id, (exchange) => ({ ...exchange, silent: !exchange.offline })))
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
    const { end, endsSession, losesLink, refusal } = failureOf(error, exchange, isStopped)
    if (refusal !== undefined && takeBack(exchange, refusal)) return
    if (endsSession) enter(undefined)
    exchanges.update(id, (current) => ended(losesLink ? { ...current, link: {}, text: '' } : current, end))
    const { retryAfterMs = 0 } = error instanceof ChatError ? error : {}
    if (retryAfterMs > 0) setTimeout(() => exchanges.update(id, mayRetry), Math.min(retryAfterMs, heldMaxMs))
  }

  /** A refused question is a draft again, and no exchange. */
  function takeBack({ id, question, link, phase }: Exchange, refusal: Refusal): boolean {
    charactersMax = refusal.charactersMax ?? charactersMax
    if (question === undefined || phase.type !== 'waiting') return false
    // The shopper did not write the question of a continuation: the cut answer is shown again, with its button.
    if (link.continues === undefined && !giveBack(question)) return false
    if (link.continues === undefined) returned = { question, link }
    keys.delete(id)
    places.delete(id)
    limits.set(refusal)
    exchanges.remove(id)
    return true
  }

  function retry(id: number): void {
    const exchange = exchanges.find(id)
    if (!isFree() || exchange?.phase.type !== 'ended') return
    const { question, turnId, phase } = exchange
    const { remedy } = phase.end
    if (remedy === 'read' && turnId !== undefined) return void follow(id, reading(turnId))
    if (question === undefined) return
    if (remedy === 'ask' || remedy === 'ask-elsewhere') keys.set(id, randomKey())
    // A question that was never accepted is sent again in its own exchange; a bad answer is replaced by a new one.
    if (turnId === undefined) void follow(id, asking(id, question))
    else if (remedy === 'ask-elsewhere') ask(question, {})
    else askInstead(id)
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
    earlier.set(session.earlier)
    others.catchUpIfBehind()
  }

  /** Appends the turns that are not shown yet, and follows the one that is in flight. */
  function show({ turns, running }: StoredSession): void {
    for (const turn of turns) if (!exchanges.knows(turn.turnId)) showStored(turn)
    if (running !== undefined && !exchanges.knows(running.turnId)) resume(running)
  }

  function showEarlier(turns: readonly StoredTurn[]): void {
    const before = exchanges.all[0]?.id
    for (const turn of turns) if (!exchanges.knows(turn.turnId)) showStored(turn, before)
  }

  function showStored(stored: StoredTurn, before?: number): void {
    const { turnId, question, answer, finishReason, tier, ...shown } = stored
    const { products, suggestions = [], sources = [], contact, feedback, replaces, continues, continuable, at } = shown
    const atMs = at === undefined ? undefined : Date.parse(at)
    const link = continues ? { continues: replaces } : { replaces }
    const id = exchanges.append(question, { turnId, link, atMs, before })
    const origin = originOf({ tier, degraded: false, sources })
    const rating = isRateable({ text: answer, finishReason, tier }) ? { rating: rated(feedback?.value ?? null) } : {}
    const reach = contact === undefined ? {} : { contact }
    const answered = { text: answer, tier, products, suggestions, sources, origin, ...reach, ...rating }
    exchanges.update(id, (exchange) =>
      ended({ ...exchange, ...answered }, endOf({ finishReason, ...(continuable === false ? { continuable } : {}) })),
    )
  }

  function resume({ turnId, question, replaces, continues }: NonNullable<StoredSession['running']>): void {
    const link = continues ? { continues: replaces } : { replaces }
    void follow(exchanges.append(question, { turnId, link }), reading(turnId))
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
    open(undefined)
  }

  function open(next: string | undefined): void {
    keys.clear()
    places.clear()
    returned = undefined
    limits.clear()
    earlier.set(undefined)
    enter(next)
    notices.show(undefined)
    activity = { type: 'idle' }
    exchanges.clear()
    void restore()
  }

  async function recheck(): Promise<void> {
    const checked = sessionId
    if (checked === undefined || activity.type !== 'idle') return
    if ((await load(checked).catch(() => undefined)) === 'gone' && checked === sessionId) open(undefined)
  }

  return {
    get state() {
      const { notice, busy } = notices
      return {
        exchanges: exchanges.shown,
        answering: activity.type === 'answering',
        restoring: activity.type === 'restoring',
        notice,
        busy,
        limit: limits.limit,
        free: isFree(),
        charactersMax,
      }
    },
    ask: (question) => ask(question),
    stop,
    retry,
    askInstead,
    goOn,
    desk: client.conversations,
    sessionId: own,
    startNew,
    open,
    recheck,
    loadEarlier: earlier.load,
    restore,
    ...ratings,
    setVisible: (isVisible) => others.setVisible(isVisible),
    close() {
      notices.close()
      limits.close()
      tabs.close()
      client.close()
    },
  }
}

/** Not `randomUUID`, which is missing on pages over plain http. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('')
}
