// Calls a person by a webhook: one POST of JSON, retried a few times within a deadline. The receiver recognises repeats by the
// `Idempotency-Key`.
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Handover } from '#ports/handover/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { postJson } from './post-json.ts'

export interface HttpHandoverOptions {
  readonly url: string
  readonly withText: boolean
  /** Timeout of one try. */
  readonly deadlineMs: number
  readonly triesMax: number
  readonly underWayMax: number
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
}

export function httpHandover(options: HttpHandoverOptions): Handover {
  const { telemetry, withText } = options
  let underWay = 0
  const isFree = () => underWay < options.underWayMax

  return {
    isFree,
    async call(call) {
      if (!isFree()) {
        telemetry.count('handover_total', { outcome: 'busy' })
        return 'busy'
      }
      underWay += 1
      try {
        const { given, question, ...named } = call
        const body = withText ? { ...named, question, ...(given === undefined ? {} : { given }) } : named
        const posted = await postJson(options, body, call.handoverId ?? call.turnId)
        const end = posted === 'delivered' ? 'delivered' : 'gave-up'
        telemetry.count('handover_total', { outcome: end === 'delivered' ? 'delivered' : 'failed' })
        if (end === 'gave-up') telemetry.log('warn', 'handover.failed', { turnId: call.turnId })
        return end
      } finally {
        underWay -= 1
      }
    },
  }
}
