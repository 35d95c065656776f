// The connection of one attempt: respects backpressure and detects when the client disconnects. A break by the
// simulator itself does not count as a disconnect.
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

export class AttemptConnection {
  readonly #response: ServerResponse
  readonly #closed = new AbortController()
  #isOurs = false

  /** `onClientClosed` is called once, when the client closes before its answer was complete. */
  constructor(response: ServerResponse, onClientClosed: () => void) {
    this.#response = response
    response.on('error', () => {})
    response.once('close', () => {
      if (!response.writableFinished && !this.#isOurs) onClientClosed()
      this.#closed.abort()
    })
  }

  /** Aborts when the connection is closed. */
  get signal(): AbortSignal {
    return this.#closed.signal
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

  /** Resets the connection, as a crashed peer does. */
  reset(): void {
    this.#isOurs = true
    this.#response.socket?.resetAndDestroy()
  }

  /** Closes the connection in the middle of the body, as a proxy that gave up does. */
  destroy(): void {
    this.#isOurs = true
    this.#response.destroy()
  }

  /** Stays silent until the client disconnects. */
  async hang(): Promise<never> {
    if (!this.signal.aborted) await once(this.signal, 'abort')
    throw this.signal.reason
  }
}
