// Wins, ties and losses of b against a, with an interval on the win share. The units of the interval are conversations: the turns of
// one are not independent of each other.
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import type { JudgedPair } from './pair.ts'

export interface Score {
  readonly pairs: number
  readonly wins: number
  readonly ties: number
  readonly losses: number
  /** The share of b, in which a tie is half a win; null without pairs. */
  readonly winShare: number | null
  /** The bounds between which it lies with 95 % confidence; null for fewer than two conversations. */
  readonly interval: readonly [number, number] | null
}

interface Unit {
  readonly points: number
  readonly pairs: number
}

const RESAMPLES = 2000
const TAIL = 0.025

export function scoreOf(pairs: readonly JudgedPair[], seed: string): Score {
  const judged = pairs.filter(({ verdict }) => verdict.kind === 'judged')
  const count = (winner: string) =>
    judged.filter(({ verdict }) => verdict.kind === 'judged' && verdict.winner === winner).length
  const [wins, ties, losses] = [count('b'), count('tie'), count('a')]
  const units = [...Map.groupBy(judged, ({ conversation }) => conversation).values()].map((of) => ({
    points: of.reduce((sum, pair) => sum + pointsOf(pair), 0),
    pairs: of.length,
  }))
  return {
    pairs: judged.length,
    wins,
    ties,
    losses,
    winShare: judged.length === 0 ? null : (wins + ties / 2) / judged.length,
    interval: units.length < 2 ? null : bootstrap(units, seededFloats(seed)),
  }
}

function pointsOf({ verdict }: JudgedPair): number {
  if (verdict.kind === 'unjudged' || verdict.winner === 'a') return 0
  return verdict.winner === 'b' ? 1 : 0.5
}

/**
 * By resampling the conversations. Two more are added, one won and one lost: a few conversations that all end alike would
 * otherwise give an interval without width.
 */
function bootstrap(units: readonly Unit[], draw: () => number): readonly [number, number] {
  const meanPairs = units.reduce((sum, { pairs }) => sum + pairs, 0) / units.length
  const known = [...units, { points: meanPairs, pairs: meanPairs }, { points: 0, pairs: meanPairs }]
  const shares = Array.from({ length: RESAMPLES }, () => {
    let [points, pairs] = [0, 0]
    for (let drawn = 0; drawn < known.length; drawn += 1) {
      const unit = known[Math.floor(draw() * known.length)]!
      points += unit.points
      pairs += unit.pairs
    }
    return points / pairs
  }).sort((one, other) => one - other)
  const at = (quantile: number) => shares[Math.min(RESAMPLES - 1, Math.floor(quantile * RESAMPLES))]!
  return [at(TAIL), at(1 - TAIL)]
}
