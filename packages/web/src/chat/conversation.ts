// The conversation behind the panel: asks, follows, stops, tries again, restores, keeps up with other devices. It never
// leaves an exchange without an end or a way onward, and what belongs to a conversation that was left changes nothing in
// the next one. No DOM.
import { ChatError } from '@mangaassist/client'
import type { ChatPart, Client, ClientOptions, ConnectionState } from '@mangaassist/client'
import type { Memory } from '../memory.ts'
import { originRefused } from './door.ts'
import { advance, ended, endOf, newExchange, originOf } from './exchange.ts'
import type { End, Exchange, Word } from './exchange.ts'
import type { KeptSession, KeptTurn, LoadSession } from './sessions.ts'

export type Notice = { readonly word: Word } | { readonly text: string }

export interface ConversationState {
  readonly exchanges: readonly Exchange[]
  readonly answering: boolean
  readonly restoring: boolean
  readonly notice: Notice | undefined
  /** The server asked for less; during a pause nothing can be sent. Told while there is nothing else to tell. */
  readonly busy: { readonly paused: boolean; readonly notice: Notice } | undefined
}

export interface Conversation {
  readonly state: ConversationState
  /** False when an answer is under way or the server asked for a pause: the question is left to the asker. */
  ask(question: string): boolean
  stop(): void
  retry(id: number): void
  startAnew(): void
  restore(): Promise<void>
  /** Somebody looks at it: then what other devices ask is followed as it comes. */
  attend(looking: boolean): void
  close(): void
}

export interface ConversationOptions {
  readonly connect: (events: Pick<ClientOptions, 'onState' | 'onNotice'>) => Client
  readonly load: LoadSession
  readonly memory: Memory
  readonly changed: () => void
  /** A question that must be changed before it can be asked: for the field it was written in. */
  readonly giveBack: (question: string) => void
}

/** A function of the signal, so that stopping works from the first moment. */
type Parts = (signal: AbortSignal) => AsyncIterable<ChatPart>

const stillWorkingAfterMs = 3000
const backShownMs = 3000
/** A quota's wait may be hours: the button comes back sooner, and the server says it again. */
const retryWaitMaxMs = 60_000

export function createConversation({ connect, load, memory, changed, giveBack }: ConversationOptions): Conversation {
  let state: ConversationState = {
    exchanges: [],
    answering: false,
    restoring: false,
    notice: undefined,
    busy: undefined,
  }
  /** Of this page: another tab may remember another one meanwhile. */
  let { sessionId } = memory.recall()
  let attended = false
  /** Others may have asked while there was no connection. */
  let missed = false
  let watching: AbortController | undefined
  /** Turns that another device asked while we could not look. */
  const unseen = new Set<string>()
  let nextId = 1
  let stopAnswer: (() => void) | undefined
  let noticeTimer: ReturnType<typeof setTimeout> | undefined
  /** The key under which a question was sent: with the same one it is answered once. */
  const keys = new Map<number, string>()
  const client = connect({ onState: showConnection, onNotice: showServerNotice })

  function change(over: Partial<ConversationState>): void {
    state = { ...state, ...over }
    changed()
  }

  function find(id: number): Exchange | undefined {
    return state.exchanges.find((exchange) => exchange.id === id)
  }

  function update(id: number, next: (exchange: Exchange) => Exchange): void {
    if (find(id) === undefined) return
    change({ exchanges: state.exchanges.map((exchange) => (exchange.id === id ? next(exchange) : exchange)) })
  }

  function append(question: string | undefined, turnId?: string): number {
    const id = nextId
    nextId += 1
    change({ exchanges: [...state.exchanges, newExchange(id, question, turnId)] })
    return id
  }

  /** Neither an answer under way, which another question would collide with, nor a pause. */
  function isFree(): boolean {
    return stopAnswer === undefined && state.busy?.paused !== true
  }

  function ask(question: string): boolean {
    if (!isFree()) return false
    showNotice(undefined)
    const id = append(question)
    keys.set(id, randomKey())
    void follow(id, asking(id, question, 1))
    return true
  }

  /** `attempt` 1 says that the question was never sent before; of a second try nobody knows how often the client sent it. */
  function asking(id: number, message: string, attempt?: 1): Parts {
    const idempotencyKey = keys.get(id)
    return (signal) => client.chat({ message, sessionId, idempotencyKey, attempt, signal })
  }

  function reading(turnId: string): Parts {
    return (signal) => {
      signal.addEventListener('abort', () => void client.stop(turnId).catch(() => {}))
      return client.resume(turnId)
    }
  }

  async function follow(id: number, parts: Parts): Promise<void> {
    const controller = new AbortController()
    const stop = (): void => controller.abort()
    stopAnswer = stop
    update(id, (exchange) => ({ ...exchange, phase: { type: 'waiting' } }))
    change({ answering: true })
    try {
      await play(id, parts(controller.signal))
    } catch (error) {
      fail(id, error, controller.signal.aborted)
    }
    // After "new conversation" the next answer may already be under way.
    if (stopAnswer !== stop) return
    stopAnswer = undefined
    change({ answering: false })
    lookAgain()
  }

  async function play(id: number, parts: AsyncIterable<ChatPart>): Promise<void> {
    const silence = watchSilence(() => update(id, (exchange) => ({ ...exchange, silent: true })))
    try {
      for await (const part of parts) {
        silence.heard()
        if (part.type === 'accepted' && find(id) !== undefined) enter(part.sessionId)
        update(id, (exchange) => advance(exchange, part))
        if (part.type === 'done') return
      }
      throw new Error('The answer ended without saying so.')
    } finally {
      silence.end()
    }
  }

  function fail(id: number, error: unknown, stopped: boolean): void {
    const { question } = find(id) ?? {}
    if (question !== undefined && tooLong(error) !== undefined) giveBack(question)
    update(id, (exchange) => ended(exchange, failure(error, exchange, stopped)))
    const { retryAfterMs = 0 } = error instanceof ChatError ? error : {}
    if (retryAfterMs > 0) setTimeout(() => update(id, mayRetry), Math.min(retryAfterMs, retryWaitMaxMs))
  }

  function failure(error: unknown, { turnId }: Exchange, stopped: boolean): End {
    if (!(error instanceof ChatError)) return stopped ? { word: 'endStopped' } : { word: 'unexpected', remedy: 'ask' }
    if (error.code === 'CONNECTION_LOST')
      return { word: 'unreachable', remedy: turnId === undefined ? 'resend' : 'read' }
    if (error.code === 'CLIENT_CLOSED') return { word: 'endInterrupted' }
    if (error.details?.['reason'] === originRefused) return { word: 'notAllowed' }
    const length = tooLong(error)
    if (length !== undefined) return length
    // Asking again then starts a conversation instead of failing for ever.
    if (error.code === 'SESSION_EXPIRED' || error.code === 'NOT_FOUND') enter(undefined)
    const { message: text, retryAfterMs } = error
    if (isConversationUsedUp(error)) {
      enter(undefined)
      return { text, remedy: 'ask-elsewhere' }
    }
    return { text, remedy: 'ask', ...(retryAfterMs !== undefined && retryAfterMs > 0 && { retryAfterMs }) }
  }

  function retry(id: number): void {
    const exchange = find(id)
    if (!isFree() || exchange?.phase.type !== 'ended') return
    const { question, turnId, phase } = exchange
    const { remedy } = phase.end
    if (remedy === 'read' && turnId !== undefined) return void follow(id, reading(turnId))
    if (question === undefined) return
    if (remedy === 'ask' || remedy === 'ask-elsewhere') keys.set(id, randomKey())
    // What was never accepted is tried in its place; an answer that ended badly stays, and the next one follows it.
    if (turnId === undefined) void follow(id, asking(id, question))
    else ask(question)
  }

  async function restore(): Promise<void> {
    if (sessionId === undefined || state.exchanges.length > 0) return
    change({ restoring: true })
    try {
      const session = await load(sessionId)
      change({ restoring: false })
      // Somebody who could not wait has begun a new one meanwhile.
      if (state.exchanges.length > 0) return
      if (session === 'gone') return forget()
      show(session)
      lookAgain()
    } catch {
      change({ restoring: false })
      showNotice({ word: 'cannotLoad' })
    }
  }

  /** What is new in it, at its end; an answer that still runs is followed. */
  function show({ turns, running }: KeptSession): void {
    for (const turn of turns) if (!knows(turn.turnId)) showKept(turn)
    if (running !== undefined && !knows(running.turnId)) resume(running)
  }

  function knows(turnId: string): boolean {
    return state.exchanges.some((exchange) => exchange.turnId === turnId)
  }

  function enter(next: string | undefined): void {
    const changes = next !== sessionId
    sessionId = next
    memory.remember({ sessionId })
    if (changes) unwatch()
    watch()
  }

  function attend(looking: boolean): void {
    if (looking === attended) return
    attended = looking
    if (!looking) return unwatch()
    watch()
    void catchUp()
  }

  function watch(): void {
    if (!attended || watching !== undefined || sessionId === undefined) return
    const controller = new AbortController()
    watching = controller
    // Without it the conversation goes on all the same: the next connection, question or look tries again.
    const end = (): void => void (watching === controller && (watching = undefined))
    void follower(sessionId, controller.signal).then(end, end)
  }

  async function follower(watched: string, signal: AbortSignal): Promise<void> {
    for await (const { turnId, part } of client.watch(watched, { signal })) {
      if (part.type !== 'accepted' || knows(turnId)) continue
      unseen.add(turnId)
      void catchUp()
    }
  }

  function unwatch(): void {
    watching?.abort()
    watching = undefined
    unseen.clear()
  }

  function lookAgain(): void {
    for (const turnId of unseen) if (knows(turnId)) unseen.delete(turnId)
    if (unseen.size > 0) void catchUp()
  }

  /** Shows what was asked elsewhere, one answer under way at a time. */
  async function catchUp(): Promise<void> {
    const looked = sessionId
    if (stopAnswer !== undefined || state.restoring || looked === undefined) return
    const session = await load(looked).catch(() => 'gone' as const)
    if (stopAnswer !== undefined || state.restoring || looked !== sessionId) return
    if (session !== 'gone') show(session)
    for (const turnId of unseen) {
      if (stopAnswer !== undefined && !knows(turnId)) return
      unseen.delete(turnId)
      // The server does not tell its question yet: the answer is worth showing without.
      if (!knows(turnId)) resume({ turnId, question: undefined })
    }
  }

  function resume({ turnId, question }: { readonly turnId: string; readonly question: string | undefined }): void {
    void follow(append(question, turnId), reading(turnId))
  }

  function showKept({ turnId, question, answer, finishReason, tier, products }: KeptTurn): void {
    const id = append(question, turnId)
    const origin = originOf({ tier, degraded: false })
    update(id, (exchange) => ended({ ...exchange, text: answer, products, origin }, endOf({ finishReason })))
  }

  function forget(): void {
    enter(undefined)
    showNotice({ word: 'sessionGone' })
  }

  function startAnew(): void {
    stopAnswer?.()
    stopAnswer = undefined
    keys.clear()
    enter(undefined)
    showNotice(undefined)
    change({ exchanges: [], answering: false })
  }

  function showConnection(connection: ConnectionState): void {
    const lost = isWord(state.notice, 'connectionLost')
    if (connection === 'lost') showNotice({ word: 'connectionLost' })
    else if (connection === 'open' && lost) showNotice({ word: 'connectionBack' })
    else if (connection === 'idle' && lost) showNotice(undefined)
    missed ||= connection === 'lost'
    if (connection !== 'open' || !attended) return
    watch()
    // What was asked and answered elsewhere meanwhile is told to nobody again.
    if (missed) void catchUp()
    missed = false
  }

  function showServerNotice(notice: Parameters<NonNullable<ClientOptions['onNotice']>>[0]): void {
    if (notice.type === 'transferred') {
      if (notice.sessionId === sessionId) showNotice({ word: 'transferred' })
      return
    }
    const { action, message } = notice
    const words: Notice = message === '' ? { word: 'busy' } : { text: message }
    change({ busy: action === 'none' ? undefined : { paused: action === 'pause', notice: words } })
  }

  function showNotice(notice: Notice | undefined): void {
    clearTimeout(noticeTimer)
    change({ notice })
    if (isWord(notice, 'connectionBack')) noticeTimer = setTimeout(() => showNotice(undefined), backShownMs)
  }

  return {
    get state() {
      return state
    },
    ask,
    stop: () => stopAnswer?.(),
    retry,
    startAnew,
    restore,
    attend,
    close() {
      clearTimeout(noticeTimer)
      client.close()
    },
  }
}

function watchSilence(onSilence: () => void) {
  let timer = setTimeout(onSilence, stillWorkingAfterMs)
  return {
    heard(): void {
      clearTimeout(timer)
      timer = setTimeout(onSilence, stillWorkingAfterMs)
    },
    end: () => clearTimeout(timer),
  }
}

/** The same again would only be refused again, so there is no remedy but a shorter one. */
function tooLong(error: unknown): End | undefined {
  if (!(error instanceof ChatError) || error.code !== 'INVALID_REQUEST') return undefined
  const { reason, limit, unit } = error.details ?? {}
  if (reason !== 'too-long' || typeof limit !== 'number') return undefined
  return { word: unit === 'tokens' ? 'tooLongTokens' : 'tooLong', n: limit }
}

/** Its own budget, not the day's: the same question is answered in a new conversation. */
function isConversationUsedUp({ code, details }: ChatError): boolean {
  const scope = details?.['scope']
  return code === 'QUOTA_EXCEEDED' && typeof scope === 'string' && scope.startsWith('session-')
}

function mayRetry(exchange: Exchange): Exchange {
  if (exchange.phase.type !== 'ended') return exchange
  const { retryAfterMs: _, ...end } = exchange.phase.end
  return ended(exchange, end)
}

function isWord(notice: Notice | undefined, word: Word): boolean {
  return notice !== undefined && 'word' in notice && notice.word === word
}

/** Not `randomUUID`, which a page over plain http does not have. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (word) => word.toString(36)).join('')
}
