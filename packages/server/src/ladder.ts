// The configured models as rungs: who is asked in which order, for what price and with which limits of silence. Made once,
// at start; `app.ts` hands it to whoever asks models.
import type { AnswerTier } from '@mangaassist/protocol'
import type { Config } from './config.ts'
import { laneOf } from './domain/lane/lanes-of.ts'
import { FREE } from './domain/money.ts'
import type { Model } from './ports/model.ts'
import type { Rung } from './turn/turn.ts'

type UnlimitedRung = Omit<Rung, 'maxOutputTokens'>

export function rungsOf(
  config: Config,
  models: ReadonlyMap<string, Model>,
  ladder: readonly string[],
): ReadonlyMap<string, UnlimitedRung> {
  // Those of the ladder first: a model's place there decides its tier.
  const names = [...new Set([...ladder, ...Object.keys(config.models)])]
  return new Map(
    names.map((name, index) => {
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
      return [name, { name, model, lane: laneOf(config, name), tier: rungTier(config, name, index), price, limits }]
    }),
  )
}

/** The last of the ladder that is a vendor's: whom small work is given to. */
export function economyRung(
  config: Config,
  ladder: readonly string[],
  rungs: ReadonlyMap<string, UnlimitedRung>,
): UnlimitedRung | undefined {
  return rungs.get(ladder.findLast((name) => config.models[name]?.provider !== 'embedded') ?? '')
}

/** Who is asked when a caller names a model: that one and the fallbacks it names, or with `auto` the whole ladder. */
export function modelsFor(
  model: string,
  known: {
    readonly rungs: ReadonlyMap<string, UnlimitedRung>
    readonly ladder: readonly string[]
    readonly config: Config
  },
): readonly string[] {
  if (model === 'auto') return known.ladder
  const name = known.rungs.has(model) ? model : [...known.rungs.values()].find((rung) => rung.model.id === model)?.name
  return name === undefined ? [] : [name, ...(known.config.models[name]?.fallbacks ?? [])]
}

/** The largest prompt that one of these models takes with room for an answer of any use. */
export function inputTokensMax(
  names: readonly string[],
  rungs: ReadonlyMap<string, UnlimitedRung>,
  { tokens }: Config,
): number {
  const windows = names.map((name) => rungs.get(name)?.model.facts?.contextTokensMax ?? Number.MAX_SAFE_INTEGER)
  return Math.max(...windows) - tokens.safetyShare - tokens.systemShare - tokens.outputUsefulMin
}

/** Each model once: as the ladder has them, and after each the fallbacks that it names for itself. */
export function ladderNames(config: Config): readonly string[] {
  return [...new Set(config.ladder.flatMap((name) => [name, ...(config.models[name]?.fallbacks ?? [])]))]
}

function rungTier(config: Config, name: string, index: number): AnswerTier {
  if (config.models[name]?.provider === 'embedded') return 'embedded'
  return index === 0 ? 'primary' : 'economy'
}
