// Writes that a node still has to make to a store that was unavailable: keys to claim, charges to make, holds to release. They
// wait in memory, bounded, and each is retried until it succeeds.
import type { Hold } from '#domain/budget/quota.ts'
import { RetryLater } from '#lib/async/retry-later.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { AdmissionAsk, OwnedId, Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface WaitingWorkParts {
  readonly shared: Pick<Budgets, 'claim' | 'forgetClaim' | 'release'>
  readonly clock: Clock
  readonly telemetry: Telemetry
}

const CLAIMS_MAX = 50_000
/** Claims are written as soon as possible: until then a repeat on another node cannot be recognised. */
const CLAIM_PAUSE_MAX_MS = 250
const SETTLEMENTS_MAX = 50_000
const RELEASES_MAX = 5000

export class WaitingWork implements AsyncDisposable {
  readonly #shared: WaitingWorkParts['shared']
  readonly #claims: RetryLater
  readonly #settlements: RetryLater
  readonly #releases: RetryLater

  constructor({ clock: timers, shared, telemetry }: WaitingWorkParts) {
    this.#shared = shared
    this.#claims = new RetryLater({
      timers,
      entriesMax: CLAIMS_MAX,
      pauseMaxMs: CLAIM_PAUSE_MAX_MS,
      onGivenUp: () => telemetry.count('budget_claim_lost_total'),
    })
    this.#settlements = new RetryLater({
      timers,
      entriesMax: SETTLEMENTS_MAX,
      onGivenUp: (what) => telemetry.log('error', 'budget.settlement-lost', { what }),
    })
    this.#releases = new RetryLater({
      timers,
      entriesMax: RELEASES_MAX,
      // Its hold expires by itself.
      onGivenUp: () => telemetry.count('budget_release_lost_total'),
    })
  }

  /** How many charges wait. */
  get charges(): number {
    return this.#settlements.size
  }

  /** Tries at once, and again until it succeeds. */
  claim(hold: Hold, idempotency: AdmissionAsk['idempotency']): void {
    this.#claims.add(keyOf(hold), () => this.#shared.claim(hold, idempotency))
    // Tried at once, ahead of other waiting claims: until the claim is written, another node could grant a repeat of
    // the question.
    void this.#claims.tryNow(keyOf(hold))
  }

  charge(hold: Hold, charge: () => Promise<void>): void {
    this.#settlements.add(keyOf(hold), charge)
  }

  release({ id, principalId }: OwnedId): void {
    const hold = { id, principalId }
    this.#releases.add(keyOf(hold), () => this.#shared.release(hold))
  }

  /** Replaces the claim if it still waits; otherwise runs after it. */
  releaseClaimed({ id, principalId }: OwnedId): void {
    const hold = { id, principalId }
    this.#claims.add(keyOf(hold), () => this.#shared.release(hold))
  }

  /** Replaces the claim if it still waits; otherwise runs after it. */
  forgetClaim({ id, principalId }: OwnedId): void {
    const hold = { id, principalId }
    this.#claims.add(keyOf(hold), () => this.#shared.forgetClaim(hold))
  }

  /** Returns whether a release was waiting. Called when the same turn is requested again, which must keep its new grant. */
  cancelRelease(hold: OwnedId): boolean {
    const key = keyOf(hold)
    return [this.#releases.cancel(key), this.#claims.cancel(key)].includes(true)
  }

  /** Writes everything that waits, claims first, so that a repeated question is recognised. */
  async catchUp(): Promise<void> {
    await this.#claims.flush()
    await Promise.all([this.#settlements.flush(), this.#releases.flush()])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#claims.close()
    await this.#settlements.close()
    this.#releases[Symbol.dispose]()
  }
}

const keyOf = ({ id, principalId }: OwnedId) => JSON.stringify([principalId, id])
