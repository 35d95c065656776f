// A conversation whose client a test scripts: each question takes the next script, and the test reports turns of other
// devices. No network and no page.
import assert from 'node:assert/strict'
import type { ChatInput, ChatPart, Client, ClientOptions, WatchPart } from '@mangaassist/client'
import { ChatError } from '@mangaassist/client'
import type { FeedbackValue, FinishReason } from '@mangaassist/protocol'
import type { Remembered, Memory } from '../../../memory.ts'
import { createConversation } from '../conversation.ts'
import type { LoadSession } from '../sessions.ts'
import type { TabChannel } from '../tabs.ts'

/** Bounds an answer that never ends. */
const ROUNDS_MAX = 10_000

export type Script = (input: Pick<ChatInput, 'signal'>) => AsyncGenerator<ChatPart>

const unscripted = () => Promise.reject(new Error('nothing was scripted'))

export function setUp({
  remembered = {},
  load = () => Promise.resolve('gone'),
  fieldIsFree = true,
  channel,
}: { remembered?: Remembered; load?: LoadSession; fieldIsFree?: boolean; channel?: TabChannel } = {}) {
  let memory: Remembered = remembered
  let events: Pick<ClientOptions, 'onState' | 'onNotice'> = {}
  const asked: ChatInput[] = []
  const resumed: string[] = []
  const stopped: string[] = []
  const givenBack: string[] = []
  const watched: string[] = []
  const scripts: Script[] = []
  const thumbs: (readonly [turnId: string, value: FeedbackValue | null, reason?: string])[] = []
  const opened: (readonly [turnId: string, productId: string])[] = []
  const refusals: Error[] = []
  let place: Pick<ChatInput, 'interfaceLanguage' | 'page'> = {}
  const next = (input: Pick<ChatInput, 'signal'>): AsyncIterable<ChatPart> => {
    const script = scripts.shift()
    if (script === undefined) throw new Error('nothing was scripted')
    return script(input)
  }
  const client: Client = {
    chat: (input) => (asked.push(input), next(input)),
    resume: (turnId) => (resumed.push(turnId), next({})),
    stop: async (turnId) => void stopped.push(turnId),
    feedback: async (turnId, value, { reason } = {}) => {
      thumbs.push(reason === undefined ? [turnId, value] : [turnId, value, reason])
      const refusal = refusals.shift()
      if (refusal !== undefined) throw refusal
    },
    opened: async (turnId, productId) => void opened.push([turnId, productId]),
    watch: (sessionId, { signal } = {}) => (watched.push(sessionId), watchParts(signal)),
    conversations: {
      list: unscripted,
      read: unscripted,
      remove: unscripted,
      removeAll: unscripted,
      previewHandover: unscripted,
      askForPerson: unscripted,
    },
    close: () => {},
  }
  let report: (part: WatchPart) => void = () => {}
  async function* watchParts(signal: AbortSignal | undefined): AsyncGenerator<WatchPart> {
    const end = new Promise<undefined>((resolve) => signal?.addEventListener('abort', () => resolve(undefined)))
    for (;;) {
      const part = await Promise.race([end, new Promise<WatchPart>((resolve) => (report = resolve))])
      if (part === undefined) return
      yield part
    }
  }
  /** Reports a turn of another device. */
  const elsewhere = (turnId: string): void =>
    report({ turnId, part: { type: 'accepted', turnId, sessionId: 's1', duplicate: false } })
  const store: Memory = {
    recall: () => memory,
    remember: (change) => {
      memory = { ...memory, ...change } as Remembered
    },
  }
  const conversation = createConversation({
    connect: (given) => ((events = given), client),
    load,
    memory: store,
    changed: () => {},
    where: () => place,
    giveBack: (question) => fieldIsFree && givenBack.push(question) > 0,
    ...(channel === undefined ? {} : { openChannel: () => channel }),
  })
  const settled = async (): Promise<void> => {
    for (let rounds = 0; rounds < ROUNDS_MAX && conversation.state.answering; rounds += 1)
      await new Promise((resolve) => setImmediate(resolve))
    assert.ok(!conversation.state.answering, 'the answer has not ended')
  }
  const last = () => {
    const exchange = conversation.state.exchanges.at(-1)
    assert.ok(exchange)
    return { ...exchange, end: exchange.phase.type === 'ended' ? exchange.phase.end : undefined }
  }
  const seen = { asked, resumed, stopped, givenBack, watched, thumbs, opened }
  const goTo = (next: typeof place): void => void (place = next)
  return {
    conversation,
    scripts,
    /** Errors of the next thumbs. */
    refusals,
    goTo,
    ...seen,
    settled,
    last,
    elsewhere,
    remembered: () => memory,
    events: () => events,
  }
}

export const accepted: ChatPart = { type: 'accepted', turnId: 't1', sessionId: 's1', duplicate: false }
export const done = (text: string, finishReason: FinishReason = 'stop', verified = true): ChatPart =>
  ({ type: 'done', text, verified, done: { finishReason } }) as ChatPart
export const answering = (...parts: ChatPart[]): Script =>
  async function* () {
    yield* parts
  }
export const failing = (error: Error, ...parts: ChatPart[]): Script =>
  async function* () {
    yield* parts
    throw error
  }
export const lost = new ChatError({ code: 'CONNECTION_LOST', message: 'lost' })
