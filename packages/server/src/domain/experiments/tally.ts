// Sums the outcomes of each unit of an experiment's arms, one record at a time. Memory is bounded: past `unitsMax` units only a
// half of them is kept, chosen by a hash of the unit and so alike in all arms, then a quarter, and so on.
import type { TurnRecord } from '../turn-records/turn-record.ts'
import { OUTCOMES, outcomeMeasures } from './outcomes.ts'
import type { ExperimentOutcome } from './outcomes.ts'
import { Moments } from './statistics.ts'
import type { Sample } from './statistics.ts'

/** About 30 MB. */
export const TALLY_UNITS_MAX = 100_000

export interface ArmFigures {
  readonly turns: number
  readonly units: number
  readonly samples: Readonly<Record<ExperimentOutcome, Sample>>
}

interface ArmTally {
  turns: number
  /** For each outcome the number of turns that have it, then their sum. */
  readonly units: Map<string, Float64Array>
}

export class Tally {
  readonly #unitsMax: number
  readonly #arms = new Map<string, ArmTally>()
  #size = 0
  #halvings = 0

  constructor(unitsMax: number = TALLY_UNITS_MAX) {
    this.#unitsMax = unitsMax
  }

  /** The share of units that is kept. */
  get sampledShare(): number {
    return 2 ** -this.#halvings
  }

  add(arm: string, unit: string, record: TurnRecord): void {
    if (!this.#isKept(unit)) return
    const tally = this.#armOf(arm)
    tally.turns += 1
    let sums = tally.units.get(unit)
    if (sums === undefined) {
      sums = new Float64Array(2 * OUTCOMES.length)
      tally.units.set(unit, sums)
      this.#size += 1
    }
    for (const [index, outcome] of OUTCOMES.entries()) {
      const value = outcomeMeasures[outcome].of(record)
      if (value === undefined) continue
      sums[2 * index]! += 1
      sums[2 * index + 1]! += value
    }
    while (this.#size > this.#unitsMax) this.#halve()
  }

  figures(arm: string): ArmFigures {
    const { turns, units } = this.#armOf(arm)
    const moments = OUTCOMES.map(() => new Moments())
    for (const sums of units.values()) {
      for (const [index, moment] of moments.entries()) {
        const count = sums[2 * index]!
        if (count > 0) moment.add(sums[2 * index + 1]! / count)
      }
    }
    const samples = OUTCOMES.map((outcome, index) => [outcome, moments[index]!.sample] as const)
    return { turns, units: units.size, samples: Object.fromEntries(samples) as ArmFigures['samples'] }
  }

  #armOf(arm: string): ArmTally {
    const known = this.#arms.get(arm) ?? { turns: 0, units: new Map() }
    this.#arms.set(arm, known)
    return known
  }

  #isKept(unit: string): boolean {
    return this.#halvings === 0 || hashOf(unit) < 2 ** (32 - this.#halvings)
  }

  #halve(): void {
    this.#halvings += 1
    this.#size = 0
    for (const tally of this.#arms.values()) {
      for (const [unit, sums] of tally.units) {
        if (this.#isKept(unit)) continue
        tally.units.delete(unit)
        tally.turns -= sums[2 * COST]!
      }
      this.#size += tally.units.size
    }
  }
}

/** Every turn has a cost, so its count is the number of the unit's turns. */
const COST = OUTCOMES.indexOf('cost')

/** FNV-1a with a final mix, whose high bits depend on every character. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
