// Deferred questions in memory: for tests and simulations, and the oracle of the other adapters.
import type { Clock } from '#ports/clock/port.ts'
import type { DeferredLimits, DeferredQuestion, DeferredStore } from '#ports/deferred-store/port.ts'

export interface MemoryDeferredStoreOptions {
  readonly clock: Clock
  readonly limits: DeferredLimits
}

export function memoryDeferredStore({ clock, limits }: MemoryDeferredStoreOptions): DeferredStore {
  const kept = new Map<string, { readonly question: DeferredQuestion; leasedUntil: number }>()
  let nextAt = 0
  const of = (principalId: string): number =>
    [...kept.values()].filter(({ question }) => question.principal.id === principalId).length

  return {
    async accept(question) {
      if (kept.has(question.turnId)) return true
      if (kept.size >= limits.countMax || of(question.principal.id) >= limits.perPrincipalMax) return false
      kept.set(question.turnId, { question, leasedUntil: 0 })
      return true
    },
    async claim({ limit, leaseMs, expired, spacingMs }) {
      const now = clock.now()
      if (!expired && now < nextAt) return []
      const free = [...kept.values()]
        .filter(({ leasedUntil, question }) => leasedUntil <= now && expired === question.expiresAt <= now)
        .sort((a, b) => (expired ? byExpiry(a.question, b.question) : byAge(b.question, a.question)))
        .slice(0, limit)
      for (const entry of free) entry.leasedUntil = now + leaseMs
      if (!expired && free.length > 0) nextAt = now + spacingMs
      return free.map(({ question }) => question)
    },
    async done(turnId) {
      kept.delete(turnId)
    },
    async count() {
      return kept.size
    },
    async ofPrincipal(principalId) {
      const own = [...kept.values()].map(({ question }) => question)
      return own.filter(({ principal }) => principal.id === principalId).sort(byAge)
    },
  }
}

function byAge(a: DeferredQuestion, b: DeferredQuestion): number {
  return a.at - b.at || (a.turnId < b.turnId ? -1 : 1)
}

function byExpiry(a: DeferredQuestion, b: DeferredQuestion): number {
  return a.expiresAt - b.expiresAt || (a.turnId < b.turnId ? -1 : 1)
}
