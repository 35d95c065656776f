// The configured models as rungs: their order, prices and timeouts. Made once, at the start.
import type { Config } from '#config/config.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { ladderNames } from '#domain/model/ladder-names.ts'
import { tierOfModel } from '#domain/model/model-tier.ts'
import { costMicroUsd, FREE } from '#domain/budget/money.ts'
import type { Price } from '#domain/budget/money.ts'
import { isUnproven } from '#domain/identity/principal.ts'
import type { Principal } from '#domain/identity/principal.ts'
import type { Model } from '#ports/model/port.ts'
import type { Rung } from '#turn/turn.ts'

/** A rung without an output limit, which depends on the turn. */
export type UnlimitedRung = Omit<Rung, 'maxOutputTokens'>

export interface Ladder {
  /** Names of the models, in order. */
  readonly names: readonly string[]
  /** Every configured model, by name and as a list, those of the ladder first. */
  readonly rungs: ReadonlyMap<string, UnlimitedRung>
  readonly list: readonly UnlimitedRung[]
  /** The ladder of a turn with enough money for all of it. */
  readonly whole: readonly Rung[]
  /** The most that a call costs, whichever model is asked. */
  readonly ceilingMicroUsd: (inputTokens: number, outputTokens: number) => number
  /** By the vendor's id. */
  readonly priceOf: (modelId: string) => Price
}

export function createLadder(config: Config, models: ReadonlyMap<string, Model>): Ladder {
  const names = ladderNames(config)
  const rungs = rungsOf(config, models, names)
  const list = [...rungs.values()]
  const maxOutputTokens = Math.max(...Object.values(config.tiers).map((tier) => tier.outputTokensPerRequest))
  return {
    names,
    rungs,
    list,
    whole: names.flatMap((name) => rungs.get(name) ?? []).map((rung) => ({ ...rung, maxOutputTokens })),
    ceilingMicroUsd: (inputTokens, outputTokens) =>
      Math.max(0, ...list.map(({ price }) => costMicroUsd(price, inputTokens, outputTokens))),
    priceOf: (modelId) => list.find(({ model }) => model.id === modelId)?.price ?? FREE,
  }
}

/** Whether the built-in responder can answer: beside the ladder, or as one of its rungs. */
export function hasResponder({ responder }: { readonly responder?: Model }, { whole }: Pick<Ladder, 'whole'>): boolean {
  return responder !== undefined || whole.some(({ tier }) => tier === 'embedded')
}

export function rungsOf(
  config: Config,
  models: ReadonlyMap<string, Model>,
  ladder: readonly string[],
): ReadonlyMap<string, UnlimitedRung> {
  // Models of the ladder first, in order.
  const names = [...new Set([...ladder, ...Object.keys(config.models)])]
  return new Map(
    names.map((name) => {
      const model = models.get(name)
      if (model === undefined) throw new Error(`the configuration names ${name}, which is not wired`)
      const { firstTokenMs, stallMs, thinkingMs, thinkingTokensMax } = config.models[name] ?? {}
      const limits = {
        ...(firstTokenMs === undefined ? {} : { firstTokenMs }),
        ...(stallMs === undefined ? {} : { stallMs }),
        ...(thinkingMs === undefined ? {} : { thinkingMs }),
        ...(thinkingTokensMax === undefined ? {} : { thinkingTokensMax }),
      }
      const { price = FREE } = model.facts ?? {}
      return [name, { name, model, lane: laneOf(config, name), tier: tierOfModel(config, name), price, limits }]
    }),
  )
}

/** The last vendor's model of the ladder, which does small work. */
export function economyRung(
  config: Config,
  ladder: readonly string[],
  rungs: ReadonlyMap<string, UnlimitedRung>,
): UnlimitedRung | undefined {
  return rungs.get(ladder.findLast((name) => config.models[name]?.provider !== 'embedded') ?? '')
}

/** The names of the models that a caller may use on `/v1`. */
export function modelsAllowed(config: Config, principal: Principal): ReadonlySet<string> {
  const ladder = ladderNames(config)
  const own = config.auth.apiKeys.find(({ name }) => principal.kind === 'key' && principal.id === `key:${name}`)?.models
  const names = own ?? config.tiers[principal.tier]?.models ?? ladder
  return new Set(isUnproven(principal) ? names.filter((name) => ladder.includes(name)) : names)
}

/**
 * The models for a caller's model name: that one and its fallbacks, or with `auto` the whole ladder, as far as the caller
 * may use them.
 */
export function modelsFor(
  model: string,
  known: {
    readonly rungs: ReadonlyMap<string, UnlimitedRung>
    readonly ladder: readonly string[]
    readonly config: Config
    readonly allowed: ReadonlySet<string>
  },
): readonly string[] {
  const { allowed } = known
  if (model === 'auto') return known.ladder.filter((name) => allowed.has(name))
  const name = known.rungs.has(model) ? model : [...known.rungs.values()].find((rung) => rung.model.id === model)?.name
  if (name === undefined || !allowed.has(name)) return []
  return [name, ...(known.config.models[name]?.fallbacks ?? [])].filter((each) => allowed.has(each))
}

/** The largest prompt that one of these models accepts with room for a useful answer. */
export function inputTokensMax(
  names: readonly string[],
  rungs: ReadonlyMap<string, UnlimitedRung>,
  { tokens }: Config,
): number {
  const windows = names.map((name) => rungs.get(name)?.model.facts?.contextTokensMax ?? Number.MAX_SAFE_INTEGER)
  return Math.max(...windows) - tokens.safetyShare - tokens.systemShare - tokens.outputUsefulMin
}
