// A simulated shopper on a simulated line: asks, reads by offset, loses the connection and resumes, taps twice,
// presses stop. It keeps the protocol's promise from the client's side and reports every breach of it.
import { createHash } from 'node:crypto'
import type { ClientFrame, DoneFrame, ServerFrame } from '@mangaassist/protocol'
import type { SeededChance } from '#adapters/virtual/chance.ts'
import type { Clock } from '#ports/clock.ts'

export interface Line {
  send(frame: ClientFrame): void
  hangUp(): void
}

export interface ShopperParts {
  readonly name: string
  readonly clock: Clock
  readonly chance: SeededChance
  readonly questions: readonly string[]
  /** Undefined while no server answers. */
  readonly dial: (handlers: { onFrame(frame: ServerFrame): void; onLost(): void }) => Line | undefined
  readonly breach: (what: string) => void
  readonly trace: (event: string) => void
  readonly seen: (state: string) => void
}

interface Answer {
  readonly requestId: string
  readonly key: string
  readonly question: string
  turnId: string | undefined
  text: string
}

const THINK_MS = 4000
const REDIAL_MS = 3000
const LOOK_MS = 2000

export class Shopper {
  readonly #parts: ShopperParts
  readonly turns: string[] = []
  #line: Line | undefined
  #sessionId: string | undefined
  #answer: Answer | undefined
  #left: number
  #asked = 0
  #epochOfLine = 0

  constructor(parts: ShopperParts, turns: number) {
    this.#parts = parts
    this.#left = turns
    this.#later(THINK_MS, () => this.#dial())
  }

  get finished(): boolean {
    return this.#left <= 0 && this.#answer === undefined
  }

  #later(ms: number, action: () => void): void {
    this.#parts.clock.after(this.#parts.chance.between(1, ms), action)
  }

  #dial(): void {
    const line = (this.#epochOfLine += 1)
    const mine = (action: () => void) => this.#epochOfLine === line && action()
    this.#line = this.#parts.dial({
      onFrame: (frame) => mine(() => this.#hear(frame)),
      onLost: () => mine(() => this.#lost()),
    })
    if (this.#line === undefined) this.#later(REDIAL_MS, () => mine(() => this.#dial()))
  }

  #lost(): void {
    this.#parts.trace(`${this.#parts.name} lost`)
    this.#line = undefined
    this.#epochOfLine += 1
    const line = this.#epochOfLine
    this.#later(REDIAL_MS, () => this.#epochOfLine === line && this.#dial())
  }

  #hear(frame: ServerFrame): void {
    const answer = this.#answer
    if (frame.type === 'ready') return answer === undefined ? this.#think() : this.#goOn(answer)
    if (frame.type === 'accepted') return this.#accepted(frame)
    if (frame.type === 'error') return this.#refused(frame)
    if (answer === undefined || !('turnId' in frame) || frame.turnId !== answer.turnId) return
    if (frame.type === 'chunk') return this.#read(answer, frame)
    if (frame.type === 'done') this.#done(answer, frame)
  }

  #think(): void {
    if (this.#left <= 0) return
    const line = this.#epochOfLine
    this.#later(THINK_MS, () => this.#epochOfLine === line && this.#answer === undefined && this.#ask())
  }

  #ask(): void {
    const { chance, name } = this.#parts
    this.#asked += 1
    // New conversations now and then, so that sessions stay within their budget.
    if (this.#asked % 8 === 0) this.#sessionId = undefined
    const requestId = `${name}-${this.#asked}`
    this.#answer = {
      requestId,
      key: requestId,
      question: chance.pick(this.#parts.questions),
      turnId: undefined,
      text: '',
    }
    this.#say(this.#answer)
    if (chance.happens(0.1)) {
      this.#parts.seen('double tap')
      this.#say(this.#answer)
    }
    if (chance.happens(0.15)) this.#later(LOOK_MS, () => this.#hangUp())
    if (chance.happens(0.12)) this.#later(LOOK_MS, () => this.#stop())
  }

  #say(answer: Answer): void {
    const session = this.#sessionId === undefined ? {} : { sessionId: this.#sessionId }
    this.#line?.send({
      type: 'chat',
      requestId: answer.requestId,
      idempotencyKey: answer.key,
      message: answer.question,
      ...session,
    })
  }

  /** After a new connection: resume what was accepted, repeat what perhaps was not. */
  #goOn(answer: Answer): void {
    if (answer.turnId === undefined) return this.#say(answer)
    this.#parts.seen('resume')
    this.#line?.send({ type: 'resume', turnId: answer.turnId, offset: answer.text.length })
  }

  #accepted(frame: Extract<ServerFrame, { type: 'accepted' }>): void {
    const answer = this.#answer
    if (frame.duplicate === true) this.#parts.seen('duplicate')
    if (answer === undefined || frame.requestId !== answer.requestId) return
    if (answer.turnId !== undefined && answer.turnId !== frame.turnId)
      this.#parts.breach(`${answer.requestId} ran as two turns`)
    answer.turnId = frame.turnId
    this.#sessionId = frame.sessionId
    if (!this.turns.includes(frame.turnId)) this.turns.push(frame.turnId)
  }

  #refused(frame: Extract<ServerFrame, { type: 'error' }>): void {
    const answer = this.#answer
    this.#parts.seen(`error ${frame.code}`)
    this.#parts.trace(`${this.#parts.name} refused ${frame.code}`)
    if (answer === undefined) return
    if (answer.turnId !== undefined) {
      if (frame.turnId === answer.turnId) this.#parts.breach(`${answer.turnId} could not be read: ${frame.code}`)
      return
    }
    const line = this.#epochOfLine
    const wait = frame.retryAfterMs ?? 1000
    if (frame.code === 'QUOTA_EXCEEDED' || frame.code === 'NOT_FOUND') return this.#giveUp()
    this.#parts.clock.after(wait + this.#parts.chance.between(1, 500), () => {
      if (this.#epochOfLine === line && this.#answer === answer && answer.turnId === undefined) this.#say(answer)
    })
  }

  #read(answer: Answer, chunk: Extract<ServerFrame, { type: 'chunk' }>): void {
    if (chunk.offset > answer.text.length) {
      this.#parts.breach(`gap in ${chunk.turnId} at ${answer.text.length}`)
      return
    }
    const known = answer.text.slice(chunk.offset, chunk.offset + chunk.text.length)
    if (!chunk.text.startsWith(known)) this.#parts.breach(`shown text of ${chunk.turnId} was changed`)
    answer.text += chunk.text.slice(known.length)
  }

  #done(answer: Answer, done: DoneFrame): void {
    const { breach, trace, name, seen } = this.#parts
    if (answer.text.length !== done.length) breach(`${done.turnId} has ${answer.text.length} units, not ${done.length}`)
    if (createHash('sha256').update(answer.text).digest('hex') !== done.sha256)
      breach(`${done.turnId} hashes otherwise`)
    seen(`end ${done.finishReason}`)
    seen(`tier ${done.tier}`)
    trace(`${name} done ${done.finishReason} ${done.length} ${done.sha256.slice(0, 12)} v${done.sessionVersion}`)
    this.#answer = undefined
    this.#left -= 1
    this.#think()
  }

  #giveUp(): void {
    this.#answer = undefined
    this.#sessionId = undefined
    this.#left -= 1
    this.#think()
  }

  #stop(): void {
    if (this.#answer?.turnId === undefined) return
    this.#parts.seen('stop pressed')
    this.#line?.send({ type: 'stop', turnId: this.#answer.turnId })
  }

  #hangUp(): void {
    if (this.#line === undefined) return
    this.#parts.seen('hung up')
    this.#line.hangUp()
    this.#lost()
  }
}
