// What a node knows of conversations that it has served: the last head that it saw, and newest turns. A turn of one life and version never
// changes, so it needs no check; a head is only a guess that conditions verify, and an older one never replaces a newer one.
import type { StoredTurn } from '#ports/session-store/port.ts'
import type { Head } from './heads.ts'

interface Known {
  readonly head: Head
  readonly turns: Map<number, StoredTurn>
  bytes: number
}

export interface TurnCacheLimits {
  readonly bytesMax: number
  /** The newest of each conversation are kept. */
  readonly turnsMax: number
}

const DEFAULTS: TurnCacheLimits = { bytesMax: 32 * 1024 * 1024, turnsMax: 40 }
/** The size of a head, and of a turn besides its texts. */
const ENTRY_BYTES = 1024

export class TurnCache {
  readonly #limits: TurnCacheLimits
  /** The conversation that was used longest ago is first. */
  readonly #known = new Map<string, Known>()
  #bytes = 0

  constructor(limits: TurnCacheLimits = DEFAULTS) {
    this.#limits = limits
  }

  get bytes(): number {
    return this.#bytes
  }

  head(sessionId: string): Head | undefined {
    return this.#known.get(sessionId)?.head
  }

  turn({ id, life }: Head, version: number): StoredTurn | undefined {
    const known = this.#known.get(id)
    return known?.head.life === life ? known.turns.get(version) : undefined
  }

  /** A head that was read or written, with turns of its life by their version. */
  keep(head: Head, turns: ReadonlyMap<number, StoredTurn> = new Map()): void {
    const known = this.#known.get(head.id)
    const isSame = known?.head.life === head.life
    const newest = isSame && known.head.version > head.version ? known.head : head
    const all = [...new Map([...(isSame ? known.turns : []), ...turns])].toSorted(([a], [b]) => a - b)
    this.forget(head.id)
    const kept = new Map(all.slice(-this.#limits.turnsMax))
    const bytes = [...kept.values()].reduce((sum, turn) => sum + bytesOf(turn), ENTRY_BYTES)
    this.#known.set(head.id, { head: newest, turns: kept, bytes })
    this.#bytes += bytes
    for (const oldest of this.#known.keys()) {
      if (this.#bytes <= this.#limits.bytesMax) return
      this.forget(oldest)
    }
  }

  forget(sessionId: string): void {
    this.#bytes -= this.#known.get(sessionId)?.bytes ?? 0
    this.#known.delete(sessionId)
  }
}

/** Two bytes a character. */
function bytesOf({ answer, question }: StoredTurn): number {
  return ENTRY_BYTES + 2 * (question.length + answer.length)
}
