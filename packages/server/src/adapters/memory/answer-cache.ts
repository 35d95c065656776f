// Cached answers of one process, for one machine and for tests. Beyond the limit of entries or bytes the least recently
// used are evicted.
import type { AnswerCache, AnswerCacheLimits, CachedAnswer } from '#ports/answer-cache/port.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface MemoryAnswerCacheOptions {
  readonly clock: Clock
  readonly limits: AnswerCacheLimits & { readonly bytesMax: number }
}

interface Entry {
  readonly answer: CachedAnswer
  readonly bytes: number
}

export function memoryAnswerCache({ clock, limits }: MemoryAnswerCacheOptions): AnswerCache {
  /** The least recently used first. */
  const entries = new Map<string, Entry>()
  const claims = new Map<string, number>()
  let bytesKept = 0

  const forget = (key: string): void => {
    bytesKept -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }
  const put = (key: string, entry: Entry): void => {
    forget(key)
    entries.set(key, entry)
    bytesKept += entry.bytes
  }
  const makeRoom = (): void => {
    for (const key of entries.keys()) {
      if (entries.size <= limits.countMax && bytesKept <= limits.bytesMax) return
      forget(key)
    }
  }
  const alive = (key: string): Entry | undefined => {
    const entry = entries.get(key)
    if (entry === undefined || entry.answer.madeAt + limits.keepMs > clock.now()) return entry
    forget(key)
    return undefined
  }

  return {
    async find(key) {
      const entry = alive(key)
      if (entry !== undefined) put(key, entry)
      return entry?.answer
    },
    async keep(key, answer) {
      const bytes = Buffer.byteLength(JSON.stringify(answer))
      if (bytes > limits.answerBytesMax || (alive(key)?.answer.madeAt ?? -Infinity) >= answer.madeAt) return
      put(key, { answer, bytes })
      makeRoom()
    },
    async claim(key, leaseMs) {
      const now = clock.now()
      for (const [claimed, until] of claims) if (until <= now) claims.delete(claimed)
      if (claims.has(key) || claims.size >= limits.countMax) return false
      claims.set(key, now + leaseMs)
      return true
    },
    async forgetOf(principalId) {
      const own = [...entries].filter(([, { answer }]) => answer.madeFor === principalId)
      for (const [key] of own) forget(key)
      return own.filter(([, { answer }]) => answer.madeFrom === undefined).length
    },
  }
}
