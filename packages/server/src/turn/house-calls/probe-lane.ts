// A call of a few tokens outside of any turn, to find out whether a lane serves again. A house call like the others, so
// that it proves as much as a shopper's call.
import { textMessage } from '#domain/model/model-message.ts'
import { NEVER } from '#lib/async/never.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { Config } from '#config/config.ts'
import type { TypicalTimes } from '#domain/model/typical-times.ts'
import { deadlinesFrom } from '#domain/turn/deadline.ts'
import { STRETCHED_MAX_MS, stretchedFirstWordMs } from '#domain/turn/first-word.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { attempt } from '../invocation/attempt.ts'
import { outcomeOfCall } from '../invocation/held-permit.ts'
import type { Rung } from '../turn.ts'
import type { MakeHouseCall } from './house-call.ts'

export interface ProbeLaneParts {
  readonly clock: Clock
  readonly telemetry: Telemetry
  readonly houseCall: MakeHouseCall
  readonly config: Pick<Config, 'answers' | 'deadlines' | 'probe' | 'tokens'>
  readonly typical: Pick<TypicalTimes, 'natureMs' | 'see'>
  /** Whether no other vendor's model works: then this one may be slow by nature and still serve. */
  readonly isAlone: (rung: Rung) => boolean
}

/** Returns whether the model answered; never rejects. */
export type ProbeLane = (rung: Rung) => Promise<boolean>

/** After this the probe gives up; the next round probes again. */
const WAIT_MAX_MS = 3000
/** A model that is alone is waited for longer after each probe without a word, because only its words show how slow it is. */
const PATIENCE_GROWS = 1.5
const PROMPT = { system: '', messages: [textMessage('user', 'Say ok.')] } as const

export function createProbeLane(parts: ProbeLaneParts): ProbeLane {
  const { clock, telemetry, houseCall, config, typical } = parts
  /** How many probes in a row ended without a word, by model. */
  const silent = new Map<string, number>()

  /** A model that is still silent must not hold the stage for longer than a shopper would wait. */
  function patienceMs(rung: Rung): number {
    const { firstWordMs } = config.answers
    const usualMs = stretchedFirstWordMs(firstWordMs, [typical.natureMs(rung.name)])
    if (!parts.isAlone(rung)) return usualMs
    // Wait the longest for a slow model: a shorter wait would measure only its quick answers, and its probes would
    // fail.
    if (usualMs > firstWordMs) return STRETCHED_MAX_MS
    return Math.min(STRETCHED_MAX_MS, usualMs * PATIENCE_GROWS ** (silent.get(rung.name) ?? 0))
  }

  async function probe(own: Rung): Promise<boolean> {
    const rung = { ...own, maxOutputTokens: config.probe.outputTokens }
    const { endMs } = config.deadlines.stream
    const asked = { purpose: 'lane-probe', rung, prompt: PROMPT, waitMaxMs: WAIT_MAX_MS, endMs, signal: NEVER } as const
    const answer = await houseCall(asked, async ({ id, at, counter, estimatedInputTokens, onAlive }) => {
      const aliveMs = patienceMs(rung)
      const limits = {
        ...config.tokens,
        ...config.deadlines,
        ...rung.limits,
        firstTokenMs: aliveMs,
        thinkingMs: aliveMs,
      }
      const deadlines = deadlinesFrom(at, config.deadlines.stream)
      const start = { message: '', turnId: id, language: 'en', deadlines } as const
      const { temperature } = config.tokens
      const call = { ...PROMPT, temperature, start, grounding: UNGROUNDED, estimatedInputTokens, rung, shown: '' }
      const onSpoken = (after: { readonly thought: boolean }) => typical.see(rung.name, clock.now() - at, after)
      const turn = { signal: NEVER, say: () => {}, onAlive, onSpoken }
      const made = await attempt({ clock, limits, number: 1, counter }, call, turn)
      return { ...made, outcome: outcomeOfCall(made.end) }
    })
    if (answer.kind === 'skipped') return false
    const { end, spoke, thought } = answer.made
    const isSilent = !spoke && !thought && end.kind === 'failed' && end.class === 'timeout'
    if (isSilent) silent.set(rung.name, (silent.get(rung.name) ?? 0) + 1)
    // One quick answer does not show how slow the model can be.
    else if (typical.natureMs(rung.name) !== undefined) silent.delete(rung.name)
    // An answer cut at its few tokens counts, and so does one that has only begun to think.
    return (spoke || thought) && end.kind !== 'failed'
  }

  return async function probeLane(rung) {
    try {
      return await probe(rung)
    } catch (error) {
      telemetry.log('warn', 'lane.probe-failed', { lane: rung.name }, error)
      return false
    }
  }
}
