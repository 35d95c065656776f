// A month of turn records as a shop would have them: few values are common, most are rare, some times are bad. The same seed makes
// the same records.
import type { RefusalRecord, StoredRecord, TurnRecord } from '../../packages/server/src/ports/turn-records/port.ts'
import { seededFloats } from '../../packages/server/src/lib/collections/seeded-floats.ts'

export const MONTH_MS = 30 * 86_400_000
/** The key of a program that asks for every third turn. */
export const HEAVY_KEY = 'key:batch'
const PEOPLE = 40_000
const PRODUCTS = 3000
/** One refusal for so many turns. */
const TURNS_PER_REFUSAL = 50

const MODELS = [
  { model: 'anthropic.claude-sonnet', name: 'primary', tier: 'primary', share: 0.55, microUsd: 4000, ms: 3500 },
  { model: 'anthropic.claude-haiku', name: 'economy', tier: 'economy', share: 0.25, microUsd: 600, ms: 1500 },
  { model: 'embedded', name: 'embedded', tier: 'embedded', share: 0.15, microUsd: 0, ms: 60 },
  { model: 'cache', name: 'cache', tier: 'cached', share: 0.05, microUsd: 0, ms: 20 },
] as const

export type MakeRecord = (index: number) => StoredRecord

/** Records that end between `from` and `from + MONTH_MS`; `of` is how many there will be. */
export function recordMaker({
  from,
  of,
  seed,
}: {
  readonly from: number
  readonly of: number
  readonly seed: string
}): MakeRecord {
  const float = seededFloats(seed)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(float() * items.length)] as Item
  /** Mostly near 1, sometimes many times that. */
  const spread = (): number => Math.exp(float() + float() + float() - 1.5 + (float() < 0.02 ? 2 : 0))
  const personOf = (): string => {
    if (float() < 0.33) return HEAVY_KEY
    return `guest_${Math.floor(PEOPLE * float() ** 2)
      .toString(36)
      .padStart(22, '0')}`
  }
  const id = (kind: string): string =>
    `${kind}_${Math.floor(float() * 2 ** 52).toString(36)}${Math.floor(float() * 2 ** 52).toString(36)}`

  function refusal(at: number): RefusalRecord {
    const scope = pick(['user-rate', 'requests-per-minute', 'day-cost', 'address-user-rate'])
    const door = pick(['ws', 'sse', 'http', 'v1'])
    const code = scope === 'day-cost' ? 'QUOTA_EXCEEDED' : 'RATE_LIMITED'
    const whose = { principalId: personOf(), sessionId: '', requestId: id('req'), door }
    return {
      kind: 'refusal',
      refusalId: id('ref'),
      at,
      since: at - 4000,
      count: 1 + Math.floor(float() * 40),
      code,
      scope,
      ...whose,
    }
  }

  return (index) => {
    const at = Math.floor(from + (index / of) * MONTH_MS)
    if (index % TURNS_PER_REFUSAL === TURNS_PER_REFUSAL - 1) return refusal(at)
    // Three hours on the tenth day without the primary model.
    const isOutage = at - from > 10 * 86_400_000 && at - from < 10 * 86_400_000 + 3 * 3_600_000
    let left = float()
    const source = MODELS.find(({ share }) => (left -= share) < 0) ?? MODELS[0]
    const answered = isOutage && source.name === 'primary' ? MODELS[1] : source
    const isDegraded = isOutage || float() < 0.02
    const reason = isOutage ? 'circuit-open' : pick(['throttled', 'timeout', 'saturated', 'no-history', 'budget'])
    const principalId = personOf()
    const isKey = principalId === HEAVY_KEY
    const [costMicroUsd, totalMs] = [Math.round(answered.microUsd * spread()), Math.round(answered.ms * spread())]
    const fate = float()
    const finishReason =
      fate < 0.965
        ? 'stop'
        : fate < 0.975
          ? 'stopped'
          : fate < 0.985
            ? 'length'
            : fate < 0.995
              ? 'interrupted'
              : 'timeout'
    const thumb = float()
    const turn: TurnRecord = {
      turnId: id('turn'),
      sessionId: isKey ? id('sess') : `sess_${principalId.slice(6)}_${Math.floor(at / 86_400_000) % 7}`,
      principalId,
      userTier: isKey ? 'programs' : 'free',
      at,
      language: float() < 0.8 ? 'ja' : 'en',
      position: Math.floor(float() * 6),
      promptVersion: 'bookseller-1.5f3a9c21',
      tier: answered.tier,
      model: answered.model,
      finishReason,
      isDegraded,
      isCached: answered.tier === 'cached',
      attempts: answered.microUsd > 0 ? 1 : 0,
      inputTokens: 900,
      outputTokens: 180,
      costMicroUsd,
      firstWordMs: Math.round(totalMs / 3),
      totalMs,
      mismatches: [],
      kind: isKey ? 'completion' : 'chat',
      door: isKey ? 'v1' : float() < 0.9 ? 'stream' : 'rest',
      requestId: id('req'),
      node: `node_${index % 3}`,
      acceptedAt: at - totalMs,
      stages: {
        admissionMs: 2,
        contextMs: 15,
        routingMs: 1,
        invocationMs: totalMs - 20,
        deliveryMs: totalMs - 18,
        settlementMs: 3,
      },
      ...(isDegraded ? { reason } : {}),
      retrieved: { products: Array.from({ length: 5 }, () => `product-${Math.floor(float() * PRODUCTS)}`), faq: [] },
      prompt: { system: 420, retrieval: 310, history: 140, message: 18, total: 900 },
      firstChoice: 'primary',
      ...(answered.microUsd === 0 ? {} : { calls: [callOf(answered, { costMicroUsd, totalMs })] }),
      epoch: 1,
      ...(at - from > 20 * 86_400_000 && !isKey && float() < 0.5
        ? { routing: { unit: principalId, exposures: [{ experiment: 'prompt', arm: pick(['control', 'short']) }] } }
        : {}),
      received:
        thumb < 0.02 ? { feedback: { value: 'up', at } } : thumb < 0.03 ? { feedback: { value: 'down', at } } : {},
    }
    return turn
  }
}

function callOf(
  { model, name, tier }: (typeof MODELS)[number],
  { costMicroUsd, totalMs }: { readonly costMicroUsd: number; readonly totalMs: number },
): NonNullable<TurnRecord['calls']>[number] {
  const times = { startMs: 20, firstTokenMs: Math.round(totalMs / 3), tookMs: totalMs - 25 }
  const usage = { inputTokens: 900, outputTokens: 180, costMicroUsd }
  return { attempt: 1, model, name, lane: `${name}@tokyo`, tier, why: 'first', outcome: 'end', ...times, ...usage }
}
