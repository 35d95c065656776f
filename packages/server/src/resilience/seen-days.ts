// The quota of each principal's day as the store last reported it, so that a standalone node does not grant what is known to be
// used up; and whose day was compared with the ledger. Usage that has decreased since is compared again. Bounded: oldest go first.
import { exceeds } from '#domain/budget/quota.ts'
import type { QuotaState } from '#domain/budget/quota.ts'
import { BoundedMap } from '#lib/collections/bounded-map.ts'
import type { AdmissionAsk } from '#ports/budgets/port.ts'

type OfDay = Pick<AdmissionAsk, 'principalId' | 'day'>

const PRINCIPALS_MAX = 20_000

export class SeenDays {
  readonly #seen = new BoundedMap<string, QuotaState>(PRINCIPALS_MAX)
  /** By principal: the end of the day that was compared. */
  readonly #compared = new BoundedMap<string, number>(PRINCIPALS_MAX)

  see(principalId: string, quota: QuotaState): void {
    const before = this.#seen.get(principalId)
    if (before?.resetsAt === quota.resetsAt && exceeds(before.used, quota.used)) this.#compared.delete(principalId)
    this.#seen.set(principalId, quota)
  }

  seen(principalId: string): QuotaState | undefined {
    return this.#seen.get(principalId)
  }

  seenOn({ principalId, day }: OfDay): QuotaState | undefined {
    const seen = this.#seen.get(principalId)
    return seen?.resetsAt === day.endsAt ? seen : undefined
  }

  compared({ principalId, day }: OfDay): void {
    this.#compared.set(principalId, day.endsAt)
  }

  isCompared({ principalId, day }: OfDay): boolean {
    return this.#compared.get(principalId) === day.endsAt
  }
}
