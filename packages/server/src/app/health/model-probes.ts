// Asks every vendor's model for a few words at intervals, so that failures and silent changes of format are known before a
// shopper meets them. Feeds `/readyz` and the alarms. A probe is a house call: it takes a permit of the model's lane, also
// of a half-open one, and its outcome counts there. Without a permit the model is not asked: the last verdict stays, with
// its age and the reason of the skipped probe.
import type { Config } from '#config/config.ts'
import { probeView, recordProbe } from '#domain/model/probe.ts'
import type { ProbeRecord, ProbeView } from '#domain/model/probe.ts'
import { faultFields } from '#domain/model/fault-fields.ts'
import { NEVER } from '#lib/async/never.ts'
import { atIntervals } from '#lib/time/at-intervals.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import { withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { briefCall } from '#turn/house-calls/brief-call.ts'
import type { BriefCall } from '#turn/house-calls/brief-call.ts'
import type { MakeHouseCall, SkipReason } from '#turn/house-calls/house-call.ts'
import type { Rung } from '#turn/turn.ts'
import { FORMAT_PROBE, judgeFormat } from './format-probe.ts'

export interface ModelProbesParts {
  readonly clock: Clock
  readonly random: Random
  readonly telemetry: Telemetry
  readonly houseCall: MakeHouseCall
  /** The models of vendors. */
  readonly rungs: readonly Omit<Rung, 'maxOutputTokens'>[]
  readonly config: Pick<Config, 'probe'>
}

type ModelHealth = {
  readonly status: ProbeView['status']
  readonly reason: string
  /** When the last probe ended, ISO 8601; absent before the first. */
  readonly at?: string
  /** Why the newest probe did not ask the model, and when; absent after one has asked again. */
  readonly skipped?: SkipReason
  readonly skippedAt?: string
}

export interface ModelProbes {
  start(): void
  /** Ends the probes in flight without a verdict, and starts no more. */
  stop(): Promise<void>
  /** By `model:` and the configured name; models that are not probed are left out. */
  health(): Readonly<Record<string, ModelHealth>>
}

/** Nodes that start together must not all ask at once. */
const FIRST_MS_MAX = 5000
/** How long a probe waits for a permit of a saturated lane. */
const WAIT_MAX_MS = 3000
/** A store that does not answer must not block the shutdown. */
const STOP_MS = 1000

interface Probed {
  readonly rung: Rung
  record: ProbeRecord | undefined
  skipped: { readonly why: SkipReason; readonly at: number } | undefined
  undecodableSeen: number
}

export function createModelProbes(parts: ModelProbesParts): ModelProbes {
  const { random, clock, telemetry } = parts
  const { alertHeldMs, deadlineMs, everyMs, outputTokens, staleMs } = parts.config.probe
  const probed: readonly Probed[] = (everyMs === 0 ? [] : parts.rungs).map((rung) => ({
    rung: { ...rung, maxOutputTokens: outputTokens },
    record: undefined,
    skipped: undefined,
    undecodableSeen: 0,
  }))
  const rounds: Disposable[] = []
  const inFlight = new Set<Promise<void>>()
  const ended = new AbortController()

  async function probe(target: Probed): Promise<void> {
    const { rung } = target
    const { signal } = ended
    const limits = { waitMaxMs: WAIT_MAX_MS, endMs: deadlineMs, signal }
    const answer = await parts.houseCall(
      { purpose: 'format-probe', rung, prompt: FORMAT_PROBE, ...limits },
      async (permitted) => {
        const made = await briefCall({ clock, rung, ms: deadlineMs, signal }, FORMAT_PROBE, permitted)
        // Judged before the call is booked: a failing ledger must not hide a verdict.
        if (!signal.aborted) judge(target, made)
        return made
      },
    )
    if (answer.kind === 'made' || signal.aborted) return
    target.skipped = { why: answer.why, at: clock.now() }
    telemetry.count('model_format_probe_skipped_total', { model: rung.name, reason: answer.why })
  }

  function judge(target: Probed, { parts: seen, record }: BriefCall): void {
    const { name, model } = target.rung
    const undecodable = model.undecodableEvents?.() ?? 0
    const undecodableEvents = undecodable - target.undecodableSeen
    const verdict = judgeFormat(seen, { outputTokensMax: outputTokens, undecodableEvents })
    target.undecodableSeen = undecodable
    target.record = recordProbe(target.record, verdict, { at: clock.now(), alertHeldMs })
    target.skipped = undefined
    const fields = { model: name, outcome: verdict.status, reason: verdict.reason }
    telemetry.count('model_format_probes_total', fields)
    if (verdict.status !== 'ok')
      telemetry.log(verdict.status === 'error' ? 'error' : 'warn', 'model.format-degraded', {
        ...fields,
        ...faultFields(record.fault),
      })
  }

  /** Stored while it runs, so that `stop` can wait for its ledger row. */
  async function round(target: Probed): Promise<void> {
    const running = probe(target)
    inFlight.add(running)
    await running.finally(() => inFlight.delete(running))
  }

  return {
    start() {
      for (const target of probed) {
        const { name } = target.rung
        const onError = (error: unknown) => telemetry.log('error', 'model.format-probe-failed', { model: name }, error)
        const firstMs = random.float() * FIRST_MS_MAX
        const every = { everyMs, firstMs, float: () => random.float(), onError }
        rounds.push(atIntervals(clock, every, () => round(target)))
      }
    },
    async stop() {
      ended.abort()
      for (const each of rounds.splice(0)) each[Symbol.dispose]()
      const limit = { ms: STOP_MS, signal: NEVER }
      await withDeadline(clock, limit, () => Promise.allSettled(inFlight))
    },
    health: () =>
      Object.fromEntries(
        probed.map(({ rung, record, skipped }) => {
          const view = probeView(record, clock.now(), staleMs)
          const last = record === undefined ? {} : { at: isoTime(record.at) }
          const missed = skipped === undefined ? {} : { skipped: skipped.why, skippedAt: isoTime(skipped.at) }
          return [`model:${rung.name}`, { ...view, ...last, ...missed }]
        }),
      ),
  }
}
