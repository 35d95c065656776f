// The five levels that operators see, and their order. They are shown, never obeyed: the controller does not read them.
// A level is taken on at once when things get worse and kept for a while when they get better, so that it can be read.

/** From the best to the worst. Half-open is shown as recovery: closer to open than any level of a lane that works. */
export const LEVELS = ['normal', 'slight', 'high', 'recovery', 'open'] as const
export type Level = (typeof LEVELS)[number]

export function isWorse(level: Level, than: Level): boolean {
  return LEVELS.indexOf(level) > LEVELS.indexOf(than)
}

/** What several lanes or nodes look like as one. */
export function worstOf(levels: readonly Level[]): Level {
  return levels.reduce((worst, level) => (isWorse(level, worst) ? level : worst), 'normal')
}

export interface ShownLevel {
  readonly level: Level
  /** When the policy last saw a reason for it to stay: the next step is counted from here. */
  readonly markedAt: number
}

/** `deserved` is what the lane looks like now. Open gives way to recovery at once, because that is no matter of degree. */
export function nextShown(shown: ShownLevel, deserved: Level, { now, dwellMs }: { now: number; dwellMs: number }) {
  const better = isWorse(shown.level, deserved)
  const stays = better && deserved !== 'recovery' && now - shown.markedAt < dwellMs
  return stays ? shown : { level: deserved, markedAt: now }
}
