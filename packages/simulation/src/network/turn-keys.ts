// One turn's log as the store keeps it: the twin of adapters/redis/turn-log/scripts.ts in TypeScript, script by script, and
// held to the contract of turn logs through the production adapter. Used by the simulated store.
import { SortedSet } from './sorted-set.ts'

type Argument = string | number

export interface TurnContext {
  readonly now: number
  readonly publish: (channel: string, message: () => string) => void
}

export class TurnKeys {
  readonly #readers = new SortedSet()
  #records: Argument[]
  #epoch: number
  #leasedUntil: number
  #count: number
  #base: number
  #seenAt: number
  #operation: Argument = ''
  #endedAt: number | undefined
  #isStopWished = false

  private constructor(of: { readonly epoch: number; readonly leasedUntil: number; readonly now: number }) {
    this.#records = []
    this.#epoch = of.epoch
    this.#leasedUntil = of.leasedUntil
    this.#count = 0
    this.#base = 1
    this.#seenAt = of.now
  }

  static open(args: readonly Argument[], now: number): TurnKeys {
    const turn = new TurnKeys({ epoch: 1, leasedUntil: now + Number(args[1]), now })
    turn.#operation = args[2] ?? ''
    turn.#records.push(args[3] ?? '')
    turn.#count = 1
    return turn
  }

  /** Undefined when it must not be made. */
  static remade(args: readonly Argument[], now: number): TurnKeys | undefined {
    if (args[6] === '') return undefined
    const turn = new TurnKeys({ epoch: Number(args[1]), leasedUntil: now + Number(args[6]), now })
    turn.#isStopWished = Number(args[7]) === 1
    return turn
  }

  get endedAt(): number | undefined {
    return this.#endedAt
  }

  isOpenedBy(operation: Argument | undefined): boolean {
    return this.#operation === operation
  }

  start(): Argument | undefined {
    return this.#records[0]
  }

  extend(args: readonly Argument[], context: TurnContext): readonly Argument[] {
    const [first, records] = [Number(args[2]), args.slice(6)]
    const after = first + records.length
    const refused = this.#refused(Number(args[1]), after)
    if (refused !== undefined) return refused
    if (first > this.#count) return ['behind', this.#count]
    const news = records.slice(this.#count - first)
    this.#records.push(...news)
    this.#count = Math.max(this.#count, after)
    this.#written(args, news, context)
    return ['done', this.#count]
  }

  rewrite(args: readonly Argument[], context: TurnContext): readonly Argument[] {
    const [base, records] = [Number(args[2]), args.slice(8)]
    const after = base + records.length - 1
    const refused = this.#refused(Number(args[1]), after)
    if (refused !== undefined) return refused
    const count = this.#count
    if (after < count) return ['done', count]
    this.#records = [...records]
    this.#count = after
    this.#base = base
    this.#written(args, records.slice(Math.max(1, 1 + count - base)), context)
    return ['done', after]
  }

  read(afterSeq: number): readonly unknown[] {
    const from = afterSeq < 0 ? 0 : Math.max(1, afterSeq - this.#base + 2)
    const ended = this.#endedAt === undefined ? 0 : 1
    return [this.#epoch, this.#isStopWished ? 1 : 0, ended, this.#records.slice(from)]
  }

  renew(args: readonly Argument[], now: number): unknown {
    if (this.#epoch !== Number(args[1]) || this.#endedAt !== undefined) return 'fenced'
    this.#leasedUntil = now + Number(args[2])
    const isRead = Number(args[3]) === 1 || this.#readers.count((until) => until >= now) > 0
    if (isRead) this.#seenAt = Math.max(this.#seenAt, now)
    return [Math.max(0, now - this.#seenAt), this.#isStopWished ? 1 : 0, this.#leasedUntil]
  }

  takeOver(args: readonly Argument[], now: number): unknown {
    if (this.#endedAt !== undefined) return null
    if (this.#operation !== args[2]) {
      if (this.#leasedUntil > now) return null
      this.#epoch += 1
      this.#leasedUntil = now + Number(args[1])
      this.#operation = args[2] ?? ''
    }
    return [this.#epoch, this.#isStopWished ? 1 : 0, [...this.#records]]
  }

  attend(node: string, forMs: number, now: number): readonly number[] {
    this.#readers.set(node, now + forMs)
    this.#seenAt = Math.max(this.#seenAt, now)
    return [this.#count, this.#endedAt === undefined && this.#leasedUntil <= now ? 1 : 0]
  }

  leave(node: string, now: number): void {
    this.#readers.delete(node)
    this.#seenAt = Math.max(this.#seenAt, now)
  }

  stop(channel: string, { publish }: TurnContext): number {
    if (this.#endedAt !== undefined) return 0
    if (!this.#isStopWished) publish(channel, () => 'stop')
    this.#isStopWished = true
    return 1
  }

  isStopWished(): number {
    if (this.#endedAt !== undefined) return -1
    return this.#isStopWished ? 1 : 0
  }

  lease(now: number): readonly number[] {
    if (this.#endedAt !== undefined) return [-1, 0, 0]
    return [this.#leasedUntil, this.#leasedUntil <= now ? 1 : 0, this.#epoch]
  }

  #refused(epoch: number, after: number): readonly Argument[] | undefined {
    if (this.#epoch !== epoch) return ['fenced', this.#count]
    if (this.#endedAt !== undefined) return [after <= this.#count ? 'done' : 'fenced', this.#count]
    return undefined
  }

  #written(args: readonly Argument[], news: readonly Argument[], { now, publish }: TurnContext): void {
    const ends = Number(args[3]) === 1
    if (ends) this.#endedAt = now
    if (news.length === 0) return
    publish(String(args[4]), () => `[${news.join(',')}]`)
    if (ends) publish(String(args[5]), () => 'end')
  }
}
