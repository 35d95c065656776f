// Makes summaries of turns that no longer fit into prompts, in the background: one at a time on a node, at the shop's cost
// and within its daily cap. A turn never waits for it, and a failure changes nothing.
import type { Language } from '@mangaassist/protocol'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Config } from '#config/config.ts'
import { currentTurns } from '#domain/turn/current-turns.ts'
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
  /** The daily cap of all summaries, from which one conversation's summary reserves. */
  readonly capFor: (sessionId: string) => HouseCap
  readonly estimates: Pick<Estimates, 'counterFor' | 'observe'>
  /** The model; without one, a summary is made of the first words of each question and answer. */
  readonly rung: Omit<Rung, 'maxOutputTokens'> | undefined
}

export interface Summaries {
  /** Called with a settled turn; queues its conversation when its prompt left out turns that no summary covers. */
  remember(routed: Routed): void
  /** Ends the call in flight and starts no more. */
  stop(): Promise<void>
}

interface Job {
  readonly sessionId: string
  readonly language: Language
  /** The version of the newest trimmed turn. */
  readonly forgottenUpTo: number
}

/** The next turns to be trimmed are summarised together with those that were: fewer summaries, and never a gap. */
const TURNS_AHEAD = 4
const TURNS_READ_MAX = 60
const STOP_MS = 1000
/** The pause after a failed or unpaid call: work that can wait must not add load. */
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
        // Jobs that wait during a pause are dropped; their next turn queues them again.
        if (clock.now() >= pausedUntil) await make(job)
      } catch (error) {
        telemetry.log('warn', 'session.summary-failed', { sessionId }, error)
      }
      // Deleted only now, so that a running job is not queued again.
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
    const current = new Set(currentTurns(since))
    const turns = since.slice(0, upTo - session.version).filter((turn) => current.has(turn))
    const text = await summaryOf(sessionId, { before: session.summary?.text ?? '', turns, language })
    if (text === '') return
    const isKept = await sessions.summarise(sessionId, upTo, text)
    telemetry.count('session_summaries_made_total', { outcome: isKept ? 'stored' : 'outdated' })
  }

  async function summaryOf(sessionId: string, what: ToSummarise): Promise<string> {
    if (parts.rung === undefined) {
      return extractedSummary(what, { tokens: outputTokens, counter: parts.estimates.counterFor([]) })
    }
    const rung = { ...parts.rung, maxOutputTokens: outputTokens }
    const prompt = summaryPrompt(what, {
      tokens: config.summaries.inputTokens,
      counter: parts.estimates.counterFor([rung.name]),
    })
    const { signal } = ended
    const call = { purpose: 'summary', rung, prompt, endMs: deadlineMs, signal } as const
    const answer = await parts.houseCall({ ...call, cap: parts.capFor(sessionId) }, (permitted) => {
      const request = { ...prompt, grounding: UNGROUNDED, language: what.language, temperature: 0 }
      return briefCall({ clock, rung, ms: deadlineMs, signal }, request, permitted)
    })
    if (answer.kind === 'skipped') {
      if (answer.why === 'cap' || answer.why === 'ceiling') telemetry.count('session_summaries_refused_total')
      // A busy lane was asked for nothing: the next turn of a conversation asks again.
      return answer.why === 'saturated' ? '' : pause()
    }
    const { inputTokensReported, parts: seen, record } = answer.made
    if (inputTokensReported !== undefined) parts.estimates.observe(rung.name, prompt, inputTokensReported)
    telemetry.count('session_summaries_calls_total', { model: rung.name, outcome: record.outcome })
    const isWhole = seen.at(-1)?.type === 'message-end' && record.outcome !== 'blocked'
    if (!isWhole) return pause()
    return tidySummary(textIn(seen), { tokens: outputTokens, counter: parts.estimates.counterFor([rung.name]) })
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
      // After the turn that queued it has continued.
      working ??= Promise.resolve().then(work)
    },
    async stop() {
      ended.abort()
      // A store that never answers must not block the shutdown.
      const limit = { ms: STOP_MS, signal: NEVER }
      await withDeadline(clock, limit, async () => working)
    },
  }
}
