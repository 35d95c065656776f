// Reads a turn to its end for a caller that wants one answer, not a stream. When the read ends early, by a limit or because
// the caller has left, the result is the text so far; the turn itself continues.
import { createHash } from 'node:crypto'
import type { ChatAnswer, ChatMetadata, DoneFrame, Language, MetaFrame, QuotaView } from '@mangaassist/protocol'
import type { Accepted, App, TurnFrame } from '#app/app.ts'
import type { ReaderMeter } from '#domain/turn-records/reader-meter.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Received } from '#turn/turn.ts'

interface Collected {
  readonly text: string
  readonly meta: MetaFrame | undefined
  readonly done: DoneFrame | undefined
}

interface CollectParts {
  readonly app: Pick<App, 'read'>
  readonly clock: Clock
  readonly limitMs: number
  readonly meter: ReaderMeter
}

interface AnswerParts {
  readonly accepted: Accepted
  readonly clock: Clock
  /** Read after the turn's end; absent when it could not be read. */
  readonly quota?: QuotaView | undefined
  readonly language: Language
  readonly received: Received
  readonly startedAt: number
  readonly adviseOverMs: number
}

const ADVICE = {
  ja: '長いお答えは WebSocket（/ws）なら途中から順にお届けできます。',
  en: 'Long answers arrive word by word over the WebSocket at /ws.',
} as const

/** Like `collect`, with a time limit. */
export async function collectWithin(
  { app, clock, limitMs, meter }: CollectParts,
  { received, turnId }: { received: Received; turnId: string },
  gone: AbortSignal,
): Promise<Collected> {
  const late = new AbortController()
  using _limit = clock.after(limitMs, () => late.abort())
  const signal = AbortSignal.any([late.signal, gone])
  // Awaited here, because the limit ends when this function returns.
  const collected = await collect(() => app.read(received.principal, { turnId, offset: 0, meter }, signal), signal)
  meter.ended(collected.done !== undefined ? 'complete' : gone.aborted ? 'left' : 'timeout')
  return collected
}

/** All frames of a turn as one answer; without `done` when `signal` aborts first. */
export async function collect(read: () => Promise<AsyncIterable<TurnFrame>>, signal: AbortSignal): Promise<Collected> {
  let text = ''
  let meta: MetaFrame | undefined
  try {
    for await (const frame of await read()) {
      if (frame.type === 'meta') meta = frame
      else if (frame.type === 'done') return { text, meta, done: frame }
      else if (frame.type === 'chunk') text = text.slice(0, frame.offset) + frame.text
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return { text, meta, done: undefined }
}

export function answerFrom(
  { done, meta, text }: Collected,
  { accepted, clock, language, quota, received, startedAt, adviseOverMs }: AnswerParts,
): { data: ChatAnswer; metadata: ChatMetadata } {
  const { duplicate, sessionId, turnId } = accepted
  // Judged by the duration that was expected at the request: how long one answer took says little about the next.
  const isLong = (accepted.expectedMs ?? 0) > adviseOverMs
  const end = done ?? endOfPartial(text, received.message, meta)
  return {
    data: { sessionId, turnId, text, products: meta?.products ?? [], finishReason: end.finishReason },
    metadata: {
      requestId: received.requestId,
      model: end.model,
      tier: end.tier,
      degraded: meta?.degraded ?? true,
      confidence: meta?.confidence ?? 0.1,
      ...(meta?.reason === undefined ? {} : { reason: meta.reason }),
      usage: end.usage,
      costMicroUsd: end.costMicroUsd,
      latencyMs: clock.now() - startedAt,
      cached: meta?.cached ?? false,
      timestamp: isoTime(clock.now()),
      ...(done === undefined ? {} : { sessionVersion: done.sessionVersion }),
      length: end.length,
      sha256: end.sha256,
      ...(duplicate ? { duplicate } : {}),
      ...(quota === undefined ? {} : { quota }),
      ...(meta?.warning === undefined ? {} : { warning: meta.warning }),
      ...(meta?.offersAsOf === undefined ? {} : { offersAsOf: meta.offersAsOf }),
      ...(meta?.unsaved === undefined ? {} : { unsaved: meta.unsaved }),
      ...(meta?.suggestions === undefined ? {} : { suggestions: meta.suggestions }),
      ...(meta?.sources === undefined ? {} : { sources: meta.sources }),
      ...(meta?.prompt === undefined ? {} : { prompt: meta.prompt }),
      ...(meta?.route === undefined ? {} : { route: meta.route }),
      ...(end.finishReason === 'timeout' || isLong ? { advice: ADVICE[language] } : {}),
    },
  }
}

/** The turn has not ended: its usage is our estimate until it settles, and is flagged. */
function endOfPartial(
  text: string,
  question: string,
  meta: MetaFrame | undefined,
): Omit<DoneFrame, 'type' | 'turnId' | 'timings' | 'sessionVersion'> {
  return {
    finishReason: 'timeout',
    length: text.length,
    sha256: createHash('sha256').update(text, 'utf8').digest('hex'),
    usage: { inputTokens: genericCounter.text(question), outputTokens: genericCounter.text(text), estimated: true },
    costMicroUsd: 0,
    tier: meta?.tier ?? 'message',
    model: meta?.model ?? 'none',
  }
}
