// The connection of one attempt: writes no faster than the client reads, and tells when the client has gone. What the
// simulator itself breaks off does not count as the client's doing.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

export class AttemptConnection {
  readonly #response: ServerResponse
  readonly #gone = new AbortController()
  #isOurs = false

  /** `onClientClosed` is called once, when the client closes before its answer was complete. */
  constructor(response: ServerResponse, onClientClosed: () => void) {
    this.#response = response
    response.on('error', () => {})
    response.once('close', () => {
      if (!response.writableFinished && !this.#isOurs) onClientClosed()
      this.#gone.abort()
    })
  }

  /** Aborts when the connection is gone. */
  get signal(): AbortSignal {
    return this.#gone.signal
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.#response.writeHead(status, headers)
    this.#response.flushHeaders()
  }

  async write(bytes: Buffer): Promise<void> {
    this.signal.throwIfAborted()
    if (!this.#response.write(bytes)) await once(this.#response, 'drain', { signal: this.signal })
  }

  async end(bytes?: Buffer): Promise<void> {
    this.signal.throwIfAborted()
    this.#response.end(bytes)
    if (!this.#response.writableFinished) await once(this.#response, 'finish', { signal: this.signal })
  }

  /** A hard reset, as of a peer that crashed. */
  reset(): void {
    this.#isOurs = true
    this.#response.socket?.resetAndDestroy()
  }

  /** Closed in the middle of the body, as of a proxy that gave up. */
  destroy(): void {
    this.#isOurs = true
    this.#response.destroy()
  }

  /** Says nothing more, until the client goes. */
  async hang(): Promise<never> {
    if (!this.signal.aborted) await once(this.signal, 'abort')
    throw this.signal.reason
  }
}
