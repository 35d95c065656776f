// The turns that this node has admitted, by session and by idempotency key: a standalone node still knows which of its sessions are
// busy and what is a double tap. Forgets a turn when its claim is over.
import type { Hold } from '#domain/budget/quota.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { AdmissionAnswer, AdmissionAsk, Claimed } from '#ports/budgets/port.ts'

interface TurnHere {
  readonly turnId: string
  readonly sessionId: string
  readonly key: string
  readonly fingerprint: string
  /** Who granted it. */
  readonly by: 'local' | 'shared'
  /** Whether it counts as spending of the node. */
  readonly isSpending: boolean
  readonly isRunning: boolean
  /** Whoever runs it keeps its hold. One that was lost to another node is not renewed here, and its end not heard of. */
  heldUntil: number
  claimUntil: number
  /** A turn that nobody ended by then is nobody's any more. */
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
    // An account that several share is no further spending: it is each user's that counts.
    const kind = { by, isSpending: by === 'local' && ask.users === undefined }
    this.#turns.set(id, { turnId: id, sessionId, key, fingerprint, ...kind, isRunning: true, ...times })
    this.#bySession.set(sessionId, id)
    this.#byKey.set(key, id)
  }

  /** Why another turn cannot be admitted now, by what is known here of turns that were granted so. */
  occupied(ask: AdmissionAsk, by: TurnHere['by'] | 'any'): AdmissionAnswer | undefined {
    const claimed = this.claimed(ask, by)
    if (claimed !== undefined) return claimed
    const busyWith = this.runningTurn(ask.sessionId, by)
    return busyWith === undefined ? undefined : { kind: 'session-busy', turnId: busyWith }
  }

  /** What a key leads to, by what is known here of turns that were granted so. */
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

  /** Its claim then ends after `claimMs`, or when it was to end anyway. */
  ended(turnId: string, claimMs: number | undefined): void {
    const turn = this.#turns.get(turnId)
    if (turn === undefined) return
    const now = this.#clock.now()
    const claimUntil = claimMs === undefined || !turn.isRunning ? turn.claimUntil : now + claimMs
    // To the back: what is swept is the front. A settlement may be repeated for a while, and must find it.
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
