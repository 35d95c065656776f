// Makes summaries of what prompts have no room for any more, beside the turns: one at a time on a node, in its own time, for
// the shop's money and within its own daily cap. A turn is never kept waiting, and whatever fails leaves things as they were.
import type { Language } from '@mangaassist/protocol'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Config } from '#config/config.ts'
import { textIn } from '#domain/model/probe.ts'
import { NEVER } from '#lib/async/never.ts'
import { withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { SessionStore } from '#ports/session-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Estimates } from '#domain/estimator/estimates.ts'
import { briefCall } from '../house-calls/brief-call.ts'
import type { HouseCap, MakeHouseCall } from '../house-calls/house-call.ts'
import { extractedSummary, summaryPrompt, tidySummary } from './summary-text.ts'
import type { ToSummarise } from './summary-text.ts'
import type { Routed, Rung } from '../turn.ts'

export interface SummariesParts {
  readonly clock: Clock
  readonly sessions: SessionStore
  readonly telemetry: Telemetry
  readonly config: Pick<Config, 'summaries'>
  readonly houseCall: MakeHouseCall
  /** The daily cap of all summaries, as a summary of one conversation reserves from it. */
  readonly capFor: (sessionId: string) => HouseCap
  readonly estimates: Pick<Estimates, 'gauge' | 'observe'>
  /** The model that is asked; without one, a summary is made of the first words of each question and answer. */
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
const STOP_MS = 1000
const WAIT_MAX_MS = 20_000
/** After a call that failed or could not be paid for, how long nobody is asked: trouble is not made worse by work that can wait. */
const PAUSE_MS = 60_000

export function createSummaries(parts: SummariesParts): Summaries {
  const { clock, config, sessions, telemetry } = parts
  const { deadlineMs, outputTokens, queueMax } = config.summaries
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
        telemetry.log('warn', 'session.summary-failed', { sessionId }, error)
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
    telemetry.count('session_summaries_made_total', { outcome: isKept ? 'stored' : 'outdated' })
  }

  async function summaryOf(sessionId: string, what: ToSummarise): Promise<string> {
    if (parts.rung === undefined) {
      return extractedSummary(what, { tokens: outputTokens, gauge: parts.estimates.gauge([]) })
    }
    const rung = { ...parts.rung, maxOutputTokens: outputTokens }
    const prompt = summaryPrompt(what, {
      tokens: config.summaries.inputTokens,
      gauge: parts.estimates.gauge([rung.name]),
    })
    const { signal } = ended
    const call = { purpose: 'summary', rung, prompt, waitMaxMs: WAIT_MAX_MS, endMs: deadlineMs, signal } as const
    const answer = await parts.houseCall({ ...call, cap: parts.capFor(sessionId) }, (permitted) => {
      const request = { ...prompt, grounding: UNGROUNDED, language: what.language, temperature: 0 }
      return briefCall({ clock, rung, ms: deadlineMs, signal }, request, permitted)
    })
    if (answer.kind === 'skipped') {
      if (answer.why === 'cap' || answer.why === 'ceiling') telemetry.count('session_summaries_refused_total')
      return pause()
    }
    const { inputTokensReported, parts: seen, record } = answer.made
    if (inputTokensReported !== undefined) parts.estimates.observe(rung.name, prompt, inputTokensReported)
    telemetry.count('session_summaries_calls_total', { model: rung.name, outcome: record.outcome })
    const isWhole = seen.at(-1)?.type === 'message-end' && record.outcome !== 'blocked'
    if (!isWhole) return pause()
    return tidySummary(textIn(seen), { tokens: outputTokens, gauge: parts.estimates.gauge([rung.name]) })
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
        telemetry.count('session_summaries_dropped_total')
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
