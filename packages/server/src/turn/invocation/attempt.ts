// One call of one model, bounded by silence: the first token within `firstTokenMs`, each next within `stallMs`. A model
// that thinks first is not silent: it has `thinkingMs` to its first text, and a limit of tokens. Yields new text as it
// arrives and returns the usage and the outcome; it never throws.
import type { TokenCounter } from '#domain/estimator/token-counter.ts'
import { createSeam } from '#domain/continuation/create-seam.ts'
import { createExactSeam, JOINED } from '#domain/continuation/seam.ts'
import type { Seam } from '#domain/continuation/seam.ts'
import { costMicroUsd } from '#domain/budget/money.ts'
import { believedTokens, believedUsage } from '#domain/model/believed-usage.ts'
import { faultOf } from '#domain/model/call-fault.ts'
import { vendorFault } from '#domain/model/vendor-fault.ts'
import type { VendorFault } from '#domain/model/vendor-fault.ts'
import { TurnAbort } from '#domain/turn/turn-abort.ts'
import type { TurnPolicy } from '#domain/turn/turn-policy.ts'
import { DEADLINE_PASSED } from '#domain/turn/log-records.ts'
import type { AttemptRecord, TurnStart } from '#domain/turn/log-records.ts'
import type { TraceContext } from '#domain/telemetry/trace-context.ts'
import { eachUntilAborted } from '#lib/async/each-until-aborted.ts'
import { silenceWatchdog } from '#lib/time/silence-watchdog.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { ModelErrorClass, ModelPart, ModelRequest, ModelStopReason } from '#ports/model/port.ts'
import type { Routed, Rung } from '../turn.ts'
import type { PromptAfter } from './continue.ts'
import { wellFormed } from './well-formed.ts'

export interface AttemptLimits {
  readonly firstTokenMs: number
  readonly stallMs: number
  /** Time to the first text of a model that thinks first, and how many tokens it may think. */
  readonly thinkingMs: number
  readonly thinkingTokensMax: number
  /** Output beyond this multiple of the grant is cut. */
  readonly overshootFactor: number
}

export type AttemptEnd =
  | { readonly kind: 'ended'; readonly stopReason: ModelStopReason }
  | { readonly kind: 'over-budget' }
  /** The model should have continued an answer and wrote something else. */
  | { readonly kind: 'misfit' }
  | { readonly kind: 'aborted'; readonly abort: TurnAbort }
  | { readonly kind: 'failed'; readonly class: ModelErrorClass; readonly retryAfterMs?: number }

export interface Attempted {
  readonly end: AttemptEnd
  readonly record: AttemptRecord
  /** Whether the model sent any text, shown or not. */
  readonly spoke: boolean
  /** Whether the model sent any reasoning. */
  readonly thought: boolean
  /** The provider's reported input tokens. */
  readonly inputTokensReported?: number
  /** From its first text to its end; 0 without text. */
  readonly spokeMs: number
  /** The structure of the provider's usage, where a figure of it could not be used. */
  readonly usageReported?: string
}

/** The request to a model. */
export interface Call extends Pick<
  Routed,
  'system' | 'messages' | 'temperature' | 'grounding' | 'estimatedInputTokens' | 'estimate' | 'promptVersion'
> {
  readonly start: Pick<TurnStart, 'turnId' | 'message' | 'language' | 'deadlines'>
  /** Absent for a call of no turn, which continues nothing. */
  readonly policy?: Pick<TurnPolicy, 'mayContinueInOtherWords'>
  readonly rung: Rung
  /** The text that readers already have: the call continues after it, or repeats it and counts from there. */
  readonly shown: string
  readonly says?: PromptAfter['says']
  /** The model got the shown text as its own beginning. */
  readonly isPrefilled?: boolean
  /** The span of the call: its ids are sent to the vendor. */
  readonly trace?: TraceContext
}

export interface AttemptTurn {
  readonly signal: AbortSignal
  readonly say: (text: string) => void
  /** The model's first sign of life: reasoning or text. */
  readonly onAlive?: () => void
  /** The model thinks, and has sent no text yet. */
  readonly onThinking?: () => void
  /** The model's first text, even when it repeats shown text. */
  readonly onSpoken?: (after: { readonly thought: boolean }) => void
  /** All of the model's text, as it wrote it. */
  readonly onText?: (text: string) => void
}

/** A hedged model has sent text first: this call is stopped. */
export class Outrun extends Error {}
/** The model has sent nothing in its usual time, and another one is asked in its place. */
export class Left extends Error {}

class Silence extends Error {}
class OverBudget extends Error {}
class Misfit extends Error {}

export async function attempt(
  parts: {
    readonly clock: Clock
    readonly limits: AttemptLimits
    readonly number: number
    /** Counts this model's tokens. */
    readonly counter: TokenCounter
  },
  call: Call,
  turn: AttemptTurn,
): Promise<Attempted> {
  const { rung } = call
  const { limits } = parts
  const tally = newTally(call.estimatedInputTokens, parts.counter)
  const own = new AbortController()
  const forward = () => own.abort(turn.signal.reason)
  turn.signal.addEventListener('abort', forward, { once: true })
  if (turn.signal.aborted) forward()
  using watchdog = silenceWatchdog(parts.clock, () => own.abort(new Silence()))
  const outputMax = Math.floor(rung.maxOutputTokens * limits.overshootFactor)
  const seam = seamOf(call)
  const startedAt = parts.clock.now()
  const wordDueAt = startedAt + limits.thinkingMs
  let spoke = false
  let spokenAt: number | undefined
  let thought = false
  let end: AttemptEnd = { kind: 'failed', class: 'stream-broken' }
  let fault: VendorFault | undefined
  const say = (text: string) => {
    if (text !== '') turn.say(text)
  }
  const live = () => {
    if (!spoke && !thought) turn.onAlive?.()
  }
  const think = () => {
    live()
    if (!spoke && !thought) turn.onThinking?.()
    thought = true
    if (spoke) return watchdog.expectWithin(limits.stallMs)
    if (tally.thoughtTokens() > limits.thinkingTokensMax) throw new Silence()
    if (tally.estimatedOutputTokens() > outputMax) throw new OverBudget()
    watchdog.expectWithin(Math.max(0, Math.min(limits.stallMs, wordDueAt - parts.clock.now())))
  }
  const grammar = wellFormed((whole) => {
    const part = withinTokens(whole, parts.counter, () =>
      whole.type === 'text-delta'
        ? outputMax - tally.estimatedOutputTokens()
        : limits.thinkingTokensMax + 1 - tally.thoughtTokens(),
    )
    tally.see(part)
    if (part.type === 'reasoning-delta') think()
    else if (part.type === 'text-delta') {
      // An empty delta is not text: it counts neither as the first nor as a next one.
      if (part.text === '' && part === whole) return
      watchdog.expectWithin(limits.stallMs)
      live()
      if (!spoke) turn.onSpoken?.({ thought })
      spoke = true
      spokenAt ??= parts.clock.now()
      turn.onText?.(part.text)
      say(seam.push(part.text))
      if (seam.state === 'mismatch') throw new Misfit()
      if (part !== whole || tally.estimatedOutputTokens() > outputMax) throw new OverBudget()
    } else if (part.type === 'message-end') {
      const rest = seam.finish()
      if (rest.kind === 'ok') say(rest.text)
      end = rest.kind === 'ok' ? { kind: 'ended', stopReason: part.stopReason } : { kind: 'misfit' }
    } else if (part.type === 'model-error') {
      const { class: errorClass, retryAfterMs } = part
      end = { kind: 'failed', class: errorClass, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
      fault = part.fault
    }
  })
  try {
    watchdog.expectWithin(limits.firstTokenMs)
    await eachUntilAborted(rung.model.stream(requestOf(call, own.signal)), own.signal, grammar.next)
    grammar.end()
  } catch (error) {
    end = endOf(error)
    fault = end.kind === 'failed' ? vendorFault({ message: saidBy(error, limits) }) : undefined
    // However the loop ended, the model must stop working and billing.
    own.abort(error)
  } finally {
    turn.signal.removeEventListener('abort', forward)
  }
  const reported = tally.inputTokensReported()
  const endedAt = parts.clock.now()
  const record = recordOf(call, { number: parts.number, tally, end, fault, times: { startedAt, spokenAt, endedAt } })
  const spokeMs = spokenAt === undefined ? 0 : endedAt - spokenAt
  const usageReported = tally.usageReported()
  return {
    end,
    record,
    spoke,
    thought,
    spokeMs,
    ...(reported === undefined ? {} : { inputTokensReported: reported }),
    ...(usageReported === undefined ? {} : { usageReported }),
  }
}

function seamOf({ shown, start, policy, isPrefilled = false }: Call): Seam {
  if (policy?.mayContinueInOtherWords !== false) return createSeam({ shown, question: start.message, isPrefilled })
  return isPrefilled ? JOINED : createExactSeam(shown)
}

function requestOf(
  { system, messages, temperature, grounding, rung, shown, start, trace }: Call,
  signal: AbortSignal,
): ModelRequest {
  return {
    turnId: start.turnId,
    ...(shown === '' ? {} : { shown }),
    system,
    messages,
    grounding,
    language: start.language,
    maxOutputTokens: rung.maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    deadlineAt: start.deadlines.endBy,
    ...(trace === undefined ? {} : { trace }),
    signal,
  }
}

function endOf(error: unknown): AttemptEnd {
  if (error instanceof TurnAbort) return { kind: 'aborted', abort: error }
  if (error instanceof Outrun) return { kind: 'failed', class: 'cancelled' }
  if (error instanceof Silence || error instanceof Left) return { kind: 'failed', class: 'timeout' }
  if (error instanceof OverBudget) return { kind: 'over-budget' }
  if (error instanceof Misfit) return { kind: 'misfit' }
  // Adapters classify their errors as parts; a throw is a defect of the adapter, and still not the shopper's problem.
  return { kind: 'failed', class: 'internal' }
}

/** The words for a call that failed without any of the vendor's. */
function saidBy(error: unknown, { firstTokenMs, stallMs }: AttemptLimits): string {
  if (error instanceof Left) return 'no word in its usual time: another model was asked'
  if (!(error instanceof Silence)) return String(error)
  return `silent for too long: ${firstTokenMs} ms are allowed for the first token, ${stallMs} ms for each next`
}

/** Usual deltas are shorter; the limit is checked after them, and they exceed it by little. */
const DELTA_UNITS_USUAL = 256
/** A text with fewer tokens a unit is mostly white space: only its beginning is counted. */
const UNITS_PER_TOKEN_MAX = 64

/**
 * The part, or the beginning of it that the limit has room for: one delta may be a whole answer, and what is over the limit is neither
 * shown nor booked.
 */
function withinTokens(part: ModelPart, counter: TokenCounter, tokensLeft: () => number): ModelPart {
  if (part.type !== 'text-delta' && part.type !== 'reasoning-delta') return part
  if (part.text.length <= DELTA_UNITS_USUAL) return part
  const room = Math.max(0, tokensLeft())
  const text = part.text.slice(0, room * UNITS_PER_TOKEN_MAX)
  if (text.length === part.text.length && counter.text(text) <= room) return part
  let [fits, tooLong] = [0, text.length + 1]
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (counter.text(text.slice(0, middle)) <= room) fits = middle
    else tooLong = middle
  }
  const splitsPair = /[\uD800-\uDBFF]$/.test(text.slice(0, fits))
  return { ...part, text: text.slice(0, splitsPair ? fits - 1 : fits) }
}

interface Tally {
  see(part: ModelPart): void
  estimatedOutputTokens(): number
  thoughtTokens(): number
  inputTokensReported(): number | undefined
  usageReported(): string | undefined
  usage(end: AttemptEnd): AttemptRecord['usage']
  /** The provider's usage of its prompt cache. */
  cached(): Pick<AttemptRecord, 'cacheReadTokens' | 'cacheWriteTokens'>
}

function newTally(estimatedInput: number, counter: TokenCounter): Tally {
  let isStarted = false
  let inputTokens: number | undefined
  let outputTokens: number | undefined
  let raw: string | undefined
  let cached: Pick<AttemptRecord, 'cacheReadTokens' | 'cacheWriteTokens'> = {}
  const meter = counter.meter()
  const thoughts = counter.meter()
  const estimatedOutput = () => meter.tokens() + thoughts.tokens()
  return {
    see(part) {
      if (part.type === 'message-start') isStarted = true
      if (part.type === 'text-delta') meter.add(part.text)
      if (part.type === 'reasoning-delta') thoughts.add(part.text)
      if (part.type !== 'usage') return
      inputTokens = part.inputTokens ?? inputTokens
      outputTokens = part.outputTokens ?? outputTokens
      raw = part.raw
      const { cacheReadTokens, cacheWriteTokens } = part
      if (cacheReadTokens !== undefined) cached = { ...cached, cacheReadTokens }
      if (cacheWriteTokens !== undefined) cached = { ...cached, cacheWriteTokens }
    },
    estimatedOutputTokens: estimatedOutput,
    thoughtTokens: () => thoughts.tokens(),
    inputTokensReported: () => believedTokens(inputTokens, estimatedInput),
    usageReported: () => raw,
    cached: () => cached,
    usage: (end) =>
      believedUsage({
        isStarted,
        failure: end.kind === 'failed' ? end.class : undefined,
        reported: {
          ...(inputTokens === undefined ? {} : { inputTokens }),
          ...(outputTokens === undefined ? {} : { outputTokens }),
        },
        estimate: { inputTokens: estimatedInput, outputTokens: estimatedOutput() },
      }),
  }
}

function recordOf(call: Call, { number, tally, end, fault, times }: Ended): AttemptRecord {
  const { rung, estimate } = call
  const usage = tally.usage(end)
  return {
    attempt: number,
    model: rung.model.id,
    tier: rung.tier,
    usage,
    ...tally.cached(),
    ...(estimate === undefined ? {} : { estimate }),
    ...promptOf(call),
    costMicroUsd: costMicroUsd(rung.price, usage.inputTokens, usage.outputTokens),
    outcome: outcomeName(end),
    name: rung.name,
    startedAt: times.startedAt,
    tookMs: times.endedAt - times.startedAt,
    ...(times.spokenAt === undefined ? {} : { firstWordMs: times.spokenAt - times.startedAt }),
    ...(tally.thoughtTokens() === 0 ? {} : { reasoningTokens: tally.thoughtTokens() }),
    ...(end.kind === 'failed' ? faultOf({ ...end, fault }, { host: rung.model.host, messages: call.messages }) : {}),
  }
}

interface Ended {
  readonly number: number
  readonly tally: Tally
  readonly end: AttemptEnd
  readonly fault: VendorFault | undefined
  readonly times: { readonly startedAt: number; readonly spokenAt: number | undefined; readonly endedAt: number }
}

/** The built-in responder reads no prompt. */
export function promptOf({ rung, promptVersion }: Pick<Call, 'rung' | 'promptVersion'>): Pick<AttemptRecord, 'prompt'> {
  return promptVersion === undefined || rung.tier === 'embedded' ? {} : { prompt: promptVersion }
}

function outcomeName(end: AttemptEnd): string {
  switch (end.kind) {
    case 'ended':
      return end.stopReason
    case 'over-budget':
      return 'budget'
    case 'misfit':
      return 'misfit'
    case 'aborted':
      return end.abort.abortCause === 'timeout' ? DEADLINE_PASSED : end.abort.finishReason
    case 'failed':
      return end.class
  }
}
