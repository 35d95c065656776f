// Shoppers who ask at a fixed rate, whatever happens to those before them, through the client as a page does: it obeys the pauses that
// the server asks for. Each has a conversation of its own for every question.
import { setTimeout as sleep } from 'node:timers/promises'
import { ChatError, createClient } from '../../packages/client/src/index.ts'
import type { Client } from '../../packages/client/src/index.ts'

export interface Asked {
  /** When it was asked, in milliseconds since the epoch. */
  readonly at: number
  /** Undefined where no text came. */
  readonly firstWordMs: number | undefined
  /** The tier of the answer, `deferred`, or the code of the refusal; `cut` for a stream that broke. */
  readonly by: string
}

const EVERY_MS = 200
const ENDED_MS_MAX = 60_000

export class Shoppers {
  readonly #clients: readonly Client[]
  readonly #questions: Iterator<string>
  #asked = 0

  constructor(address: string, { count, questions }: { count: number; questions: Iterator<string> }) {
    this.#clients = Array.from({ length: count }, () => createClient({ url: address }))
    this.#questions = questions
  }

  /** Resolves when all answers have ended. */
  async ask(count: number): Promise<readonly Asked[]> {
    const asked: Promise<Asked>[] = []
    const from = performance.now()
    for (let number = 0; number < count; number += 1) {
      await sleep(Math.max(0, from + number * EVERY_MS - performance.now()))
      asked.push(this.#one())
    }
    return Promise.all(asked)
  }

  async #one(): Promise<Asked> {
    const client = this.#clients[(this.#asked += 1) % this.#clients.length]
    const { done, value: message } = this.#questions.next()
    if (client === undefined || done === true) throw new Error('there are no questions left')
    const at = Date.now()
    const from = performance.now()
    let firstWordMs: number | undefined
    let tier = 'cut'
    try {
      for await (const part of client.chat({ message, signal: AbortSignal.timeout(ENDED_MS_MAX) })) {
        if (part.type === 'text') firstWordMs ??= performance.now() - from
        if (part.type === 'meta') ({ tier } = part.meta)
        if (part.type === 'done' && part.done.finishReason === 'deferred') tier = 'deferred'
      }
    } catch (error) {
      const code = error instanceof ChatError ? error.code : 'cut'
      return { at, firstWordMs: firstWordMs ?? performance.now() - from, by: code }
    }
    return { at, firstWordMs, by: tier }
  }

  close(): void {
    for (const client of this.#clients) client.close()
  }
}
