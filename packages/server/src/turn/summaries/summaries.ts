// Makes summaries of what prompts have no room for any more, beside the turns: one at a time on a node, in its own time, for
// the shop's money and within its own daily cap. A turn is never kept waiting, and whatever fails leaves things as they were.
import type { Language } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { outcomeOf as outcomeOfFailure } from '#domain/lane/outcome.ts'
import type { Outcome } from '#domain/lane/outcome.ts'
import type { ModelPart } from '#domain/model/model-part.ts'
import { costMicroUsd } from '#domain/budget/money.ts'
import { SHOP } from '#domain/identity/principal.ts'
import { outputIn, textIn, usageIn } from '#domain/model/probe.ts'
import type { Amounts, Hold, TierLimits } from '#domain/budget/quota.ts'
import { NEVER } from '#lib/async/never.ts'
import { withDeadline } from '#lib/time/with-deadline.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Lanes } from '#ports/lanes/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Budgets } from '#ports/budgets/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { askBriefly } from '../house-calls/ask-briefly.ts'
import type { Estimates } from '../costs/estimates.ts'
import { heldPermit } from '../invocation/held-permit.ts'
import type { WaitingQueue } from '../invocation/waiting-queue.ts'
import type { Spending } from '../costs/spending.ts'
import { extractedSummary, summaryPrompt, tidySummary } from './summary-text.ts'
import type { ToSummarise } from './summary-text.ts'
import type { Routed, Rung } from '../turn.ts'

export interface SummariesParts {
  readonly clock: Clock
  readonly random: Random
  readonly sessions: SessionStore
  readonly budgets: Budgets
  readonly ledger: Ledger
  readonly spending: Pick<Spending, 'reserve' | 'settle'>
  readonly lanes: Lanes
  readonly line: Pick<WaitingQueue, 'enter'>
  readonly telemetry: Telemetry
  readonly config: Config
  readonly estimates: Pick<Estimates, 'gauge' | 'guarded' | 'observe'>
  /** Whom to ask; without one, the summary is put together from the first words of what was said. */
  readonly rung: Omit<Rung, 'maxOutputTokens'> | undefined
}

export interface Summaries {
  /** Told of a settled turn; queues its conversation when its prompt left out what no summary covers. */
  remember(routed: Routed): void
  /** Ends what is under way and begins nothing more. */
  stop(): Promise<void>
}

interface Job {
  readonly sessionId: string
  readonly language: Language
  /** The version up to which turns have fallen out of the prompt. */
  readonly forgottenUpTo: number
}

/** The next few turns to fall out are summed up with those that have: one summary in so many turns, and never a gap. */
const TURNS_AHEAD = 4
const TURNS_READ_MAX = 60
/** How long the money outlives the call, so that its settlement finds it. */
const SETTLE_MS = 10_000
const STOP_MS = 1000
const WAIT_MAX_MS = 20_000
/** After a call that failed or could not be paid for, how long nobody is asked: trouble is not made worse by work that can wait. */
const PAUSE_MS = 60_000
/** In the ledger, in place of a conversation: what is done for all of them belongs to none. */
const LEDGER_SESSION = 'summary'

export function createSummaries(parts: SummariesParts): Summaries {
  const { clock, config, sessions, telemetry, rung } = parts
  const { outputTokens, queueMax } = config.summaries
  const jobs = new Map<string, Job>()
  const ended = new AbortController()
  let working: Promise<void> | undefined
  let pausedUntil = 0

  async function work(): Promise<void> {
    for (const [sessionId, job] of jobs) {
      if (ended.signal.aborted) break
      try {
        // Those that wait while there is a pause go without; their next turn brings them back.
        if (clock.now() >= pausedUntil) await make(job)
      } catch (error) {
        telemetry.log('warn', 'summary.failed', { sessionId }, error)
      }
      // Kept until now: what is under way is not begun again.
      jobs.delete(sessionId)
    }
    working = undefined
  }

  async function make({ sessionId, language, forgottenUpTo }: Job): Promise<void> {
    const session = await sessions.find(sessionId)
    const coveredUpTo = session?.summary?.upTo ?? 0
    if (session === undefined || coveredUpTo >= forgottenUpTo) return
    const upTo = Math.min(forgottenUpTo + TURNS_AHEAD, session.version - 1)
    const since = await sessions.recentTurns(sessionId, Math.min(TURNS_READ_MAX, session.version - coveredUpTo))
    const turns = since.slice(0, upTo - session.version)
    const text = await summaryOf(sessionId, { before: session.summary?.text ?? '', turns, language })
    if (text === '') return
    const isKept = await sessions.summarise(sessionId, upTo, text)
    telemetry.count('summary.made', { kept: isKept })
  }

  async function summaryOf(sessionId: string, what: ToSummarise): Promise<string> {
    if (rung === undefined) {
      return extractedSummary(what, { tokens: outputTokens, gauge: parts.estimates.gauge([]) })
    }
    // Work that can wait gives way: it comes after everyone in the line.
    const permit = await parts.line.enter(rung.lane, {
      sessionId: LEDGER_SESSION,
      priority: 'bulk',
      firstWordBy: clock.now() + WAIT_MAX_MS + config.queue.reserveMs,
      waitMaxMs: WAIT_MAX_MS,
      signal: ended.signal,
    })
    if (permit.kind !== 'permit') return pause()
    using held = heldPermit(parts.lanes, rung.lane, permit.permit.id)
    const gauge = parts.estimates.gauge([rung.name])
    const prompt = summaryPrompt(what, { tokens: config.summaries.inputTokens, gauge })
    const estimated = gauge.prompt(prompt)
    const hold = await holdFor(parts, rung, { sessionId, inputTokens: estimated })
    if (hold === undefined) {
      telemetry.count('summary.not-paid-for')
      return pause()
    }
    const request = { ...prompt, grounding: UNGROUNDED, language: what.language, maxOutputTokens: outputTokens }
    const limit = { ms: config.summaries.deadlineMs, signal: ended.signal }
    const seen = await askBriefly({ clock, model: rung.model }, { ...request, temperature: 0 }, limit)
    held.report(laneOutcome(seen))
    await settle(parts, rung, hold, seen, estimated)
    const told = usageIn(seen).inputTokens
    if (told !== undefined && told > 0) parts.estimates.observe(rung.name, prompt, told)
    const isWhole = seen.at(-1)?.type === 'message-end' && outcomeOf(seen) !== 'blocked'
    telemetry.count('summary.asked', { model: rung.model.id, outcome: outcomeOf(seen) })
    return isWhole ? tidySummary(textIn(seen), { tokens: outputTokens, gauge }) : pause()
  }

  function pause(): '' {
    pausedUntil = clock.now() + PAUSE_MS
    return ''
  }

  return {
    remember({ start, forgottenUpTo, summary }) {
      if (!config.summaries.enabled || ended.signal.aborted || forgottenUpTo <= (summary?.upTo ?? 0)) return
      if (jobs.has(start.sessionId) || clock.now() < pausedUntil) return
      if (jobs.size >= queueMax) {
        telemetry.count('summary.dropped')
        return
      }
      jobs.set(start.sessionId, { sessionId: start.sessionId, language: start.language, forgottenUpTo })
      // Not before the turn that tells of it has gone on.
      working ??= Promise.resolve().then(work)
    },
    async stop() {
      ended.abort()
      // A store that never answers must not keep a process from ending.
      const limit = { ms: STOP_MS, signal: NEVER }
      await withDeadline(clock, limit, async () => working)
    },
  }
}

/** The shop is a principal like any other, with one budget: its dollars a day. */
function limitsOf(config: Config): TierLimits {
  const plenty = 1_000_000_000
  return {
    tier: SHOP,
    day: { inputTokens: plenty, outputTokens: plenty, costMicroUsd: config.summaries.microUsdPerDay },
    session: { inputTokens: plenty, outputTokens: plenty },
    requestsPerMinute: plenty,
    messagesPerDay: plenty,
    userRate: { perSecond: plenty, burst: plenty },
    inputTokensMin: 1,
    outputTokensMin: 1,
  }
}

/** Undefined when the day's money is spent, or when another node is at this conversation's already. */
async function holdFor(
  { random, clock, config, estimates, spending, budgets: state }: SummariesParts,
  { name, price }: Omit<Rung, 'maxOutputTokens'>,
  { sessionId, inputTokens }: { readonly sessionId: string; readonly inputTokens: number },
): Promise<Hold | undefined> {
  const id = random.id('summary')
  const { outputTokens, deadlineMs } = config.summaries
  const guarded = estimates.guarded(inputTokens, [name])
  const ask = { inputTokens: guarded, outputTokens, costMicroUsd: costMicroUsd(price, guarded, outputTokens) }
  const answer = await state.admit({
    turnId: id,
    principalId: SHOP,
    sessionId: `summary:${sessionId}`,
    limits: limitsOf(config),
    day: dayOf(clock.now(), config.store.timeZone),
    idempotency: { key: id, fingerprint: id, claimMs: deadlineMs },
    ask,
    leaseMs: deadlineMs + SETTLE_MS,
  })
  if (answer.kind !== 'granted') return undefined
  const spend = { id, spender: 'shop', day: answer.hold.day, microUsd: ask.costMicroUsd } as const
  const isGranted = answer.hold.granted.costMicroUsd >= ask.costMicroUsd
  if (isGranted && (await spending.reserve(spend)) === undefined) return answer.hold
  await state.release(answer.hold)
  return undefined
}

/** A call that never began costs nothing; one that did is booked, by our estimate where the provider does not say. */
async function settle(
  { clock, estimates, ledger, spending, budgets: state }: SummariesParts,
  { name, model, price, tier }: Omit<Rung, 'maxOutputTokens'>,
  hold: Hold,
  seen: readonly ModelPart[],
  estimatedInputTokens: number,
): Promise<void> {
  const spend = { id: hold.id, spender: 'shop', day: hold.day } as const
  if (seen[0]?.type !== 'message-start') {
    spending.settle({ ...spend, microUsd: 0 })
    return state.release(hold)
  }
  // What a provider did not say is not zero, and neither is what it says is.
  const told = usageIn(seen)
  const outputEstimated = estimates.gauge([name]).text(outputIn(seen))
  const isInputTold = told.inputTokens !== undefined && told.inputTokens > 0
  const isOutputTold = told.outputTokens !== undefined && (told.outputTokens > 0 || outputEstimated === 0)
  const usage = {
    inputTokens: isInputTold ? told.inputTokens : estimatedInputTokens,
    outputTokens: isOutputTold ? told.outputTokens : outputEstimated,
  }
  const used: Amounts = { ...usage, costMicroUsd: costMicroUsd(price, usage.inputTokens, usage.outputTokens) }
  const row = {
    turnId: hold.id,
    attempt: 1,
    principalId: SHOP,
    sessionId: LEDGER_SESSION,
    day: hold.day.key,
    at: clock.now(),
    model: model.id,
    tier,
    ...used,
    estimated: !isInputTold || !isOutputTold,
    outcome: outcomeOf(seen),
  }
  spending.settle({ ...spend, microUsd: used.costMicroUsd })
  await Promise.all([state.settle(hold, used, 0), ledger.record([row])])
}

function laneOutcome(seen: readonly ModelPart[]): Outcome {
  const last = seen.at(-1)
  if (last?.type === 'message-end') return 'success'
  return outcomeOfFailure(last?.type === 'model-error' ? last.class : 'stream-broken')
}

function outcomeOf(seen: readonly ModelPart[]): string {
  const last = seen.at(-1)
  if (last?.type === 'message-end') return last.stopReason
  return last?.type === 'model-error' ? last.class : 'stream-broken'
}
