// A simulated shopper: one conversation of a few questions with pauses between them, and the habits of real people and their
// devices. Each question is asked until it is accepted, always with the same key, and read to its end.
import type { ServerFrame } from '../../packages/protocol/src/index.ts'
import { answerOf, marked } from '../cluster/marker.ts'
import { openEvents, openSocket } from './connections.ts'
import type { Line, SocketLine } from './connections.ts'
import { readToEnd, retryMs, sha256, sleep, TurnText } from './reader.ts'
import type { Conversation, Question, Seen } from './record.ts'

export interface ShopperParts {
  readonly address: string
  readonly seen: Seen
  readonly float: () => number
  readonly number: number
  /** No further question after this. */
  readonly endsAt: number
}

const QUESTIONS = [
  'What makes a story worth reading twice, in your view?',
  'Tell me about a series that feels like a long journey.',
  '雨の日にゆっくり読める作品について教えてください。',
  'Which kind of hero do you find more convincing, and why?',
  '家族で楽しめる物語には何が大切だと思いますか。',
  'How would you explain the charm of slow stories to a friend?',
]
const TURNS_MAX = 5
const THINK_MS_MAX = 4000
const PATIENCE_MS = 150_000
/** A shopper who is refused for so long leaves; the question was never accepted. */
const REFUSED_MS_MAX = 60_000

const CHANCE = {
  events: 0.2,
  doubleTap: 0.2,
  hangUp: 0.35,
  slow: 0.08,
  stop: 0.08,
  second: 0.15,
  middle: 0.1,
  repeat: 0.15,
  after: 0.2,
}

export async function shop(parts: ShopperParts): Promise<void> {
  const { endsAt, float, number, seen } = parts
  const cookie = await guestCookie(parts)
  if (cookie === undefined) return
  const conversation: Conversation = { cookie, questions: [] }
  seen.conversations.push(conversation)
  const turns = 1 + Math.floor(float() * TURNS_MAX)
  for (let turn = 1; turn <= turns && Date.now() < endsAt; turn += 1) {
    const marker = `${number}-${turn}`
    const words = QUESTIONS[Math.floor(float() * QUESTIONS.length)] ?? ''
    const question: Question = {
      key: `key-${marker}`,
      marker,
      message: marked(words, marker),
      sent: 0,
      turns: new Map(),
      readings: [],
      lost: new Set(),
      askedAt: Date.now(),
    }
    conversation.questions.push(question)
    if (!(await new Asking(parts, conversation, question).run())) return
    await sleep(float() * THINK_MS_MAX)
  }
}

async function guestCookie({ address, endsAt }: ShopperParts): Promise<string | undefined> {
  while (Date.now() < endsAt) {
    const line = await openSocket(address, undefined)
    line?.close()
    if (line !== undefined && line.cookie !== '') return line.cookie
    await sleep(500)
  }
  return undefined
}

/** One question, from the first sending to what is done with it after its end. */
class Asking {
  readonly #parts: ShopperParts
  readonly #conversation: Conversation
  readonly #question: Question
  readonly #session: { readonly sessionId?: string }
  readonly #giveUpAt = Date.now() + PATIENCE_MS

  constructor(parts: ShopperParts, conversation: Conversation, question: Question) {
    this.#parts = parts
    this.#conversation = conversation
    this.#question = question
    const { sessionId } = conversation
    this.#session = sessionId === undefined ? {} : { sessionId }
  }

  /** Whether the conversation can continue. */
  async run(): Promise<boolean> {
    const { seen } = this.#parts
    const question = this.#question
    const [asked] = await Promise.all([this.#ask(), this.#is('doubleTap') ? this.#tapAgain() : undefined])
    if (!asked && question.turns.size > 0) seen.violation(`${question.key}: accepted, and no end`)
    if (!asked) {
      seen.counts.unanswered += 1
      return false
    }
    if (this.#is('repeat')) await this.#sendAgain('repeat')
    if (this.#is('after')) await this.#readAfterEnd()
    return true
  }

  #is(habit: keyof typeof CHANCE): boolean {
    return this.#parts.float() < CHANCE[habit]
  }

  /** Sends the question until it is accepted, and reads it to its end across disconnects and devices. */
  async #ask(): Promise<boolean> {
    const { float, seen } = this.#parts
    const question = this.#question
    const text = new TurnText(seen, question.key)
    const usesEvents = this.#is('events')
    const length = answerOf(question.marker).length
    const at = (habit: keyof typeof CHANCE) => (this.#is(habit) ? float() * length : Number.POSITIVE_INFINITY)
    const plan = {
      hangUp: at('hangUp'),
      slow: at('slow'),
      stop: at('stop'),
      second: at('second'),
      middle: at('middle'),
    }
    const refusedUntil = Date.now() + REFUSED_MS_MAX
    const beside: Promise<void>[] = []
    while (Date.now() < (question.turns.size === 0 ? refusedUntil : this.#giveUpAt)) {
      const line = usesEvents ? await this.#events(text) : await this.#socket(text)
      for (let frame = await line?.next(); line !== undefined && frame !== undefined; frame = await line.next()) {
        if (frame.type === 'accepted') this.#accepted(frame, 'asker')
        if (frame.type === 'error') {
          seen.refused(question.turns.size === 0 ? frame.code : `${frame.code} to a reader`)
          if (frame.code === 'NOT_FOUND' && question.turns.size > 0) this.#lost(text)
          await sleep(retryMs(frame))
          break
        }
        if (!this.#isOurs(frame)) continue
        if (frame.type === 'chunk') text.apply(frame)
        if (frame.type === 'done') {
          line.close()
          question.endedAt = Date.now()
          question.readings.push(text.reading(frame, 'asker'))
          await Promise.all(beside)
          return true
        }
        if (this.#habits(plan, text, { line, beside }) === 'hung-up') {
          await sleep(float() * 2500)
          break
        }
        if (text.text.length > plan.slow) {
          plan.slow = Number.POSITIVE_INFINITY
          await this.#readSlowly(line)
        }
      }
      if (line?.isSilent() === true) seen.counts.silent += 1
      line?.close()
      await sleep(200 + float() * 400)
    }
    await Promise.all(beside)
    return false
  }

  #habits(
    plan: Record<'hangUp' | 'stop' | 'second' | 'middle', number>,
    { text }: TurnText,
    { line, beside }: { line: Line; beside: Promise<void>[] },
  ): 'hung-up' | undefined {
    const { counts } = this.#parts.seen
    const isDue = (habit: keyof typeof plan) => {
      const due = text.length > plan[habit]
      if (due) plan[habit] = Number.POSITIVE_INFINITY
      return due
    }
    if (isDue('second')) beside.push(this.#readBeside())
    if (isDue('middle')) beside.push(this.#sendAgain('repeat'))
    if (isDue('stop')) {
      counts.stops += 1
      beside.push(this.#stop(line))
    }
    if (!isDue('hangUp')) return undefined
    counts.hungUp += 1
    line.close()
    return 'hung-up'
  }

  async #readSlowly(line: Line): Promise<void> {
    if (!('pause' in line)) return
    const socket = line as SocketLine
    this.#parts.seen.counts.slow += 1
    socket.pause()
    await sleep(1000 + this.#parts.float() * 3000)
    socket.resume()
  }

  /** The turn is not found any more: the same key is sent again, and may become another turn. */
  #lost(text: TurnText): void {
    const { lost, turns } = this.#question
    for (const turnId of turns.keys()) lost.add(turnId)
    this.#parts.seen.lose(`${this.#question.key}: its turn ${[...turns.keys()].join()} is not found any more`)
    turns.clear()
    text.text = ''
  }

  #isOurs(frame: ServerFrame): frame is Extract<ServerFrame, { turnId: string }> {
    return 'turnId' in frame && frame.turnId !== undefined && this.#question.turns.has(frame.turnId)
  }

  #accepted(frame: Extract<ServerFrame, { type: 'accepted' }>, by: string): void {
    const question = this.#question
    const { seen } = this.#parts
    if (frame.requestId !== question.key) return
    question.acceptedAt ??= Date.now()
    if (frame.duplicate === true) seen.counts.joined += 1
    if (question.turns.size > 0 && !question.turns.has(frame.turnId))
      seen.violation(
        `${question.key}: answered twice, as ${[...question.turns.keys()].join()} and ${frame.turnId} (${by})`,
      )
    question.turns.set(frame.turnId, frame.sessionId)
    // A first question whose turn was lost begins another conversation.
    if (question.lost.size > 0) this.#conversation.sessionId = frame.sessionId
    this.#conversation.sessionId ??= frame.sessionId
    if (this.#conversation.sessionId !== frame.sessionId)
      seen.violation(`${question.key}: another conversation, ${frame.sessionId} for ${this.#conversation.sessionId}`)
  }

  /** The same request every time, as a client stores it. */
  #chat() {
    const { key, message } = this.#question
    this.#question.sent += 1
    return { requestId: key, idempotencyKey: key, message, ...this.#session }
  }

  async #socket(text: TurnText): Promise<Line | undefined> {
    const { address, seen } = this.#parts
    const line = await openSocket(address, this.#conversation.cookie)
    if (line === undefined) return undefined
    const [turnId] = this.#question.turns.keys()
    if (turnId === undefined) {
      const chat = this.#chat()
      line.send({ type: 'chat', ...chat, attempt: this.#question.sent })
      return line
    }
    seen.counts.resumed += 1
    const hash = this.#parts.float() < 0.5 ? { sha256: sha256(text.text) } : {}
    line.send({ type: 'resume', turnId, offset: text.text.length, ...hash })
    return line
  }

  async #events(text: TurnText): Promise<Line | undefined> {
    const [turnId] = this.#question.turns.keys()
    if (turnId !== undefined) {
      this.#parts.seen.counts.resumed += 1
      return this.#resumedEvents(turnId, text)
    }
    const chat = this.#chat()
    const headers = { 'idempotency-attempt': String(this.#question.sent), 'content-type': 'application/json' }
    return openEvents(`${this.#parts.address}/api/chat`, {
      method: 'POST',
      headers: { ...headers, accept: 'text/event-stream', cookie: this.#conversation.cookie },
      body: JSON.stringify(chat),
    })
  }

  #resumedEvents(turnId: string, { text }: TurnText): Promise<Line | undefined> {
    const headers = {
      cookie: this.#conversation.cookie,
      ...(text === '' ? {} : { 'last-event-id': String(text.length) }),
    }
    return openEvents(`${this.#parts.address}/api/turns/${turnId}/events`, { headers })
  }

  /** The second tap of a double tap: the same key a moment later, on another connection. */
  async #tapAgain(): Promise<void> {
    await sleep(20 + this.#parts.float() * 400)
    await this.#sendAgain('repeat')
  }

  /** Sends the key again, and reads what it leads to. */
  async #sendAgain(by: 'repeat'): Promise<void> {
    const { address, seen } = this.#parts
    seen.counts.repeated += 1
    const own = new TurnText(seen, this.#question.key)
    let turnId: string | undefined
    while (Date.now() < this.#giveUpAt) {
      const line = await openSocket(address, this.#conversation.cookie)
      if (turnId === undefined) {
        const chat = this.#chat()
        line?.send({ type: 'chat', ...chat, attempt: this.#question.sent })
      } else line?.send({ type: 'resume', turnId, offset: own.text.length })
      for (let frame = await line?.next(); frame !== undefined; frame = await line?.next()) {
        if (frame.type === 'accepted') {
          this.#accepted(frame, by)
          if (frame.requestId === this.#question.key) turnId ??= frame.turnId
        }
        if (frame.type === 'error') {
          seen.refused(`${frame.code} to a repeat`)
          await sleep(retryMs(frame))
          break
        }
        if (frame.type === 'chunk' && frame.turnId === turnId) own.apply(frame)
        if (frame.type === 'done' && frame.turnId === turnId) {
          line?.close()
          this.#question.readings.push(own.reading(frame, by))
          return
        }
      }
      line?.close()
      await sleep(500)
    }
    if (turnId !== undefined) seen.violation(`${this.#question.key}: no end for the ${by} of ${turnId}`)
  }

  /** A second reader over an event stream, from the start. */
  async #readBeside(): Promise<void> {
    this.#parts.seen.counts.secondReaders += 1
    await this.#read('second')
  }

  async #readAfterEnd(): Promise<void> {
    this.#parts.seen.counts.readAfterEnd += 1
    await this.#read('after')
  }

  async #read(by: 'second' | 'after'): Promise<void> {
    const [turnId = ''] = this.#question.turns.keys()
    const { seen } = this.#parts
    const question = this.#question
    const open = (text: TurnText) => this.#resumedEvents(turnId, text)
    const reading = await readToEnd({ seen, question, turnId, by, open, giveUpAt: this.#giveUpAt })
    if (reading === undefined) seen.violation(`${question.key}: no end for the reader ${by} of ${turnId}`)
    else question.readings.push(reading)
  }

  async #stop(line: Line): Promise<void> {
    const [turnId = ''] = this.#question.turns.keys()
    if ('send' in line) return (line as SocketLine).send({ type: 'stop', turnId })
    const headers = { cookie: this.#conversation.cookie }
    await fetch(`${this.#parts.address}/api/turns/${turnId}/stop`, { method: 'POST', headers }).then(
      async (response) => response.text(),
      () => {},
    )
  }
}
