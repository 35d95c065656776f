// What a node knows of the shared catalogue: the last snapshot, the time at which it was read, and the offers read from
// it. A snapshot is immutable, so offers that were read from it are valid as long as it is the current one.
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { ProductOutline } from '#ports/product-store/port.ts'
import type { SharedProducts, Snapshot } from '#ports/product-store/shared.ts'

/** For this long a reading of the shared catalogue counts as current. After an import, nodes may differ for as long. */
const NOW_MS = 5000
/** How long an answer waits for the catalogue. */
const WAIT_MS = 100
const OUTLINES_MAX = 2000

export interface Known {
  readonly snapshot: Snapshot
  readonly readAt: number
}

export class SharedNow {
  readonly #shared: Pick<SharedProducts, 'snapshot'>
  readonly #clock: Clock
  #known: Known | undefined
  #reading: Promise<Known | undefined> | undefined
  readonly #outlines = new BoundedMap<string, Promise<ProductOutline | undefined>>(OUTLINES_MAX)

  constructor(shared: Pick<SharedProducts, 'snapshot'>, clock: Clock) {
    this.#shared = shared
    this.#clock = clock
  }

  /** Asks the catalogue. Rejects when it does not answer. */
  read(): Promise<Known | undefined> {
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined))
    return this.#reading
  }

  async #read(): Promise<Known | undefined> {
    const readAt = this.#clock.now()
    const snapshot = await this.#shared.snapshot()
    if (snapshot?.edition.digest !== this.#known?.snapshot.edition.digest) this.#outlines.clear()
    this.#known = snapshot === undefined ? undefined : { snapshot, readAt }
    return this.#known
  }

  /** What it says now, or said a moment ago; undefined when it does not answer in time. */
  async current(): Promise<Known | undefined> {
    const known = this.#known
    if (known !== undefined && this.#clock.now() - known.readAt <= NOW_MS) return known
    return this.inTime(() => this.read())
  }

  /** The value, or undefined when it was late or failed. */
  async inTime<Value>(work: () => Promise<Value>): Promise<Value | undefined> {
    try {
      const value = await withDeadline(this.#clock, { ms: WAIT_MS, signal: NEVER }, work)
      return value === LATE ? undefined : value
    } catch {
      return undefined
    }
  }

  /** Outlines by product id. Unknown ids are read in one call, which concurrent callers share. */
  async outlinesOf({ snapshot }: Known, ids: readonly string[]): Promise<ReadonlyMap<string, ProductOutline>> {
    // The caller's snapshot is no longer the current one, so the cached outlines belong to another edition.
    if (snapshot.edition.digest !== this.#known?.snapshot.edition.digest)
      return new Map((await snapshot.outlinesOf(ids)).map((outline) => [outline.id, outline]))
    const unknown = ids.filter((id) => !this.#outlines.has(id))
    if (unknown.length > 0) {
      const reading = snapshot.outlinesOf(unknown)
      for (const id of unknown) {
        const one = reading.then((outlines) => outlines.find((outline) => outline.id === id))
        this.#outlines.set(id, one)
        // A failure is not kept.
        one.catch(() => void (this.#outlines.get(id) === one && this.#outlines.delete(id)))
      }
    }
    const found = await Promise.all(ids.map(async (id) => this.#outlines.get(id)))
    return new Map(found.flatMap((outline) => (outline === undefined ? [] : [[outline.id, outline]])))
  }
}
