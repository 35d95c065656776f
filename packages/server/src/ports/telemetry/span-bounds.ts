// What one scope or span has at most: events, and calls of stores. The first are stored, and the others counted.
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'
import type { SpanEventName } from '#domain/telemetry/span-names.ts'
import type { SpanEvent, TelemetryFields } from './port.ts'

/** A turn has some ten events; a reader that reconnects all the time, or a defect, must not fill the memory. */
const EVENTS_PER_SPAN_MAX = 64
/**
 * A long answer has a hundred appends, which differ little; an admission on a cluster has up to thirteen calls. Those of the scope and of five
 * stages, the stages and the attempts fit into what the sampler holds of a turn (`telemetry.traces.spansMax`).
 */
const STORE_CALLS_PER_SPAN_MAX = 16
const NO_EVENTS: readonly SpanEvent[] = []
const NO_ATTRIBUTES: SpanFields = {}

export class EventList {
  #events: SpanEvent[] | undefined
  dropped = 0

  get all(): readonly SpanEvent[] {
    return this.#events ?? NO_EVENTS
  }

  add(name: SpanEventName, at: number, fields: TelemetryFields | undefined): void {
    this.#events ??= []
    if (this.#events.length >= EVENTS_PER_SPAN_MAX) this.dropped += 1
    else this.#events.push({ name, at, attributes: fields ?? NO_ATTRIBUTES })
  }
}

export class StoreCallCount {
  #made = 0

  take(): boolean {
    this.#made += 1
    return this.#made <= STORE_CALLS_PER_SPAN_MAX
  }

  get fields(): SpanFields {
    return this.#made <= STORE_CALLS_PER_SPAN_MAX
      ? NO_ATTRIBUTES
      : { storeCallsLeftOut: this.#made - STORE_CALLS_PER_SPAN_MAX }
  }
}
