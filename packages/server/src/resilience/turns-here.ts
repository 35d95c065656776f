// The turns that this node has admitted, by session and by idempotency key: with them a standalone node knows which of its sessions
// are busy and recognises a double tap. A turn is deleted after its claim has expired.
import type { Hold } from '#domain/budget/quota.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { AdmissionAnswer, AdmissionAsk, Claimed } from '#ports/budgets/port.ts'

interface TurnHere {
  readonly turnId: string
  readonly sessionId: string
  readonly key: string
  readonly fingerprint: string
  /** Which budgets granted it. */
  readonly by: 'local' | 'shared'
  /** Whether it also counts against the node's allowance. */
  readonly isSpending: boolean
  readonly isRunning: boolean
  /** The end of the hold. The owner renews it; after a takeover by another node it expires here. */
  heldUntil: number
  claimUntil: number
  /** When the entry may be deleted even if the turn never ended on this node. */
  readonly forgetAt: number
}

const KEEP_MS = 10 * 60_000
const SWEEP_MAX = 8
const TURNS_MAX = 100_000

export class TurnsHere {
  readonly #clock: Pick<Clock, 'now'>
  readonly #turns = new Map<string, TurnHere>()
  readonly #bySession = new Map<string, string>()
  readonly #byKey = new Map<string, string>()

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock
  }

  add({ id, sessionId }: Hold, ask: AdmissionAsk, by: TurnHere['by']): void {
    const { idempotency, principalId } = ask
    const now = this.#clock.now()
    this.#sweep(now)
    const key = JSON.stringify([principalId, idempotency.key])
    const claimUntil = now + idempotency.claimMs
    const { fingerprint } = idempotency
    const times = { claimUntil, heldUntil: now + ask.leaseMs, forgetAt: Math.max(claimUntil, now + KEEP_MS) }
    // A shared account adds no spending of its own: the account of each user counts.
    const kind = { by, isSpending: by === 'local' && ask.users === undefined }
    this.#turns.set(id, { turnId: id, sessionId, key, fingerprint, ...kind, isRunning: true, ...times })
    this.#bySession.set(sessionId, id)
    this.#byKey.set(key, id)
  }

  /** Why another turn cannot be admitted now, judged by the turns that `by` granted. */
  occupied(ask: AdmissionAsk, by: TurnHere['by'] | 'any'): AdmissionAnswer | undefined {
    const claimed = this.claimed(ask, by)
    if (claimed !== undefined) return claimed
    const busyWith = this.runningTurn(ask.sessionId, by)
    return busyWith === undefined ? undefined : { kind: 'session-busy', turnId: busyWith }
  }

  /** What an idempotency key leads to, judged by the turns that `by` granted. */
  claimed(
    { idempotency, principalId }: Pick<AdmissionAsk, 'principalId' | 'idempotency'>,
    by: TurnHere['by'] | 'any',
  ): Claimed | undefined {
    const claimed = this.#turns.get(this.#byKey.get(JSON.stringify([principalId, idempotency.key])) ?? '')
    const counts = claimed !== undefined && (by === 'any' || claimed.by === by)
    if (!counts || this.#clock.now() >= claimed.claimUntil) return undefined
    if (claimed.fingerprint !== idempotency.fingerprint) return { kind: 'key-reused' }
    return { kind: 'duplicate', turnId: claimed.turnId, sessionId: claimed.sessionId }
  }

  has(turnId: string): boolean {
    return this.#turns.get(turnId)?.isRunning === true
  }

  isLocal(turnId: string): boolean {
    return this.#turns.get(turnId)?.by === 'local'
  }

  isSpending(turnId: string): boolean {
    return this.#turns.get(turnId)?.isSpending === true
  }

  runningTurn(sessionId: string, by: TurnHere['by'] | 'any'): string | undefined {
    const turn = this.#turns.get(this.#bySession.get(sessionId) ?? '')
    if (turn?.isRunning !== true || this.#clock.now() >= turn.heldUntil) return undefined
    return by === 'any' || turn.by === by ? turn.turnId : undefined
  }

  renewed(turnId: string, leaseMs: number): void {
    const turn = this.#turns.get(turnId)
    if (turn !== undefined) turn.heldUntil = Math.max(turn.heldUntil, this.#clock.now() + leaseMs)
  }

  /** Ends the turn. Its claim then expires after `claimMs`; if that is undefined, at its previous time. */
  ended(turnId: string, claimMs: number | undefined): void {
    const turn = this.#turns.get(turnId)
    if (turn === undefined) return
    const now = this.#clock.now()
    const claimUntil = claimMs === undefined || !turn.isRunning ? turn.claimUntil : now + claimMs
    // Moved to the back, because the front is swept: a repeated settlement must still find it for a while.
    this.#turns.delete(turnId)
    this.#turns.set(turnId, { ...turn, isRunning: false, claimUntil, forgetAt: Math.max(claimUntil, now + KEEP_MS) })
  }

  forgetClaim(turnId: string): void {
    const turn = this.#turns.get(turnId)
    if (turn !== undefined) turn.claimUntil = this.#clock.now()
  }

  forget(turnId: string): void {
    const turn = this.#turns.get(turnId)
    if (turn === undefined) return
    this.#turns.delete(turnId)
    if (this.#bySession.get(turn.sessionId) === turnId) this.#bySession.delete(turn.sessionId)
    if (this.#byKey.get(turn.key) === turnId) this.#byKey.delete(turn.key)
  }

  #sweep(now: number): void {
    let forgotten = 0
    for (const [turnId, { forgetAt }] of this.#turns) {
      if (forgotten === SWEEP_MAX || (forgetAt > now && this.#turns.size <= TURNS_MAX)) return
      this.forget(turnId)
      forgotten += 1
    }
  }
}
