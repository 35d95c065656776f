// Thumbs in numbers: counted by what answered, with the share of thumbs up and its interval.
import type { FeedbackPart } from '@mangaassist/protocol/admin'
import type { TurnRecord } from './turn-record.ts'

export interface ThumbCount {
  readonly up: number
  readonly down: number
}

export interface ThumbShare extends ThumbCount {
  readonly shareUp: number
  readonly low: number
  readonly high: number
}

/** The group of the turns that have no value for a part. */
export const NO_GROUP = 'none'

/** The groups of a turn: one, except for the turns of several experiments. */
export function groupsOf({ language, model, promptVersion, routing }: TurnRecord, by: FeedbackPart): readonly string[] {
  const { choice, exposures = [] } = routing ?? {}
  switch (by) {
    case 'model':
      return [model]
    case 'prompt':
      return [promptVersion ?? NO_GROUP]
    case 'route':
      return [choice === undefined ? NO_GROUP : `${choice.first} (${choice.rule})`]
    case 'experiment':
      return exposures.length === 0 ? [NO_GROUP] : [...new Set(exposures.map(({ experiment }) => experiment))]
    case 'arm':
      return exposures.length === 0 ? [NO_GROUP] : exposures.map(({ arm, experiment }) => `${experiment}/${arm}`)
    case 'language':
      return [language]
  }
}

/** For 95 %. */
const Z = 1.959964

/** Wilson's interval: it is sound for few thumbs and for shares near 0 and 1. It does not correct for repeated looks. */
export function thumbShare({ down, up }: ThumbCount): ThumbShare {
  const all = up + down
  if (all === 0) return { up, down, shareUp: 0, low: 0, high: 1 }
  const share = up / all
  const centre = share + Z ** 2 / (2 * all)
  const spread = Z * Math.sqrt((share * (1 - share)) / all + Z ** 2 / (4 * all ** 2))
  const scale = 1 + Z ** 2 / all
  const bound = (value: number): number => Math.min(1, Math.max(0, value / scale))
  return { up, down, shareUp: share, low: bound(centre - spread), high: bound(centre + spread) }
}
