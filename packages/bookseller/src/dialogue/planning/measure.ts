// What each measure compares. The smallest value is the answer.
import { totalYen } from '../../catalogue/catalogue.ts'
import type { Product } from '../../catalogue/catalogue.ts'
import type { Measure } from '../../understanding/reading.ts'

const DARK: ReadonlySet<string> = new Set(['gore', 'violence-strong', 'frightening', 'suicide', 'abuse'])

/** What each measure compares; the smallest value is the answer. Undefined: a fact is unknown. */
const MEASURED: Readonly<Record<Exclude<Measure, 'better'>, (product: Product) => number | undefined>> = {
  cheaper: totalYen,
  shorter: ({ volumes }) => volumes,
  longer: ({ volumes }) => -volumes,
  newer: ({ firstYear }) => (firstYear === undefined ? undefined : -firstYear),
  older: ({ firstYear }) => firstYear,
  easier: ({ age, volumes }) => (age === undefined ? undefined : age * 1000 + volumes),
  darker: ({ content, moods }) =>
    content === undefined
      ? undefined
      : -content.filter((key) => DARK.has(key)).length * 2 - (moods.includes('dark') ? 1 : 0),
}

export function measureOf(measure: Measure, product: Product): number | undefined {
  return measure === 'better' ? undefined : MEASURED[measure](product)
}
