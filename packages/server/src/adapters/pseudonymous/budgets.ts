// Stores a principal's rates, budgets, holds and keys under a keyed pseudonym. A person who was erased and returns the same
// day therefore gets the same account, and nothing in the store names them. Returned holds have the principal's own id
// again.
import type { AdmissionAnswer, AdmissionAsk, Budgets, OwnedId } from '#ports/budgets/port.ts'

export interface PseudonymousBudgetsOptions {
  readonly budgets: Budgets
  /** Returns the same pseudonym for a principal on every node; it cannot be reversed. */
  readonly nameOf: (principalId: string) => string
}

export function pseudonymousBudgets({ budgets: state, nameOf }: PseudonymousBudgetsOptions): Budgets {
  const named = <Owned extends { readonly principalId: string }>(owned: Owned): Owned => ({
    ...owned,
    principalId: nameOf(owned.principalId),
  })
  const inherited = <Session extends OwnedId & { readonly inheritedFrom?: string }>(session: Session): Session => {
    const { inheritedFrom } = session
    return { ...named(session), ...(inheritedFrom === undefined ? {} : { inheritedFrom: nameOf(inheritedFrom) }) }
  }
  const unnamed = ({ principalId }: AdmissionAsk, answer: AdmissionAnswer): AdmissionAnswer =>
    answer.kind === 'granted' ? { ...answer, hold: { ...answer.hold, principalId } } : answer
  return {
    admit: async (ask) => unnamed(ask, await state.admit(named(ask))),
    async admitCompared(ask, epoch) {
      const answer = await state.admitCompared(named(ask), epoch)
      return answer === undefined ? undefined : unnamed(ask, answer)
    },
    markCompared: (compared) => state.markCompared(named(compared)),
    claimed: (ask) => state.claimed(named(ask)),
    claim: (hold, idempotency) => state.claim(named(hold), idempotency),
    narrow: (hold, to) => state.narrow(named(hold), to),
    extend: (hold, to, limits) => state.extend(named(hold), to, limits),
    renew: (hold, leaseMs) => state.renew(named(hold), leaseMs),
    settle: (hold, used, terms) => state.settle(named(hold), used, terms),
    reset: (use) => state.reset(named(use)),
    forgetClaim: (hold) => state.forgetClaim(named(hold)),
    release: (hold) => state.release(named(hold)),
    quota: (principalId, limits, day) => state.quota(nameOf(principalId), limits, day),
    runningTurn: (session) => state.runningTurn(inherited(session)),
    carryOver: (session) => state.carryOver(inherited(session)),
  }
}
