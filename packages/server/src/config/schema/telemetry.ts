// Which traces are exported, and what they may contain. Where they are sent is said by OpenTelemetry's own variables
// (`OTEL_…`, docs/telemetry.md), not here. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { Positive, section, Whole } from './section.ts'

export const telemetryShapes = {
  telemetry: section({
    /**
     * Tail sampling: a trace is kept or dropped when its scope has ended. Failed, slow, degraded and flagged ones are always
     * exported; the settings are about all others.
     */
    traces: section({
      /** Traces of turns, and as many of other requests, that are exported every second whatever the share is. */
      perSecond: Type.Number({ minimum: 0, maximum: 1000 }),
      /** The share of the other traces that is exported; 1: all. */
      share: Type.Number({ minimum: 0, maximum: 1 }),
      /** A turn that takes longer is slow. */
      slowMs: Positive,
      /** Any other request that takes longer is slow; a stream is a turn or a reader, and not meant. */
      slowRequestMs: Positive,
      /** Traces every second that are exported because the caller's own trace is sampled; 0: its flag is ignored. */
      callerPerSecond: Type.Number({ minimum: 0, maximum: 1000 }),
      /** Scopes whose spans are held until they end; past it the oldest loses its spans. */
      openMax: Positive,
      /** Spans that are held for one scope; further ones are dropped. */
      spansMax: Type.Integer({ minimum: 8 }),
      /** Estimated size of all spans that are held; past it the oldest scope loses its spans. */
      bytesMax: Type.Integer({ minimum: 64 * 1024 }),
    }),
    /** Sends the trace context to vendors with each call of a model: `traceparent`, and X-Ray's header to AWS. */
    propagate: Type.Boolean(),
    /**
     * Exports the words of prompts and answers with the spans of calls. For test systems: they contain personal data of
     * shoppers, and the collector stores them.
     */
    messages: Type.Boolean(),
    /** The longest prompt or answer in a span, in characters; the rest is cut. */
    messageLengthMax: Whole,
  }),
}

const SECOND_MS = 1000

export const telemetryDefaults: Static<Type.TObject<typeof telemetryShapes>> = {
  telemetry: {
    traces: {
      perSecond: 1,
      share: 0.05,
      slowMs: 15 * SECOND_MS,
      slowRequestMs: SECOND_MS,
      callerPerSecond: 5,
      openMax: 4096,
      spansMax: 128,
      bytesMax: 64 * 1024 * 1024,
    },
    propagate: true,
    messages: false,
    messageLengthMax: 16 * 1024,
  },
}
