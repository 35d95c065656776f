// One process of the cluster that can be started again in the same place: with the same port and the same data.
import type { Child, Children, Started } from './children.ts'

export interface ServiceOptions {
  readonly name: string
  readonly address: string
  /** Describes the process for each start. */
  readonly describe: () => Omit<Started, 'name'>
}

export type ServiceState = 'starting' | 'running' | 'paused' | 'draining' | 'ended'

export class Service {
  readonly name: string
  readonly address: string
  readonly #children: Children
  readonly #describe: () => Omit<Started, 'name'>
  #child: Child | undefined
  #phase: 'starting' | 'draining' | undefined

  constructor(children: Children, { name, address, describe }: ServiceOptions) {
    this.#children = children
    this.name = name
    this.address = address
    this.#describe = describe
  }

  get pid(): number | undefined {
    return this.state() === 'ended' ? undefined : this.#child?.pid
  }

  get log(): string {
    return this.#children.logOf(this.name)
  }

  get child(): Child | undefined {
    return this.#child
  }

  state(): ServiceState {
    if (this.#phase !== undefined) return this.#phase
    return this.#child?.state() ?? 'ended'
  }

  async start(): Promise<void> {
    if (this.state() !== 'ended') throw new Error(`${this.name} is ${this.state()}`)
    this.#phase = 'starting'
    try {
      this.#child = await this.#children.start({ name: this.name, ...this.#describe() })
    } finally {
      this.#phase = undefined
    }
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.#child?.end('SIGKILL')
  }

  /** SIGTERM, and wait for the end: a node drains first. */
  async stop(): Promise<void> {
    if (this.state() === 'ended') return
    this.#phase = 'draining'
    try {
      await this.#child?.end('SIGTERM')
    } finally {
      this.#phase = undefined
    }
  }

  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  pause(): void {
    this.#child?.pause()
  }

  resume(): void {
    this.#child?.resume()
  }

  async pauseFor(ms: number): Promise<void> {
    this.pause()
    await new Promise((elapsed) => setTimeout(elapsed, ms))
    this.resume()
  }
}
