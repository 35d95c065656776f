// Runs one streamed model call, the same for every vendor: deadline, limits on silence, samples, a clean end, and one classified
// error part for anything that is thrown. A vendor's adapter opens the call and reads its events.
import { boundedSignal, Late } from '#lib/time/bounded-signal.ts'
import type { FairClock } from '#lib/time/fair-timers.ts'
import { silenceWatchdog } from '#lib/time/silence-watchdog.ts'
import { failure } from './model-failure.ts'
import { CANCELLED, modelError } from './model-part.ts'
import type { ModelAnomaly, ModelFailure, ModelPart } from './model-part.ts'
import type { VendorFault } from './vendor-fault.ts'

/** Turns events into parts. It may end the stream itself with a `message-end` or `model-error` part. */
export interface StreamReader<Event> {
  read(event: Event, out: ModelPart[]): void
  /** Whether the vendor has reported that the message is complete. */
  isComplete(): boolean
  /** Returns the parts that end the stream, after the last event. */
  finish(): readonly ModelPart[]
}

export interface StreamOpening {
  readonly signal: AbortSignal
  /** Undefined for most calls. */
  readonly sample: StreamSample | undefined
  /** For an opening with several exchanges: expects the next sign of life within `ms` from now. */
  expectWithin(ms: number): void
}

/** How far the call had got when it failed. */
export interface FailedAt {
  readonly nowMs: number
  /** The vendor accepted the call. */
  readonly hasOpened: boolean
  /** Parts of the answer had arrived, so that the error broke a stream. */
  readonly hasBegun: boolean
}

export interface VendorCall<Event> {
  readonly reader: StreamReader<Event>
  /** Starts the call. The signal ends it, and with it the cost. */
  open(opening: StreamOpening): PromiseLike<AsyncIterable<Event>>
  classify(error: unknown, at: FailedAt): ModelFailure
  /** Where the call goes, and the vendor's id of it once its response began: added to whatever ends it. */
  about?(): Pick<VendorFault, 'host' | 'requestId'>
}

export interface StreamLimits {
  /** Until the headers of the response. */
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
        if (part.type === 'model-error') return yield withAbout(part, call)
        yield part
        if (isDrained) return
      }
    }
    isDrained = true
    for (const part of reader.finish()) yield withAbout(part, call)
  } catch (error) {
    sample?.see(error)
    if (reader.isComplete() && (isSilent || !bound.signal.aborted)) {
      // The message was complete; only something after it was lost.
      onAnomaly('lost-after-end')
      yield* reader.finish()
    } else {
      const classified = () => call.classify(error, { nowMs: clock.now(), hasOpened, hasBegun })
      yield withAbout(errorPart(bound.signal, classified), call)
    }
  } finally {
    // Leaving the loop does not stop the generation; only the signal does. After a complete answer it is not aborted, so that
    // the connection stays open for the next call.
    if (!isDrained) bound.expire('the reader left')
    sample?.end()
  }
}

function errorPart(signal: AbortSignal, classified: () => ModelFailure): ModelPart {
  if (!signal.aborted) return modelError(classified())
  return signal.reason instanceof Late ? modelError(failure('timeout', signal.reason.message)) : CANCELLED
}

function withAbout(part: ModelPart, { about }: Pick<VendorCall<never>, 'about'>): ModelPart {
  if (part.type !== 'model-error' || part.class === 'cancelled' || about === undefined) return part
  return { ...part, fault: { ...about(), ...part.fault } }
}
