// A shopper of a real storm, as those of the simulation (`world/person.ts`): one question over a WebSocket, sent again when it is
// refused; half of those whose patience runs out reload the page and ask again in a new conversation.
import { openSocket } from '../chaos/connections.ts'
import type { SocketLine } from '../chaos/connections.ts'
import { sleep } from '../chaos/reader.ts'
import type { Visited } from './played.ts'

export interface ShopperParts {
  readonly address: string
  readonly name: string
  readonly question: string
  /** Undefined: waits for as long as it takes. */
  readonly patienceMs: number | undefined
  readonly float: () => number
  /** Milliseconds since the start of the storm. */
  readonly nowMs: () => number
}

const RETRY_MS = 1000
const GIVE_UP_MS = 60_000

export class Shopper {
  readonly #parts: ShopperParts
  readonly #visit: { -readonly [Field in keyof Visited]: Visited[Field] }
  readonly #giveUpAtMs: number
  #cookie: string | undefined
  #line: SocketLine | undefined
  #asked = 0

  constructor(parts: ShopperParts) {
    this.#parts = parts
    const atMs = parts.nowMs()
    this.#visit = { atMs, firstWordMs: undefined, firstTier: undefined }
    this.#giveUpAtMs = atMs + GIVE_UP_MS
  }

  /** Resolves when the answer has ended. */
  async visit(): Promise<Visited> {
    const { patienceMs } = this.#parts
    const asking = this.#ask()
    if (patienceMs === undefined) {
      await asking
      return this.#visit
    }
    await Promise.race([asking, sleep(patienceMs)])
    // A new question makes the one before it stop reading, as a reload does.
    if (this.#visit.firstWordMs === undefined) await this.#ask()
    await asking
    return this.#visit
  }

  async #ask(): Promise<void> {
    this.#asked += 1
    this.#line?.close()
    const asked = this.#asked
    const { name, question, nowMs } = this.#parts
    const key = `${name}-${asked}`
    let [turnId, sent]: [string | undefined, number] = [undefined, 0]
    while (nowMs() < this.#giveUpAtMs && this.#asked === asked) {
      const line = await openSocket(this.#parts.address, this.#cookie)
      if (line !== undefined && this.#asked === asked) {
        this.#line = line
        this.#cookie = line.cookie
        const send = () => {
          sent += 1
          if (turnId !== undefined) line.send({ type: 'resume', turnId, offset: 0 })
          else line.send({ type: 'chat', requestId: key, idempotencyKey: key, attempt: sent, message: question })
        }
        send()
        let tier: string | undefined
        for (let frame = await line.next(); frame !== undefined; frame = await line.next()) {
          if (frame.type === 'accepted' && frame.requestId === key) ({ turnId } = frame)
          if (frame.type === 'meta') tier = frame.cached === true && !frame.degraded ? 'cached-fresh' : frame.tier
          if (frame.type === 'chunk' && this.#visit.firstWordMs === undefined) {
            this.#visit.firstWordMs = nowMs()
            this.#visit.firstTier = tier
          }
          if (frame.type === 'done') {
            line.close()
            return
          }
          if (frame.type === 'error') {
            await this.#pause(frame.retryAfterMs ?? RETRY_MS)
            if (this.#asked === asked) send()
          }
        }
      }
      line?.close()
      await this.#pause(0)
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms + this.#parts.float() * RETRY_MS)
  }
}
