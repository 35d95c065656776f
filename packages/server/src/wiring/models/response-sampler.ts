// Samples raw responses of models: selects calls at random, collects the events while they arrive, and redacts and stores them
// afterwards, so that the turn does not wait. A call that is not selected costs one random number.
import type { Config } from '#config/config.ts'
import { redactEvent } from '#domain/model/redact-sample.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { RawSample, Sample, SampleStore, StartSample } from '#ports/sample-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface SamplerParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly store: SampleStore
}

/** A long response is stored without its middle: its beginning and its end, which has the usage, are enough. */
const HEAD_EVENTS = 64
const EVENTS_MAX = 96
/** Maximum writes in flight; beyond it the disk is too slow, and samples are dropped. */
const WRITES_MAX = 8

export function responseSampler(
  { share, withText }: Config['samples'],
  { random, clock, store, telemetry }: SamplerParts,
): (model: string) => StartSample | undefined {
  let writes = 0

  async function write(
    { model, turnId }: Pick<Sample, 'model' | 'turnId'>,
    events: readonly unknown[],
    eventsLeftOut: number,
  ): Promise<void> {
    if (writes === WRITES_MAX) return telemetry.count('model_sample_dropped_total', { model })
    writes += 1
    try {
      const redacted = events.map((event) => redactEvent(event, { withText }))
      await store.keep({ id: random.id('sample'), turnId, at: clock.now(), model, events: redacted, eventsLeftOut })
      telemetry.count('model_sample_stored_total', { model })
    } catch (error) {
      telemetry.log('warn', 'model.sample-failed', { model }, error)
    } finally {
      writes -= 1
    }
  }

  function start(of: Pick<Sample, 'model' | 'turnId'>): RawSample {
    const events: unknown[] = []
    let leftOut = 0
    return {
      see(event) {
        events.push(event)
        if (events.length <= EVENTS_MAX) return
        events.splice(HEAD_EVENTS, 1)
        leftOut += 1
      },
      end: () => clock.defer(() => void write(of, events, leftOut)),
    }
  }

  return (model) => {
    if (share === 0) return undefined
    return (turnId) => (turnId !== undefined && random.float() < share ? start({ model, turnId }) : undefined)
  }
}
