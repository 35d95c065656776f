// A shopper of a long test: asks one question after another at any node, follows the answer, and sends a question again with its key
// when no answer came. Checks every text against its promise, and at the end the stored conversation against what was answered.
import assert from 'node:assert/strict'
import type { DoneFrame } from '@mangaassist/protocol'
import { SocketClient } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface ShopperParts {
  readonly addresses: readonly string[]
  readonly clock: Clock
  readonly name: string
}

/** After this a sending is given up, and made again. */
const SENDING_MS = 40_000
const PAUSE_MS = 300
const SENDINGS_MAX = 200
/** A conversation is shown with its last turns. */
const TURNS_SHOWN = 200
const STORED_MS = 60_000

export class Shopper {
  readonly #parts: ShopperParts
  #isOver = false
  #cookie: string | undefined
  #sessionId: string | undefined
  #sendings = 0
  /** The questions that were answered, in order, with their texts. */
  readonly #said: {
    readonly question: string
    readonly turnId: string
    readonly text: string
    readonly isKept: boolean
  }[] = []
  answered = 0
  costMicroUsd = 0
  longestMs = 0
  isOutOfBudget = false

  constructor(parts: ShopperParts) {
    this.#parts = parts
  }

  stop(): void {
    this.#isOver = true
  }

  async shop(): Promise<void> {
    for (let number = 1; !this.#isOver; number += 1) await this.#ask(number)
  }

  /**
   * Every question is stored once, in the order of asking, with the text that was shown. A question that was kept for later is stored
   * again with its answer.
   */
  async compare(): Promise<void> {
    const { name } = this.#parts
    const shown = this.#said.slice(-TURNS_SHOWN / 2)
    let last: Awaited<ReturnType<typeof this.stored>> | undefined
    const isStored = async () => {
      const read = await this.stored()
      if (read !== undefined) last = read
      return shown.every(({ question }) => last?.stored.some((turn) => turn.question === question) === true)
    }
    // Turns that waited for the store are appended soon; what is still missing then is named below.
    await waitUntil(`the conversation of ${name} is stored`, isStored, STORED_MS).catch(() => {})
    const { body = '', stored = [] } = last ?? {}
    const kept = new Set(this.#said.filter(({ isKept }) => isKept).map(({ question }) => question))
    const first = stored.filter(
      ({ question }, index) => !kept.has(question) || index === stored.findIndex((turn) => turn.question === question),
    )
    const known = first.filter(({ question }) => shown.some((turn) => turn.question === question))
    assert.deepEqual(
      known,
      shown.map(({ question, text }) => ({ question, text })),
      `${name}: ${body.slice(0, 500)}`,
    )
    assert.equal(new Set(this.#said.map(({ turnId }) => turnId)).size, this.#said.length)
  }

  /** Undefined while it cannot be read. */
  async stored() {
    const [address] = this.#parts.addresses
    const headers = { cookie: this.#cookie ?? '' }
    const response = await fetch(`${address}/api/sessions/${this.#sessionId}`, { headers })
    const body = await response.text()
    if (!response.ok) return undefined
    const { data } = JSON.parse(body) as { data: { turns: { question: string; answer: string }[] } }
    return { body, stored: data.turns.map(({ answer, question }) => ({ question, text: answer })) }
  }

  async #ask(number: number): Promise<void> {
    const { clock, name } = this.#parts
    const since = clock.now()
    const question = `${name}: 泣ける漫画を教えて (${number})`
    for (let attempt = 1; ; attempt += 1) {
      assert.ok(attempt < SENDINGS_MAX, `${question} was never answered`)
      const done = await this.#send(question, `${name}-${number}`, attempt)
      if (done === 'answered') break
      if (done === 'out of budget') {
        this.isOutOfBudget = true
        this.#isOver = true
        return
      }
      if (this.#isOver && attempt > 20) return
      await clock.sleep(PAUSE_MS)
    }
    this.longestMs = Math.max(this.longestMs, clock.now() - since)
    await clock.sleep(PAUSE_MS)
  }

  async #send(question: string, key: string, attempt: number): Promise<'answered' | 'again' | 'out of budget'> {
    const { addresses, clock } = this.#parts
    const address = addresses[(this.#sendings += 1) % addresses.length] ?? ''
    const headers = this.#cookie === undefined ? {} : { cookie: this.#cookie }
    const client = new SocketClient(`${address.replace('http', 'ws')}/ws`, { headers })
    client.socket.on('error', () => {})
    using timer = clock.after(SENDING_MS, () => client.socket.terminate())
    try {
      await client.until('ready')
      this.#cookie ??= client.cookie
      const session = this.#sessionId === undefined ? {} : { sessionId: this.#sessionId }
      client.send({ type: 'chat', requestId: key, message: question, idempotencyKey: key, attempt, ...session })
      const refused = client.until('error').then(({ code }) => new Refused(code))
      refused.catch(() => {})
      const accepted = await Promise.race([client.until('accepted'), refused])
      if (accepted instanceof Refused) return accepted.code === 'QUOTA_EXCEEDED' ? 'out of budget' : 'again'
      this.#sessionId ??= accepted.sessionId
      const done = await doneOf(client, accepted.turnId)
      const { turnId } = accepted
      this.#said.push({ question, turnId, text: client.answer(turnId), isKept: done.finishReason === 'deferred' })
      this.answered += 1
      this.costMicroUsd += done.costMicroUsd
      return 'answered'
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      return 'again'
    } finally {
      timer[Symbol.dispose]()
      client.socket.terminate()
    }
  }
}

/** The end of the turn: answers to questions that were kept for later end on the same connection. */
async function doneOf(client: SocketClient, turnId: string): Promise<DoneFrame> {
  for (let count = 1; ; count += 1) {
    const done = await client.until('done', count)
    if (done.turnId === turnId) return done
  }
}

class Refused {
  readonly code: string

  constructor(code: string) {
    this.code = code
  }
}
