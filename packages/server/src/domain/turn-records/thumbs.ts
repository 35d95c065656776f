// Thumbs in numbers: counted by what answered, with the share of thumbs up and its interval.
import type { FeedbackPart } from '@mangaassist/protocol/admin'
import type { TurnRecord } from './turn-record.ts'
import { shareInterval } from './share-interval.ts'

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

export function thumbShare({ down, up }: ThumbCount): ThumbShare {
  const all = up + down
  const [low, high] = shareInterval(up, all)
  return { up, down, shareUp: all === 0 ? 0 : up / all, low, high }
}
