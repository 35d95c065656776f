// What a node has yet to write to a store that was unavailable: keys to claim, charges to make, holds to release. Each waits in
// memory, bounded, and is retried until it is written.
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

  /** At once, and again until it is written. */
  claim(hold: Hold, idempotency: AdmissionAsk['idempotency']): void {
    this.#claims.add(keyOf(hold), () => this.#shared.claim(hold, idempotency))
    // Each by itself: behind others that are not answered it would be too late for a repeat on another node.
    void this.#claims.tryNow(keyOf(hold))
  }

  charge(hold: Hold, charge: () => Promise<void>): void {
    this.#settlements.add(keyOf(hold), charge)
  }

  release({ id, principalId }: OwnedId): void {
    const hold = { id, principalId }
    this.#releases.add(keyOf(hold), () => this.#shared.release(hold))
  }

  /** In place of its claim, if that still waits; after it, if it was written. */
  releaseClaimed({ id, principalId }: OwnedId): void {
    const hold = { id, principalId }
    this.#claims.add(keyOf(hold), () => this.#shared.release(hold))
  }

  /** Likewise. */
  forgetClaim({ id, principalId }: OwnedId): void {
    const hold = { id, principalId }
    this.#claims.add(keyOf(hold), () => this.#shared.forgetClaim(hold))
  }

  /** Whether a release was waiting: the same turn is asked for again, and must not lose what it is granted now. */
  cancelRelease(hold: OwnedId): boolean {
    const key = keyOf(hold)
    return [this.#releases.cancel(key), this.#claims.cancel(key)].includes(true)
  }

  /** Claims first: a question that is sent again must be found to have been granted. */
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
