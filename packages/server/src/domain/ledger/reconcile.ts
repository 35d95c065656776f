// Compares the ledger with a provider's own figures, by day and model. Zero and missing figures have verdicts of their own,
// because they mean that one side does not count at all.

export interface DailyUse {
  readonly day: string
  readonly model: string
  readonly inputTokens: number
  readonly outputTokens: number
  /** Absent when it is not reported: then it is not compared. */
  readonly costMicroUsd?: number
}

export type BookVerdict =
  | 'agrees'
  | 'differs'
  | 'missing-in-ledger'
  | 'missing-at-provider'
  | 'zero-in-ledger'
  | 'zero-at-provider'

const FIGURES = ['inputTokens', 'outputTokens', 'costMicroUsd'] as const
export type Figure = (typeof FIGURES)[number]

export interface Comparison {
  readonly day: string
  readonly model: string
  readonly verdict: BookVerdict
  readonly figures: readonly {
    readonly figure: Figure
    readonly ledger: number
    readonly provider: number
    /** How much more the ledger has, as a share of the provider's figure; undefined when that is zero. */
    readonly off?: number
  }[]
}

/** `tolerance` is a share: 0.02 is two percent. In the order of days and models. */
export function reconcile(
  ledger: readonly DailyUse[],
  provider: readonly DailyUse[],
  tolerance: number,
): readonly Comparison[] {
  const [ours, theirs] = [byKey(ledger), byKey(provider)]
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])].toSorted()
  return keys.flatMap((key) => {
    const [own, reported] = [ours.get(key), theirs.get(key)]
    const any = reported ?? own
    if (any === undefined) return []
    const figures = FIGURES.filter((figure) => figure !== 'costMicroUsd' || reported?.costMicroUsd !== undefined).map(
      (figure) => compared(figure, own?.[figure] ?? 0, reported?.[figure] ?? 0),
    )
    return [{ day: any.day, model: any.model, verdict: verdictOf({ own, reported }, figures, tolerance), figures }]
  })
}

function compared(figure: Figure, ledger: number, provider: number): Comparison['figures'][number] {
  if (provider === 0) return ledger === 0 ? { figure, ledger, provider, off: 0 } : { figure, ledger, provider }
  return { figure, ledger, provider, off: ledger / provider - 1 }
}

function verdictOf(
  { own, reported }: { readonly own: DailyUse | undefined; readonly reported: DailyUse | undefined },
  figures: Comparison['figures'],
  tolerance: number,
): BookVerdict {
  const [isOurs, isTheirs] = [counts(own), counts(reported)]
  if (isTheirs && !isOurs) return own === undefined ? 'missing-in-ledger' : 'zero-in-ledger'
  if (isOurs && !isTheirs) return reported === undefined ? 'missing-at-provider' : 'zero-at-provider'
  const agrees = figures.every(({ ledger, provider }) => Math.abs(ledger - provider) <= tolerance * provider)
  return agrees ? 'agrees' : 'differs'
}

const counts = (use: DailyUse | undefined) =>
  use !== undefined && use.inputTokens + use.outputTokens + (use.costMicroUsd ?? 0) > 0

/** A provider may report a day in several lines, by region or by price; the case of a model's name is ignored. */
function byKey(uses: readonly DailyUse[]): ReadonlyMap<string, DailyUse> {
  const sums = new Map<string, DailyUse>()
  for (const use of uses) {
    const key = `${use.day} ${use.model.trim().toLowerCase()}`
    const before = sums.get(key)
    sums.set(key, before === undefined ? use : added(before, use))
  }
  return sums
}

function added(a: DailyUse, b: DailyUse): DailyUse {
  const hasCost = a.costMicroUsd !== undefined || b.costMicroUsd !== undefined
  return {
    ...a,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    ...(hasCost ? { costMicroUsd: (a.costMicroUsd ?? 0) + (b.costMicroUsd ?? 0) } : {}),
  }
}
