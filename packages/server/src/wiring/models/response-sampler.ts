// Chooses the calls whose raw response is kept, gathers it while it comes, and redacts and stores it afterwards, once the
// turn has gone on. A call that is not chosen costs one draw.
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

/** The beginning and the end of a long response say what its middle does: the usage comes last. */
const HEAD_EVENTS = 64
const EVENTS_MAX = 96
/** Writes under way; beyond them the disk is too slow for samples. */
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
