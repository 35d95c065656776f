// The whole story of one turn as text: what happened, when, by whom, and what it cost, with a bar for each stage and each call.
import type { RecordView, TurnStoryView } from '@mangaassist/protocol/admin'
import { table, thousands, usd } from '../usage/print.ts'
import { seconds } from './list-print.ts'

type TurnView = Exclude<RecordView, { readonly kind: 'refusal' }>
type RefusalView = Extract<RecordView, { readonly kind: 'refusal' }>
type Call = NonNullable<TurnView['calls']>[number]
type Sent = NonNullable<TurnView['sentToOthers']>

const BAR_WIDTH = 40
const LABEL_WIDTH = 24

export function storyText(story: TurnStoryView, withLog = false): string {
  const { record, sameRequest } = story
  const parts = 'refusalId' in record ? refusalParts(record) : turnParts(record, story)
  const same = sameRequest.length === 0 ? [] : [`Same request: ${sameRequest.join(', ')}`]
  const log = withLog ? [logText(story)] : []
  return [...parts, ...log, ...same].filter((part) => part !== '').join('\n\n')
}

function refusalParts(record: RefusalView): readonly string[] {
  const { at, code, count, principalId, reason, retryAfterMs, scope, since } = record
  const times = count === 1 ? `at ${at}` : `${thousands(count)} times from ${since} to ${at}`
  return [
    `Refusal ${record.refusalId}: ${code} ${times}`,
    lines([
      ['user', principalId || 'not identified'],
      ['user tier', record.userTier],
      ['limit', scope],
      ['reason', reason],
      ['retry after', retryAfterMs === undefined ? undefined : seconds(retryAfterMs)],
      ['network', record.network],
      ['door', record.route === undefined ? record.door : `${record.door} ${record.route}`],
      ['session', record.sessionId],
      ['request', record.requestId],
      ['trace', record.traceId],
      ['node', record.node],
    ]),
  ]
}

function turnParts(record: TurnView, { ledger, whyNotFirstChoice }: TurnStoryView): readonly string[] {
  const { costMicroUsd, finishReason, model, tier, totalMs, turnId } = record
  const kind = record.kind === 'completion' ? 'Completion' : 'Turn'
  const why = whyNotFirstChoice === null ? '' : `Why not the first choice: ${whyNotFirstChoice}`
  const calls = record.calls ?? []
  return [
    `${kind} ${turnId}: ${finishReason} after ${seconds(totalMs)}, ${model} (${tier}), ${usd(costMicroUsd)} USD`,
    why,
    factsOf(record),
    waterfall(record, calls),
    callsTable(calls),
    faultsOf(calls),
    readersTable(record),
    promptOf(record),
    ledgerOf(ledger),
  ]
}

function factsOf(record: TurnView): string {
  const { missing = [], passed = [], received, retrieved, routing, stop } = record
  const notes = [
    received.feedback === undefined ? undefined : `thumb ${received.feedback.value}`,
    received.askedAgain && 'asked again',
    received.followedUp && 'another question followed',
    received.handedOver && 'handed over to a person',
    received.cardsOpened === undefined ? undefined : `${received.cardsOpened} cards opened`,
    received.resumed === undefined ? undefined : `read again ${received.resumed} times`,
  ].filter((note) => note !== undefined)
  return lines([
    ['ended', record.at],
    ['user', `${record.principalId} (${record.userTier})`],
    ['session', `${record.sessionId}, turn ${record.position + 1}`],
    ['request', record.requestId],
    ['trace', record.traceId],
    ['door', record.door],
    [record.continues === true ? 'continues' : 'replaces', record.replaces],
    ['node', record.node],
    ['first words', seconds(record.firstWordMs)],
    ['waited in queues', record.queueMs === undefined ? undefined : seconds(record.queueMs)],
    ['degraded', record.isDegraded ? (record.reason ?? 'yes') : undefined],
    ['not available', missing.join(', ')],
    ['ended early', stop],
    ['failure', record.failure],
    ['route', routing?.choice?.why],
    ['experiments', routing?.exposures.map(({ arm, experiment }) => `${experiment}/${arm}`).join(', ')],
    ['prompt version', record.promptVersion],
    ['passed over', passed.map((one) => `${one.model}: ${one.reason}`).join(', ')],
    ['seams', record.seams === undefined ? undefined : String(record.seams)],
    ['takeovers', record.epoch === undefined || record.epoch === 1 ? undefined : String(record.epoch - 1)],
    ['text', writtenOf(record)],
    ['readers', record.readers === undefined ? undefined : String(record.readers)],
    ['quota warning', record.quotaWarned && 'shown'],
    ['contradicted', record.mismatches.join(', ')],
    ['products', retrieved?.products.join(', ')],
    ['FAQ', retrieved?.faq.join(', ')],
    ['reception', notes.join(', ')],
  ])
}

/** When each stage and each call began, and how long it took, as bars over the whole time. */
function waterfall({ firstWordMs, stages = {}, totalMs }: TurnView, calls: readonly Call[]): string {
  const spans = [...stagesIn(stages), ...calls.flatMap(spanOf)].filter(({ tookMs }) => tookMs !== undefined)
  const endMs = Math.max(1, totalMs, ...spans.map(({ fromMs, tookMs = 0 }) => fromMs + tookMs))
  const place = (ms: number) => Math.min(BAR_WIDTH - 1, Math.floor((ms / endMs) * BAR_WIDTH))
  const rows = spans.map(({ fromMs, name, tookMs = 0 }) => {
    const [from, to] = [place(fromMs), place(fromMs + tookMs)]
    const bar = `${' '.repeat(from)}${'█'.repeat(Math.max(1, to - from))}`.padEnd(BAR_WIDTH)
    return `${name.padEnd(LABEL_WIDTH)} |${bar}| ${seconds(tookMs)}`
  })
  if (rows.length === 0) return ''
  const mark =
    firstWordMs === null
      ? []
      : [`${'first words'.padEnd(LABEL_WIDTH)} |${`${' '.repeat(place(firstWordMs))}▲`.padEnd(BAR_WIDTH)}|`]
  return [...rows, ...mark].join('\n')
}

interface Span {
  readonly name: string
  readonly fromMs: number
  readonly tookMs: number | undefined
}

/** Stages follow one another; delivery runs beside invocation. */
function stagesIn(stages: NonNullable<TurnView['stages']>): readonly Span[] {
  const { admissionMs = 0, contextMs = 0, deliveryMs = 0, routingMs = 0 } = stages
  const before = admissionMs + contextMs + routingMs
  return [
    { name: 'admission', fromMs: 0, tookMs: stages.admissionMs },
    { name: 'context', fromMs: admissionMs, tookMs: stages.contextMs },
    { name: 'routing', fromMs: admissionMs + contextMs, tookMs: stages.routingMs },
    { name: 'invocation', fromMs: before, tookMs: stages.invocationMs },
    { name: 'delivery', fromMs: before, tookMs: stages.deliveryMs },
    { name: 'settlement', fromMs: before + deliveryMs, tookMs: stages.settlementMs },
  ]
}

function spanOf({ attempt, model, name, outcome, startMs, tookMs }: Call): readonly Span[] {
  const label = `  ${attempt} ${name ?? model}, ${outcome}`
  return startMs === undefined ? [] : [{ name: label.slice(0, LABEL_WIDTH), fromMs: startMs, tookMs }]
}

function callsTable(calls: readonly Call[]): string {
  if (calls.length === 0) return ''
  const header = ['call', 'model', 'why', 'outcome', 'wait', 'first', 'took', 'input', 'cached', 'output', 'USD']
  const rows = calls.map((call) => [
    String(call.attempt),
    `${call.name ?? call.model}${call.name === undefined || call.name === call.model ? '' : ` (${call.model})`}`,
    call.why ?? '',
    call.outcome,
    call.delayMs === undefined ? '' : seconds(call.delayMs),
    seconds(call.firstTokenMs),
    seconds(call.tookMs),
    thousands(call.inputTokens),
    call.cacheReadTokens === undefined ? '' : thousands(call.cacheReadTokens),
    `${thousands(call.outputTokens)}${call.estimated === true ? '~' : ''}`,
    usd(call.costMicroUsd),
  ])
  return table(header, rows, 4)
}

function writtenOf({ deltas, frames }: TurnView): string | undefined {
  if (deltas === undefined || frames === undefined) return undefined
  return `${thousands(deltas)} deltas, written in ${thousands(frames)} frames`
}

const DOORS = { ws: 'WebSocket', sse: 'SSE', http: 'HTTP', v1: '/v1' } as const
const ENDS = {
  complete: 'everything sent',
  left: 'disconnected',
  closed: 'closed by the server',
  'too-slow': 'closed: too slow',
  replaced: 'asked for again',
  timeout: 'a part, at the deadline',
  failed: 'failed',
} as const

/** What the readers on the owner's node were sent, one by one and together. */
function readersTable({ readers = 0, sentTo = [], sentToOthers }: TurnView): string {
  if (sentTo.length === 0) return ''
  const header = ['reader', 'door', 'end', 'had', 'began', 'took', 'frames', 'bytes', 'pauses', 'paused']
  const sums = ({ bytes, frames, pausedMs, pauses = 0 }: Sent) => [
    ...[frames, bytes, pauses].map(thousands),
    pausedMs === undefined ? '' : seconds(pausedMs),
  ]
  const rows = sentTo.map((one, index) => [
    String(index + 1),
    DOORS[one.door],
    one.end === undefined ? 'still reading' : ENDS[one.end],
    one.offset === undefined ? '' : thousands(one.offset),
    seconds(one.startMs),
    one.tookMs === undefined ? '' : seconds(one.tookMs),
    ...sums(one),
  ])
  const others = sentToOthers === undefined ? [] : [sentToOthers]
  const together = (name: string, of: Sent) => [name, '', '', '', '', '', ...sums(of)]
  rows.push(...others.map((one) => together(`${readers - sentTo.length} others`, one)))
  if (readers > 1) rows.push(together('all', sumOf([...sentTo, ...others])))
  return `${table(header, rows, 3)}\nBytes are those of the frames as encoded: the server compresses no answer.`
}

function sumOf(sent: readonly Sent[]): Sent {
  const sum = (figure: (one: Sent) => number | undefined) => sent.reduce((total, one) => total + (figure(one) ?? 0), 0)
  const pauses = sum((one) => one.pauses)
  return {
    frames: sum((one) => one.frames),
    bytes: sum((one) => one.bytes),
    ...(pauses === 0 ? {} : { pauses, pausedMs: sum((one) => one.pausedMs) }),
  }
}

function faultsOf(calls: readonly Call[]): string {
  const said = calls.flatMap(({ attempt, fault }) => {
    if (fault === undefined) return []
    const { code, host, message, requestId, status } = fault
    const words = [
      status === undefined ? undefined : `HTTP ${status}`,
      code,
      message,
      host === undefined ? undefined : `from ${host}`,
      requestId === undefined ? undefined : `request ${requestId}`,
    ].filter((word) => word !== undefined)
    return [`  ${attempt}: ${words.join(', ')}`]
  })
  return said.length === 0 ? '' : ['What vendors said:', ...said].join('\n')
}

const METHODS = {
  calibrated: 'calibrated by calls',
  family: 'not calibrated yet',
  generic: 'not calibrated yet',
} as const

function promptOf({ estimate, prompt }: TurnView): string {
  if (prompt === undefined) return ''
  const { history, message, retrieval, system, total } = prompt
  const parts = Object.entries({ system, retrieval, history, message }).map(
    ([name, tokens]) => `${name} ${thousands(tokens)}`,
  )
  const about = `Prompt: about ${thousands(total)} tokens (${parts.join(', ')})`
  if (estimate === undefined) return about
  const { confidence, family, method } = estimate
  const share = confidence === null ? '' : `, ${Math.round(confidence * 100)} % of its recent calls were within 10 %`
  return `${about}\n  estimated for ${estimate.model} by the ${family} costs, ${METHODS[method]}${share}`
}

function ledgerOf(rows: TurnStoryView['ledger']): string {
  if (rows.length === 0) return ''
  const shown = rows.map(({ attempt, costMicroUsd, inputTokens, model, outcome, outputTokens }) => {
    const use = `${thousands(inputTokens)} in, ${thousands(outputTokens)} out`
    return `  ${attempt}: ${model}, ${outcome}, ${use}, ${usd(costMicroUsd)} USD`
  })
  return ['Ledger:', ...shown].join('\n')
}

/** Says when lines are missing, because the log of the node may have them. */
function logText({ log, record }: TurnStoryView): string {
  if ('refusalId' in record) return 'Log: refusals have no lines of their own; the log has request.refused.'
  if (log === null)
    return 'Log: the version that recorded this turn stored no lines. The log of its node may have them.'
  const shown = log.lines.map(({ at, error, event, fields = {}, level }) => {
    const said = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`)
    return `  ${[at, level, event, ...said, ...(error === undefined ? [] : [error])].join(' ')}`
  })
  return [
    log.lines.length === 0 ? 'Log: no line besides turn.ended.' : 'Log (without turn.ended):',
    ...shown,
    ...(log.leftOut === 0 ? [] : [`  ${log.leftOut} more lines are only in the log of the node.`]),
    ...(log.isOfLastOwner ? ['  The lines of the owner before are only in the log of its node.'] : []),
  ].join('\n')
}

/** Lines of names and values; without a value there is no line. */
function lines(entries: readonly (readonly [string, string | false | undefined])[]): string {
  return entries
    .filter(([, value]) => value !== undefined && value !== '' && value !== false)
    .map(([name, value]) => `${name.padEnd(LABEL_WIDTH - 6)} ${String(value)}`)
    .join('\n')
}
