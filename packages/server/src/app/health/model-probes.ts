// Asks every vendor's model for a few words at intervals, so that trouble and quiet changes of format are known before a
// shopper meets them. Feeds `readyz` and the alarms; the shop pays, and the ledger says so.
import type { AnswerTier } from '@mangaassist/protocol'
import type { Config } from '#config/config.ts'
import { dayOf } from '#domain/budget/day.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import type { ModelPart } from '#domain/model/model-part.ts'
import { costMicroUsd, FREE } from '#domain/budget/money.ts'
import { SHOP } from '#domain/identity/principal.ts'
import { judgeProbe, outputIn, probeView, recordProbe, usageIn } from '#domain/model/probe.ts'
import type { ProbeRecord, ProbeView } from '#domain/model/probe.ts'
import { atIntervals } from '#lib/time/at-intervals.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Random } from '#ports/random/port.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Ledger } from '#ports/ledger/port.ts'
import type { Model } from '#ports/model/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Spending } from '#turn/costs/spending.ts'
import { askBriefly } from '#turn/house-calls/ask-briefly.ts'

export interface ModelProbesParts {
  readonly clock: Clock
  readonly random: Random
  readonly ledger: Ledger
  readonly telemetry: Telemetry
  readonly models: ReadonlyMap<string, Model>
  /** Of the store's day: a model that cannot be paid for is not asked. */
  readonly spending: Pick<Spending, 'reserve' | 'settle'>
  readonly config: Config
}

type ModelHealth = {
  readonly status: ProbeView['status']
  readonly reason: string
  /** When the last probe ended, ISO 8601; absent before the first. */
  readonly at?: string
}

export interface ModelProbes {
  start(): void
  stop(): void
  /** By `model:` and the configured name; models that are not probed are not there. */
  health(): Readonly<Record<string, ModelHealth>>
}

const SYSTEM = 'You are being checked. Answer in a few words.'
const MESSAGES = [{ role: 'user', content: 'Say hello.' }] as const
const REQUEST = { system: SYSTEM, messages: MESSAGES, grounding: UNGROUNDED, language: 'en', temperature: 0 } as const
const INPUT_TOKENS = genericCounter.prompt({ system: SYSTEM, messages: MESSAGES })
/** The nodes of a fleet that starts do not ask all at once. */
const FIRST_MS_MAX = 5000

interface Probed {
  readonly name: string
  readonly model: Model
  readonly tier: AnswerTier
  record: ProbeRecord | undefined
  undecodableSeen: number
}

export function createModelProbes(parts: ModelProbesParts): ModelProbes {
  const { random, clock, config, telemetry } = parts
  const probed = probedModels(parts)
  const rounds: Disposable[] = []
  const ended = new AbortController()

  async function probe(target: Probed): Promise<void> {
    const { price = FREE } = target.model.facts ?? {}
    const day = dayOf(clock.now(), config.store.timeZone)
    const spend = { id: random.id('probe'), spender: 'shop', day } as const
    const microUsd = costMicroUsd(price, INPUT_TOKENS, config.probe.outputTokens)
    if ((await parts.spending.reserve({ ...spend, microUsd })) !== undefined) return
    const { judged, seen, undecodable } = await probeOnce({ clock, ...config.probe, ...target, signal: ended.signal })
    if (ended.signal.aborted) return parts.spending.settle({ ...spend, microUsd })
    const at = clock.now()
    target.undecodableSeen = undecodable
    target.record = recordProbe(target.record, judged, { at, alertHeldMs: config.probe.alertHeldMs })
    const fields = { model: target.name, status: judged.status, reason: judged.reason }
    telemetry.count('model.probe', fields)
    if (judged.status !== 'ok') telemetry.log(judged.status === 'error' ? 'error' : 'warn', 'model.alarm', fields)
    let cost = microUsd
    try {
      cost = await charge(parts, target, seen, at)
    } finally {
      parts.spending.settle({ ...spend, microUsd: cost })
    }
  }

  return {
    start() {
      for (const target of probed) {
        const onError = (error: unknown) => telemetry.log('error', 'model.probe-failed', { model: target.name }, error)
        const firstMs = random.float() * FIRST_MS_MAX
        const every = { everyMs: config.probe.everyMs, firstMs, float: () => random.float(), onError }
        rounds.push(atIntervals(clock, every, () => probe(target)))
      }
    },
    stop() {
      ended.abort()
      for (const round of rounds.splice(0)) round[Symbol.dispose]()
    },
    health: () =>
      Object.fromEntries(
        probed.map(({ name, record }) => {
          const view = probeView(record, clock.now(), config.probe.staleMs)
          return [`model:${name}`, record === undefined ? view : { ...view, at: isoTime(record.at) }]
        }),
      ),
  }
}

export interface OneProbe {
  readonly clock: Clock
  readonly model: Model
  readonly deadlineMs: number
  readonly outputTokens: number
  readonly signal: AbortSignal
  /** Of the model before this probe. */
  readonly undecodableSeen: number
}

/** Asks the model for a few words and judges what came. Never throws. */
export async function probeOnce({ clock, deadlineMs, model, outputTokens, signal, undecodableSeen }: OneProbe) {
  const request = { ...REQUEST, maxOutputTokens: outputTokens }
  const seen = await askBriefly({ clock, model }, request, { ms: deadlineMs, signal })
  const undecodable = model.undecodableEvents?.() ?? 0
  const judged = judgeProbe({
    parts: seen,
    inputTokensEstimated: INPUT_TOKENS,
    outputTokensMax: outputTokens,
    undecodableEvents: undecodable - undecodableSeen,
  })
  return { seen, judged, undecodable }
}

function probedModels({ config, models }: ModelProbesParts): readonly Probed[] {
  if (config.probe.everyMs === 0) return []
  return Object.entries(config.models).flatMap(([name, { provider }]) => {
    const model = models.get(name)
    if (provider === 'embedded' || model === undefined) return []
    const tier = config.ladder[0] === name ? 'primary' : 'economy'
    return [{ name, model, tier, record: undefined, undecodableSeen: 0 }]
  })
}

/** Answers the cost. A call that never began costs nothing; one that did is booked, by our estimate where the provider does not say. */
async function charge(
  { random, config, ledger }: ModelProbesParts,
  { model, tier }: Probed,
  seen: readonly ModelPart[],
  at: number,
): Promise<number> {
  if (seen[0]?.type !== 'message-start') return 0
  const told = usageIn(seen)
  const inputTokens = told.inputTokens ?? INPUT_TOKENS
  const outputTokens = told.outputTokens ?? genericCounter.text(outputIn(seen))
  const cost = costMicroUsd(model.facts?.price ?? FREE, inputTokens, outputTokens)
  await ledger.record([
    {
      turnId: random.id('probe'),
      attempt: 1,
      principalId: SHOP,
      sessionId: 'probe',
      day: dayOf(at, config.store.timeZone).key,
      at,
      model: model.id,
      tier,
      inputTokens,
      outputTokens,
      estimated: told.inputTokens === undefined || told.outputTokens === undefined,
      costMicroUsd: cost,
      outcome: 'probe',
    },
  ])
  return cost
}
