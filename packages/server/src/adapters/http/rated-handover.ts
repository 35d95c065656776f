// Limits how often a person is called: an outage fails every turn, and must not become a flood of calls. Past the limit no call
// is made, and the shopper is not promised one.
import { gcra } from '#lib/rates/gcra.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Handover } from '#ports/handover/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export function ratedHandover(
  handover: Handover,
  {
    clock,
    telemetry,
    perMinuteMax,
  }: { readonly clock: Pick<Clock, 'now'>; readonly telemetry: Telemetry; readonly perMinuteMax: number },
): Handover {
  const rate = { perSecond: perMinuteMax / 60, burst: perMinuteMax }
  let arrivalAt: number | undefined
  const decide = () => gcra(rate, arrivalAt, clock.now())
  return {
    isFree: () => decide().allowed && handover.isFree(),
    async call(call) {
      const decision = decide()
      if (!decision.allowed || !handover.isFree()) {
        telemetry.count('handover_total', { outcome: decision.allowed ? 'busy' : 'rate-limited' })
        return 'busy'
      }
      arrivalAt = decision.arrivalAt
      return handover.call(call)
    },
  }
}
