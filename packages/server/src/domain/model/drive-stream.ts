// One streamed call of a model, the same for every vendor: the deadline, the limits on silence, samples, a clean end, and one
// classified error part whatever is thrown. A vendor's adapter opens the call and reads its events.
import { boundedSignal, Late } from '#lib/time/bounded-signal.ts'
import type { FairClock } from '#lib/time/fair-timers.ts'
import { silenceWatchdog } from '#lib/time/silence-watchdog.ts'
import { failure } from './model-failure.ts'
import { CANCELLED, modelError } from './model-part.ts'
import type { ModelAnomaly, ModelFailure, ModelPart } from './model-part.ts'

/** An event in, parts out. It may also end the stream itself, by a part that is an end. */
export interface StreamReader<Event> {
  read(event: Event, out: ModelPart[]): void
  /** Whether the vendor has said that the message is complete. */
  isComplete(): boolean
  /** After the last event: the parts that end the stream. */
  finish(): readonly ModelPart[]
}

export interface StreamOpening {
  readonly signal: AbortSignal
  /** Undefined for most calls. */
  readonly sample: StreamSample | undefined
  /** For an opening of several exchanges: the next sign of life is due within `ms` from now. */
  expectWithin(ms: number): void
}

/** How far the call was when it failed. */
export interface FailedAt {
  readonly nowMs: number
  /** The vendor accepted the call. */
  readonly hasOpened: boolean
  /** Parts of the answer have come, so what is lost now is a stream. */
  readonly hasBegun: boolean
}

export interface VendorCall<Event> {
  readonly reader: StreamReader<Event>
  /** Begins the call. The signal ends it, and with it the bill. */
  open(opening: StreamOpening): PromiseLike<AsyncIterable<Event>>
  classify(error: unknown, at: FailedAt): ModelFailure
}

export interface StreamLimits {
  /** Until the call is open: the response's headers. */
  readonly firstByteMs: number
  /** Between two events. */
  readonly stallMs: number
}

interface StreamSample {
  see(event: unknown): void
  end(): void
}

export interface StreamParts {
  readonly clock: FairClock
  readonly limits: StreamLimits
  readonly onAnomaly: (anomaly: ModelAnomaly) => void
  readonly startSample?: ((turnId: string | undefined) => StreamSample | undefined) | undefined
}

interface StreamRequest {
  readonly turnId?: string
  readonly deadlineAt: number
  readonly signal: AbortSignal
}

export async function* driveStream<Event>(
  { clock, limits, onAnomaly, startSample }: StreamParts,
  request: StreamRequest,
  call: VendorCall<Event>,
): AsyncGenerator<ModelPart> {
  if (request.signal.aborted) return yield CANCELLED
  using bound = boundedSignal(clock, request.signal, request.deadlineAt - clock.now())
  let isSilent = false
  using watchdog = silenceWatchdog(clock, () => {
    isSilent = true
    bound.expire('the connection fell silent')
  })
  const { reader } = call
  const sample = startSample?.(request.turnId)
  const out: ModelPart[] = []
  let [hasOpened, hasBegun, isDrained] = [false, false, false]
  try {
    watchdog.expectWithin(limits.firstByteMs)
    const events = await call.open({ signal: bound.signal, sample, expectWithin: (ms) => watchdog.expectWithin(ms) })
    hasOpened = true
    watchdog.expectWithin(limits.stallMs)
    for await (const event of events) {
      watchdog.expectWithin(limits.stallMs)
      // Events that had already arrived when the caller left are not read.
      bound.signal.throwIfAborted()
      sample?.see(event)
      out.length = 0
      reader.read(event, out)
      for (const part of out) {
        hasBegun = true
        isDrained = part.type === 'message-end'
        yield part
        if (isDrained || part.type === 'model-error') return
      }
    }
    isDrained = true
    yield* reader.finish()
  } catch (error) {
    sample?.see(error)
    if (reader.isComplete() && (isSilent || !bound.signal.aborted)) {
      // The message was whole; what was lost is what comes after it.
      onAnomaly('lost-after-end')
      yield* reader.finish()
    } else yield errorPart(bound.signal, () => call.classify(error, { nowMs: clock.now(), hasOpened, hasBegun }))
  } finally {
    // Leaving the loop does not stop the generation: only the signal does. A connection whose answer was read to its
    // end stays open: it serves the next call.
    if (!isDrained) bound.expire('the reader left')
    sample?.end()
  }
}

function errorPart(signal: AbortSignal, classified: () => ModelFailure): ModelPart {
  if (!signal.aborted) return modelError(classified())
  return signal.reason instanceof Late ? modelError(failure('timeout', signal.reason.message)) : CANCELLED
}
