// What a node last heard of each principal's day: nobody is granted here what is known to be used up. And whose day was compared
// with the books: a use that has fallen since is compared again. Bounded; the oldest are forgotten.
import { exceeds } from '#domain/budget/quota.ts'
import type { QuotaState } from '#domain/budget/quota.ts'
import type { AdmissionAsk } from '#ports/budgets/port.ts'

type OfDay = Pick<AdmissionAsk, 'principalId' | 'day'>

const PRINCIPALS_MAX = 20_000

export class SeenDays {
  readonly #seen = new Map<string, QuotaState>()
  /** By when the day ends. */
  readonly #compared = new Map<string, number>()

  see(principalId: string, quota: QuotaState): void {
    const before = this.#seen.get(principalId)
    if (before?.resetsAt === quota.resetsAt && exceeds(before.used, quota.used)) this.#compared.delete(principalId)
    put(this.#seen, principalId, quota)
  }

  seen(principalId: string): QuotaState | undefined {
    return this.#seen.get(principalId)
  }

  seenOn({ principalId, day }: OfDay): QuotaState | undefined {
    const seen = this.#seen.get(principalId)
    return seen?.resetsAt === day.endsAt ? seen : undefined
  }

  compared({ principalId, day }: OfDay): void {
    put(this.#compared, principalId, day.endsAt)
  }

  isCompared({ principalId, day }: OfDay): boolean {
    return this.#compared.get(principalId) === day.endsAt
  }
}

/** At the back, so that the oldest is at the front. */
function put<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  for (const oldest of map.size > PRINCIPALS_MAX ? map.keys().take(1) : []) map.delete(oldest)
}
