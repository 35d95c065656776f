// The answer tier of a configured model: the first model of the ladder is primary, every other vendor's model is economy, and
// the built-in responder is a tier of its own. Pure.
import type { AnswerTier } from '@mangaassist/protocol'

export interface TieredModels {
  readonly models: Readonly<Record<string, { readonly provider: string }>>
  readonly ladder: readonly string[]
}

export function tierOfModel(
  config: TieredModels,
  name: string,
): Extract<AnswerTier, 'primary' | 'economy' | 'embedded'> {
  return config.models[name]?.provider === 'embedded' ? 'embedded' : roleOfModel(config, name)
}

/** The role that selects the settings of a model's lane; the built-in responder may be the first of a ladder too. */
export function roleOfModel({ ladder }: Pick<TieredModels, 'ladder'>, name: string): 'primary' | 'economy' {
  return ladder[0] === name ? 'primary' : 'economy'
}
