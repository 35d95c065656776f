// The five levels that operators see, and their order. They are for display: the controller does not read them. A worse level
// is shown at once, a better one only after a while, so that operators can read it.

/** From the best to the worst. A half-open lane is shown as recovery, which is worse than any level of a working lane. */
export const LEVELS = ['normal', 'slight', 'high', 'recovery', 'open'] as const
export type Level = (typeof LEVELS)[number]

export function isWorse(level: Level, than: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(than)
}

/** The level of several lanes or nodes together. */
export function worstOf(levels: readonly Level[]): Level {
  return levels.reduce((worst, level) => (isWorse(level, worst) ? level : worst), 'normal')
}

export interface ShownLevel {
  readonly level: Level
  /** When the level was last confirmed: the dwell time counts from here. */
  readonly markedAt: number
}

/** `deserved` is the lane's level now. Recovery replaces open at once, because it is another state, not a better degree. */
export function nextShown(shown: ShownLevel, deserved: Level, { now, dwellMs }: { now: number; dwellMs: number }) {
  const better = isWorse(shown.level, deserved)
  const stays = better && deserved !== 'recovery' && now - shown.markedAt < dwellMs
  return stays ? shown : { level: deserved, markedAt: now }
}
