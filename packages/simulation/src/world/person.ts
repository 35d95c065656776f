// One simulated shopper with a question: asks, waits, reads by offset, reconnects, loses patience, taps twice, stops,
// changes the device, repeats a request on another node. Follows the client's side of the protocol as our client does, or as
// a foreign one that ignores the server's waits, and records the outcome in a visit.
import { createHash } from 'node:crypto'
import type { AcceptedFrame, ClientFrame, DoneFrame, ServerFrame } from '@mangaassist/protocol'
import type { SeededRandom } from '../virtual/random.ts'
import type { Principal } from '@mangaassist/server/domain/identity/principal'
import { AnswerCheck } from './answer-check.ts'
import { connect } from './client-connection.ts'
import type { ClientConnection } from './client-connection.ts'
import { ClientPressure } from './client-pressure.ts'
import type { FleetWorld } from './fleet-world.ts'
import type { PersonHabits } from './person-habits.ts'

/** The outcome of an arrival. */
export interface Visit {
  readonly atMs: number
  readonly isAboutNewVolume: boolean
  /** Time and answer tier of the first word, `cached-fresh` for a fresh answer of the cache; undefined: none. */
  firstWordMs: number | undefined
  firstTier: string | undefined
  answeredMs: number | undefined
  /** When a pause first held the question back, and when it was sent after all; undefined: never. */
  heldMs: number | undefined
  releasedMs: number | undefined
  resubmits: number
}

export interface PersonParts {
  readonly name: string
  /** The account. Default: one with the same name. */
  readonly account?: string
  readonly world: FleetWorld
  readonly random: SeededRandom
  readonly habits: PersonHabits
  readonly question: string
  readonly isAboutNewVolume: boolean
  readonly onFirstWord: (visit: Visit) => void
  readonly onEnd: (visit: Visit, done: DoneFrame) => void
  readonly onTurn: (turnId: string) => void
  /** Called for each device that reads an answer. */
  readonly onAnswer?: ((answer: AnswerCheck) => void) | undefined
  /** Called when the visit has ended. */
  readonly onOver: (person: Person) => void
}

const RECONNECT_MS = 2000
const READY_WITHIN_MS = 5000
const RETRY_MS = 1000
const DISRUPTION_WITHIN_MS = 2000
/** After this many NOT_FOUND answers the turn is lost, and the question is asked again. */
const MISSING_MAX = 4
const SEND_AGAIN_TRIES = 8
/** A foreign client asks again after this, whatever the server says, and so often at most. */
const FOREIGN_RETRY_MS = 500
const FOREIGN_ASKS_MAX = 20

export class Person {
  readonly visit: Visit
  readonly #parts: PersonParts
  readonly #principal: Principal
  #connection: ClientConnection | undefined
  #connectionCount = 0
  #asked = 0
  /** How often this request was sent. */
  #sent = 0
  #requestId = ''
  #sessionId: string | undefined
  #answer: AnswerCheck | undefined
  #tier: string | undefined
  #missing = 0
  /** Session fields of the first send: a repeat must have the same body. */
  #inSession: { readonly sessionId?: string } = {}
  #isSecond = false
  #isOver = false
  readonly #isForeign: boolean
  /** Undefined for a foreign client, which ignores backpressure. */
  #pressure: ClientPressure | undefined

  constructor(parts: PersonParts) {
    this.#parts = parts
    this.#principal = { id: parts.account ?? parts.name, kind: 'guest', tier: 'free' }
    this.visit = {
      atMs: parts.world.atMs,
      isAboutNewVolume: parts.isAboutNewVolume,
      firstWordMs: undefined,
      firstTier: undefined,
      answeredMs: undefined,
      heldMs: undefined,
      releasedMs: undefined,
      resubmits: 0,
    }
    // By a stream of its own, so that runs without foreign clients stay as they are.
    this.#isForeign = parts.random.fork('foreign').happens(parts.habits.foreignShare)
    this.#openPage()
    this.#newRequest()
    this.#connect()
    const { random, habits } = parts
    if (random.happens(habits.resubmitShare)) this.#later(habits.patienceMs, () => this.#losePatience())
    if (random.happens(habits.disconnectShare))
      this.#later(random.between(1, DISRUPTION_WITHIN_MS), () => this.#disconnect())
    if (random.happens(habits.stopShare)) this.#later(random.between(1, DISRUPTION_WITHIN_MS), () => this.#stop())
    if (random.happens(habits.deviceSwitchShare))
      this.#later(random.between(1, DISRUPTION_WITHIN_MS), () => this.#switchDevice())
  }

  #later(ms: number, action: () => void): void {
    this.#parts.world.time.after(ms, () => {
      if (!this.#isOver) action()
    })
  }

  #soon(ms: number, action: () => void): void {
    const connectionCount = this.#connectionCount
    this.#later(ms + this.#parts.random.between(1, RETRY_MS), () => {
      if (this.#connectionCount === connectionCount) action()
    })
  }

  /** A page has a client library of its own, which knows of no pause. */
  #openPage(): void {
    const { random, world } = this.#parts
    this.#pressure = this.#isForeign
      ? undefined
      : new ClientPressure({ time: world.time, random: random.fork('pressure') })
  }

  #newRequest(): void {
    this.#asked += 1
    this.#requestId = `${this.#parts.name}-${this.#asked}`
    this.#sent = 0
    this.#inSession = this.#sessionId === undefined ? {} : { sessionId: this.#sessionId }
  }

  #connect(): void {
    this.#connection?.disconnect()
    this.#connectionCount += 1
    const connectionCount = this.#connectionCount
    let isReady = false
    this.#connection = connect(this.#parts.world, this.#principal, {
      onFrame: (frame) => {
        isReady = true
        if (this.#connectionCount === connectionCount && !this.#isOver) this.#receive(frame)
      },
      onLost: () => {
        if (this.#connectionCount === connectionCount && !this.#isOver) this.#lost()
      },
    })
    if (this.#connection === undefined) return this.#soon(RECONNECT_MS, () => this.#connect())
    this.#later(READY_WITHIN_MS, () => {
      if (!isReady && this.#connectionCount === connectionCount) this.#connect()
    })
  }

  #lost(): void {
    this.#parts.world.see('connection lost')
    this.#connection = undefined
    this.#soon(0, () => this.#connect())
  }

  #receive(frame: ServerFrame): void {
    switch (frame.type) {
      case 'ready':
        return this.#ready()
      case 'backpressure':
        return this.#pressure?.apply(frame)
      case 'accepted':
        return this.#accepted(frame)
      case 'error':
        return this.#refused(frame)
      case 'meta':
        if (frame.turnId === this.#answer?.turnId)
          this.#tier = frame.cached === true && !frame.degraded ? 'cached-fresh' : frame.tier
        return undefined
      case 'chunk':
        return this.#read(frame)
      case 'done':
        return frame.turnId === this.#answer?.turnId ? this.#done(frame) : undefined
      default:
        return undefined
    }
  }

  /** A pause that the server sends with `ready` holds the question for which the connection was opened. */
  #ready(): void {
    this.#pressure?.reconnected()
    const connectionCount = this.#connectionCount
    queueMicrotask(() => {
      if (this.#connectionCount === connectionCount && !this.#isOver) this.#continue()
    })
  }

  /** On a new connection: resumes an accepted turn, or sends the question again. */
  #continue(): void {
    if (this.#answer !== undefined) return this.#resume(this.#answer)
    this.#ask()
    const { random, habits, world } = this.#parts
    if (!random.happens(habits.doubleTapShare)) return
    world.see('double tap')
    this.#ask()
  }

  #ask(): void {
    if (this.#pressure === undefined) return this.#send(this.#sending())
    const { world } = this.#parts
    const [connectionCount, requestId] = [this.#connectionCount, this.#requestId]
    let isHeld = false
    isHeld = this.#pressure.whenOpen(() => {
      const isLate = this.#connectionCount !== connectionCount || this.#requestId !== requestId
      if (this.#isOver || isLate || (isHeld && this.#answer !== undefined)) return
      if (isHeld) this.visit.releasedMs ??= world.atMs
      this.#send(this.#sending())
    })
    if (!isHeld) return
    world.see('question held')
    this.visit.heldMs ??= world.atMs
  }

  #sending(): ClientFrame {
    this.#sent += 1
    return {
      type: 'chat',
      requestId: this.#requestId,
      idempotencyKey: this.#requestId,
      attempt: this.#sent,
      message: this.#isSecond ? `${this.#parts.question}?` : this.#parts.question,
      ...this.#inSession,
    }
  }

  /** Sends the same key on a second connection: both must lead to the same turn. */
  sendAgain(): void {
    const { random, habits, world } = this.#parts
    if (this.#isOver || !random.happens(habits.sendAgainShare ?? 0)) return
    const requestId = this.#requestId
    let triesLeft = SEND_AGAIN_TRIES
    const connection = connect(world, this.#principal, {
      onFrame: (frame) => {
        const isRefused = frame.type === 'error' && triesLeft > 0
        if (frame.type !== 'ready' && !isRefused) return void (frame.type !== 'heartbeat' && connection?.disconnect())
        triesLeft -= 1
        const waitMs = frame.type === 'error' ? (frame.retryAfterMs ?? RETRY_MS) : 0
        world.time.after(waitMs, () => {
          if (this.#requestId === requestId && !this.#isOver) connection?.send(this.#sending())
          else connection?.disconnect()
        })
      },
      onLost: () => {},
    })
    if (connection !== undefined) world.see('key sent again to another node')
  }

  #resume({ turnId, text }: AnswerCheck): void {
    this.#parts.world.see('resume')
    const sha256 = createHash('sha256').update(text).digest('hex')
    this.#send({ type: 'resume', turnId, offset: text.length, sha256 })
  }

  #send(frame: ClientFrame): void {
    this.#connection?.send(frame)
  }

  #accepted({ requestId, sessionId, turnId }: AcceptedFrame): void {
    if (requestId !== this.#requestId) return
    const { onTurn, world } = this.#parts
    if (this.#answer !== undefined && this.#answer.turnId !== turnId) {
      const lines = this.#connectionCount > 1 ? ' over several connections' : ''
      world.breach(`${requestId} ran as two turns${lines}: ${this.#answer.turnId}, ${turnId}`)
    }
    this.#sessionId = sessionId
    if (this.#answer?.turnId === turnId) return
    this.#beginAnswer(turnId)
    onTurn(turnId)
  }

  #beginAnswer(turnId: string): void {
    const { onAnswer, world } = this.#parts
    this.#answer = new AnswerCheck(turnId, (what) => world.breach(what))
    onAnswer?.(this.#answer)
  }

  #refused({ code, requestId, retryAfterMs = RETRY_MS, turnId }: Extract<ServerFrame, { type: 'error' }>): void {
    const { world } = this.#parts
    world.see(`error ${code}`)
    const answer = this.#answer
    if (answer !== undefined) {
      if (turnId !== answer.turnId) return
      this.#missing = code === 'NOT_FOUND' ? this.#missing + 1 : 0
      if (this.#missing === MISSING_MAX) return this.#onTurnLost()
      return this.#soon(retryAfterMs, () => this.#resume(answer))
    }
    if (requestId !== this.#requestId) return
    if (this.#isForeign) return this.#askAgain()
    if (code === 'QUOTA_EXCEEDED') return this.#finish()
    // The conversation was lost with its node: start a new one.
    if (code === 'NOT_FOUND' && this.#sessionId !== undefined) {
      this.#sessionId = undefined
      this.#newRequest()
    }
    this.#soon(retryAfterMs, () => this.#answer ?? this.#ask())
  }

  #read(chunk: Extract<ServerFrame, { type: 'chunk' }>): void {
    const answer = this.#answer
    if (chunk.turnId !== answer?.turnId) return
    if (!answer.chunk(chunk)) return this.#resume(answer)
    const { visit } = this
    if (visit.firstWordMs !== undefined) return
    visit.firstWordMs = this.#parts.world.atMs
    visit.firstTier = this.#tier
    this.#parts.onFirstWord(visit)
  }

  #done(done: DoneFrame): void {
    const { name, onEnd, world } = this.#parts
    const answer = this.#answer
    if (answer === undefined) return
    if (!answer.done(done)) return this.#resume(answer)
    world.see(`end ${done.finishReason}`)
    world.see(`tier ${done.tier}`)
    world.trace(
      `${name} ${done.finishReason} ${done.tier} ${done.length} ${done.sha256.slice(0, 8)} v${done.sessionVersion}`,
    )
    this.visit.answeredMs ??= world.atMs
    onEnd(this.visit, done)
    if (this.#isForeign && done.tier === 'message' && done.finishReason !== 'stopped') return this.#askAgain()
    if (this.#isSecond || !this.#parts.random.happens(this.#parts.habits.secondShare)) return this.#finish()
    this.#askSecond()
  }

  /** What a foreign client does with an error, and with an end that is no model's answer: the same question, as a new one. */
  #askAgain(): void {
    if (this.#asked >= FOREIGN_ASKS_MAX) return this.#finish()
    this.#answer = undefined
    this.#newRequest()
    const connectionCount = this.#connectionCount
    // All that were refused in one instant come back in one instant.
    this.#later(FOREIGN_RETRY_MS, () => {
      if (this.#connectionCount !== connectionCount) return
      this.#parts.world.see('foreign client asked again')
      this.#ask()
    })
  }

  /** Asks a second question in the same conversation. */
  #askSecond(): void {
    this.#isSecond = true
    this.#answer = undefined
    this.#newRequest()
    this.#soon(0, () => this.#ask())
  }

  #finish(): void {
    this.#isOver = true
    this.#connection?.disconnect()
    this.#connection = undefined
    this.#parts.onOver(this)
  }

  /** Reloads the page and asks again with a new key, in a new conversation. */
  #losePatience(): void {
    if (this.visit.firstWordMs !== undefined) return
    this.#parts.world.see('resubmit')
    this.visit.resubmits += 1
    this.#restart()
  }

  /** The turn was accepted, but no node knows it. */
  #onTurnLost(): void {
    this.#parts.world.see('turn lost')
    this.#parts.world.trace(`${this.#parts.name} lost ${this.#answer?.turnId}`)
    this.#restart()
  }

  #restart(): void {
    this.#missing = 0
    this.#answer = undefined
    this.#sessionId = undefined
    this.#openPage()
    this.#newRequest()
    this.#connect()
  }

  #disconnect(): void {
    if (this.#connection === undefined) return
    this.#connection.disconnect()
    this.#lost()
  }

  #stop(): void {
    if (this.#answer === undefined) return
    this.#parts.world.see('stop pressed')
    this.#send({ type: 'stop', turnId: this.#answer.turnId })
  }

  /** Continues on another device from the start of the answer, and watches the conversation there. */
  #switchDevice(): void {
    const answer = this.#answer
    if (answer === undefined || this.#sessionId === undefined) return
    const { world } = this.#parts
    world.see('device switch')
    this.#beginAnswer(answer.turnId)
    this.#connect()
    this.#send({ type: 'watch', sessionId: this.#sessionId })
  }
}
