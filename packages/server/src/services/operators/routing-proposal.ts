// What routing would save this shop while it is off, for operators. It is worked out behind the reader, at most once an hour: the last
// known proposal is shown meanwhile.
import { proposeRouting } from '#domain/routing/propose-routing.ts'
import type { PricedLadder, RoutingProposal, TurnsToReplay } from '#domain/routing/propose-routing.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { TurnRecords } from '#ports/turn-records/port.ts'

export interface RoutingProposalParts {
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Pick<Telemetry, 'log'>
  readonly priced: PricedLadder
  readonly turnRecords: Pick<TurnRecords, 'all'>
  readonly bundledTurns: TurnsToReplay['bundled']
}

const EVERY_MS = 3_600_000

export function createRoutingProposal({ bundledTurns, clock, priced, telemetry, turnRecords }: RoutingProposalParts) {
  let known: RoutingProposal | undefined
  let askedAt: number | undefined

  async function work(): Promise<void> {
    known = await proposeRouting(priced, { recorded: turnRecords.all({ kind: 'chat' }), bundled: bundledTurns })
  }

  return {
    /** Undefined where routing is on, would not pay, or where that is not known yet. */
    routingProposal(): RoutingProposal | undefined {
      const now = clock.now()
      if (askedAt === undefined || now - askedAt >= EVERY_MS) {
        askedAt = now
        work().catch((error: unknown) => telemetry.log('warn', 'routing.not-projected', { reason: String(error) }))
      }
      return known
    },
  }
}
