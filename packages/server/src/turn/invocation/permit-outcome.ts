// How a turn's request for a permit ended, as the label `outcome` of the lane's metrics says it.
import type { LabelsOf } from '#domain/telemetry/catalogue.ts'
import type { Entered } from './waiting-queue.ts'

type PermitOutcome = LabelsOf<'lane_permit_requests_total'>['outcome']

const QUEUE_OUTCOMES = { permit: 'permit', full: 'queue-full', late: 'timeout', left: 'cancelled' } as const

export function permitOutcome(entered: Entered): PermitOutcome {
  return entered.kind === 'refused' ? entered.why : QUEUE_OUTCOMES[entered.kind]
}
