// The quota of each principal's day as the store last reported it, so that a standalone node does not grant what is known to be
// used up. Bounded: oldest go first.
import type { QuotaState } from '#domain/budget/quota.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { AdmissionAsk } from '#ports/budgets/port.ts'

const PRINCIPALS_MAX = 20_000

export class SeenDays {
  readonly #seen = new BoundedMap<string, QuotaState>(PRINCIPALS_MAX)

  see(principalId: string, quota: QuotaState): void {
    this.#seen.set(principalId, quota)
  }

  seen(principalId: string): QuotaState | undefined {
    return this.#seen.get(principalId)
  }

  seenOn({ principalId, day }: Pick<AdmissionAsk, 'principalId' | 'day'>): QuotaState | undefined {
    const seen = this.#seen.get(principalId)
    return seen?.resetsAt === day.endsAt ? seen : undefined
  }
}
