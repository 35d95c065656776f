// Reads a turn to its end for a caller who wants one answer, not a stream. Bounded: past the limit it answers with
// what there is. The turn itself runs on; only the reading ends.
import { createHash } from 'node:crypto'
import type { ChatAnswer, ChatMetadata, DoneFrame, Language, MetaFrame } from '@mangaassist/protocol'
import type { Accepted, App } from '#app/app.ts'
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
}

const ADVICE = {
  ja: '長いお答えは WebSocket（/ws）なら途中から順にお届けできます。',
  en: 'Long answers arrive word by word over the WebSocket at /ws.',
} as const

/** Ends the reading sooner when `gone` aborts: nobody is there to be answered. */
export async function collect(
  { app, clock, limitMs }: CollectParts,
  turn: { received: Received; turnId: string },
  gone: AbortSignal,
): Promise<Collected> {
  const late = new AbortController()
  using _limit = clock.after(limitMs, () => late.abort())
  const signal = AbortSignal.any([late.signal, gone])
  let text = ''
  let meta: MetaFrame | undefined
  try {
    for await (const frame of await app.read(turn.received.principal, turn.turnId, { offset: 0 }, signal)) {
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
  {
    accepted,
    clock,
    language,
    received,
    startedAt,
    adviseOverMs,
  }: {
    accepted: Accepted
    clock: Clock
    language: Language
    received: Received
    startedAt: number
    adviseOverMs: number
  },
): { data: ChatAnswer; metadata: ChatMetadata } {
  const { duplicate, sessionId, turnId } = accepted
  // By what was expected when it was asked for: how long one answer took says little about the next.
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
      ...(meta === undefined ? {} : { quota: meta.quota }),
      ...(meta?.warning === undefined ? {} : { warning: meta.warning }),
      ...(end.finishReason === 'timeout' || isLong ? { advice: ADVICE[language] } : {}),
    },
  }
}

/** The turn has not ended: its figures are ours until it settles, and flagged as such. */
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
