// Judges a model's answer to a format probe, and the status that follows from it. Pure: parts in, a verdict out; `model-probes.ts`
// makes the calls and stores the results. A provider's silent change of format must show here before it falsifies the ledger.
import { genericCounter } from '../estimator/token-counter.ts'
import type { ModelPart } from './model-part.ts'
import type { ReportedUsage } from './model-usage.ts'

export interface ProbeSeen {
  readonly parts: readonly ModelPart[]
  readonly inputTokensEstimated: number
  readonly outputTokensMax: number
  /** Events of this model that could not be read since the previous probe, including those of shoppers' answers. */
  readonly undecodableEvents: number
}

type ProbeStatus = 'ok' | 'degraded' | 'error'

export interface ProbeVerdict {
  readonly status: ProbeStatus
  /** A code: `ok`, the class of an error, or what is wrong with the format or the usage. */
  readonly reason: string
  /** The answer did not have the expected format. The alert is held longer than the verdict. */
  readonly isSchemaAlert: boolean
}

/** A provider's usage may differ from our estimate because of its template and tokenizer, but by less than this. */
const PLAUSIBLE_FACTOR = 4
const PLAUSIBLE_MARGIN_TOKENS = 200

export function judgeProbe(seen: ProbeSeen): ProbeVerdict {
  const last = seen.parts.at(-1)
  if (!isGrammatical(seen.parts)) return alert('error', 'grammar')
  const isUnreadable = seen.undecodableEvents > 0
  if (last?.type === 'model-error') {
    const judged = verdict(last.class === 'throttled' ? 'degraded' : 'error', last.class)
    return { ...judged, isSchemaAlert: isUnreadable }
  }
  if (last?.type === 'message-end' && last.stopReason === 'blocked') return verdict('error', 'blocked')
  if (isUnreadable) return alert('degraded', 'undecodable-event')
  const usage = usageIn(seen.parts)
  if (!isReported(usage.inputTokens) || !isReported(usage.outputTokens)) return alert('degraded', 'usage-missing')
  const text = textIn(seen.parts)
  const strange = strangeness(seen, { input: usage.inputTokens, output: usage.outputTokens }, text)
  if (strange !== undefined) return verdict('degraded', strange)
  if (last?.type !== 'message-end' || last.stopReason === 'tool-use') return verdict('degraded', 'tool-use')
  // A reasoning model may have used its few tokens for reasoning: then it ends by length, and it works.
  return text === '' && last.stopReason !== 'length' ? verdict('degraded', 'no-text') : verdict('ok', 'ok')
}

/** The usage that the stream reported; unreported figures are absent. */
export function usageIn(parts: readonly ModelPart[]): ReportedUsage {
  let inputTokens: number | undefined
  let outputTokens: number | undefined
  for (const part of parts) {
    if (part.type !== 'usage') continue
    inputTokens = part.inputTokens ?? inputTokens
    outputTokens = part.outputTokens ?? outputTokens
  }
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
  }
}

export function textIn(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('')
}

/** All output that the provider charges for, including reasoning. */
export function outputIn(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' || part.type === 'reasoning-delta' ? part.text : '')).join('')
}

/** The stored result of a model's last probe. */
export interface ProbeRecord extends ProbeVerdict {
  readonly at: number
  /** The last schema alert, and until when it is held. */
  readonly alert?: { readonly reason: string; readonly until: number }
}

export function recordProbe(
  before: ProbeRecord | undefined,
  judged: ProbeVerdict,
  { at, alertHeldMs }: { readonly at: number; readonly alertHeldMs: number },
): ProbeRecord {
  const alert = judged.isSchemaAlert ? { reason: judged.reason, until: at + alertHeldMs } : before?.alert
  return { ...judged, at, ...(alert === undefined || alert.until <= at ? {} : { alert }) }
}

export interface ProbeView {
  /** `pending` before the first probe, `stale` when the last one is too old. */
  readonly status: ProbeStatus | 'pending' | 'stale'
  readonly reason: string
}

/** The status of a model now. A schema alert ends by time, not by a good probe. */
export function probeView(record: ProbeRecord | undefined, nowMs: number, staleMs: number): ProbeView {
  if (record === undefined) return { status: 'pending', reason: 'not probed yet' }
  if (nowMs - record.at > staleMs) return { status: 'stale', reason: record.reason }
  const { alert, reason, status } = record
  if (status === 'ok' && alert !== undefined && alert.until > nowMs) {
    return { status: 'degraded', reason: `schema-alert: ${alert.reason}` }
  }
  return { status, reason }
}

function isGrammatical(parts: readonly ModelPart[]): boolean {
  const [first, last] = [parts[0]?.type, parts.at(-1)?.type]
  if (first === 'model-error') return parts.length === 1
  if (first !== 'message-start' || (last !== 'message-end' && last !== 'model-error')) return false
  return parts.slice(1, -1).every(({ type }) => type === 'reasoning-delta' || type === 'text-delta' || type === 'usage')
}

function strangeness(seen: ProbeSeen, reported: { input: number; output: number }, text: string): string | undefined {
  const inputMax = seen.inputTokensEstimated * PLAUSIBLE_FACTOR + PLAUSIBLE_MARGIN_TOKENS
  if (reported.input > inputMax || reported.output > seen.outputTokensMax * PLAUSIBLE_FACTOR) return 'usage-high'
  const isLow =
    reported.input * PLAUSIBLE_FACTOR < seen.inputTokensEstimated ||
    reported.output * PLAUSIBLE_FACTOR < genericCounter.text(text)
  return isLow ? 'usage-low' : undefined
}

function isReported(tokens: number | undefined): tokens is number {
  return tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0
}

function verdict(status: ProbeStatus, reason: string): ProbeVerdict {
  return { status, reason, isSchemaAlert: false }
}

function alert(status: ProbeStatus, reason: string): ProbeVerdict {
  return { status, reason, isSchemaAlert: true }
}
