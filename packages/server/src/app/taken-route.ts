// The route of a turn as the answer cache knows it: the models in the order that the configuration and the turn's arms give
// them, and the one whose answers are shared. A turn without a plan takes the ladder as it is.
import type { Config } from '#config/config.ts'
import type { Routed, Rung } from '#turn/turn.ts'
import type { Ladder } from './ladder.ts'

export interface TakenRoute {
  readonly name: string
  readonly first: Rung | undefined
}

export function createTakenRoutes({ names, whole }: Pick<Ladder, 'names' | 'whole'>): (routed: Routed) => TakenRoute {
  const rungOf = (name: string) => whole.find((rung) => rung.name === name)
  return ({ plan = { order: names, arms: [] } }) => {
    const rungs = plan.order.flatMap((name) => rungOf(name) ?? [])
    const models = rungs.map(({ name, model }) => `${name}:${model.id}`)
    const arms = plan.arms.map(({ experiment, arm }) => `${experiment}=${arm}`)
    const longest = plan.outputTokensMax === undefined ? [] : [`max=${plan.outputTokensMax}`]
    return { name: [...models, ...arms, ...longest].join(' '), first: rungs[0] }
  }
}

/** The models that the configuration may ask first by complexity; without routing the ladder's first. */
export function firstModels({ routing }: Pick<Config, 'routing'>, { whole }: Pick<Ladder, 'whole'>): readonly Rung[] {
  if (!routing.enabled) return whole.slice(0, 1)
  return whole.filter(({ name }) => Object.values(routing.levels).includes(name))
}
