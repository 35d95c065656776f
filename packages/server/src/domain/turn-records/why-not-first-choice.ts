// One sentence for operators: why the first choice of a turn did not answer it. Pure; from the record alone.
import { DEADLINE_PASSED } from '../turn/log-records.ts'
import type { TurnCall, TurnRecord } from './turn-record.ts'

/** By the reason of a model that was passed over. A class of errors that is not listed is said as it is. */
const REASONS: Readonly<Record<string, string>> = {
  'circuit-open': 'its circuit was open',
  saturated: 'it had no room for another call',
  'queue-full': 'its queue was full',
  'no-time': 'there was not enough time left for its answer',
  allowance: 'the caller’s allowance was used up, and the question needed no model',
  budget: 'the caller’s budget could not pay for it',
  'store-budget': 'the ceiling of the shop’s spending of the day was reached',
  'guests-budget': 'the ceiling of all guests’ spending of the day was reached',
  throttled: 'the vendor throttled it',
  timeout: 'it was silent for too long',
  [DEADLINE_PASSED]: 'the time of the turn was over before its first word',
  unavailable: 'the vendor was unavailable',
  internal: 'the vendor failed',
  'stream-broken': 'its stream broke off',
  connection: 'no connection could be made',
  'access-denied': 'the vendor denied access',
  'not-found': 'the vendor does not know the model',
  'context-too-long': 'the prompt was too long for it',
  blocked: 'its content filter blocked the answer',
  empty: 'its answer was empty',
  misfit: 'it did not continue the shown text',
  hedged: 'it was slower than usual, and a second model answered first',
}

const ANSWERS: ReadonlySet<string> = new Set(['end', 'length', 'budget'])

/** Undefined where the first choice answered, or where older records do not tell. */
export function whyNotFirstChoice(record: TurnRecord): string | undefined {
  const { calls = [], firstChoice: first, isCached, routing, stop } = record
  if (isCached) return 'No model was asked: the same question was answered before, and the answer came from the cache.'
  const isAnswer = ({ fault, firstTokenMs, outcome }: TurnCall): boolean =>
    ANSWERS.has(outcome) ||
    // It was still writing; earlier versions recorded that as a timeout without the words of one.
    (firstTokenMs !== undefined &&
      (outcome === DEADLINE_PASSED || (stop === 'timeout' && outcome === 'timeout' && fault === undefined)))
  const answering = calls.findLast(isAnswer)
  if (first === undefined) return fromOutcome(record)
  if (answering?.name === first) return ofRoute(record)
  if (stop === 'stopped' && answering === undefined)
    return 'The shopper stopped the turn before any model had answered.'
  if (record.tier === 'embedded' && routing?.choice?.rule === 'no-model')
    return `No model was asked: the question needed none (${routing.choice.why}).`
  const by = answeredBy(record, answering)
  const own = calls.filter((call) => call.name === first && !isAnswer(call))
  const last = own.at(-1)
  if (last !== undefined) {
    const times = own.length === 1 ? 'failed' : `failed ${own.length} times`
    return `${first} ${times}, last because ${said(last.outcome)}${faultOf(last)}; ${by}.`
  }
  const passed = record.passed?.find(({ model }) => model === first)
  const reason = passed?.reason ?? record.reason?.split(' ')[0]
  return reason === undefined ? undefined : `${first} was not asked because ${said(reason)}; ${by}.`
}

/** The first choice answered; where the route put it before a better model, that is the reason. */
function ofRoute({ routing, tier }: TurnRecord): string | undefined {
  const { choice } = routing ?? {}
  return choice === undefined || tier === 'primary'
    ? undefined
    : `The route chose ${choice.first} first (${choice.why}), and it answered.`
}

/** For records from before the first choice was recorded. */
function fromOutcome({ failure, isDegraded, model }: TurnRecord): string | undefined {
  if (!isDegraded) return undefined
  return `${model} answered in place of the first choice${failure === undefined ? '' : `: ${said(failure)}`}.`
}

function answeredBy({ model, tier }: TurnRecord, answering: TurnCall | undefined): string {
  if (answering !== undefined) return `${answering.name ?? answering.model} answered`
  return tier === 'message'
    ? 'no source could answer'
    : `the answer came from ${model === tier ? model : `${tier} (${model})`}`
}

function said(reason: string): string {
  return REASONS[reason] ?? `of ${reason}`
}

function faultOf({ fault }: TurnCall): string {
  if (fault === undefined) return ''
  const { code, message, status } = fault
  const words = [status === undefined ? undefined : `HTTP ${status}`, code, message && `“${message}”`]
  const known = words.filter((word) => word !== undefined && word !== '')
  return known.length === 0 ? '' : ` (${known.join(' ')})`
}
