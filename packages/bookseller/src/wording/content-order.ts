// Which content notes an answer names: the few that matter most, not the whole list.
import type { Product } from '../catalogue/catalogue.ts'

export type ContentKey = NonNullable<Product['content']>[number]

/** Most important first. */
const ORDER: readonly ContentKey[] = [
  'suicide',
  'abuse',
  'sexual-strong',
  'gore',
  'violence-strong',
  'loss',
  'animal-death',
  'bullying',
  'frightening',
  'drugs',
  'nudity',
  'war',
  'discrimination',
  'sexual-mild',
  'strong-language',
  'violence-mild',
  'alcohol-tobacco',
]
const MILD: ReadonlySet<ContentKey> = new Set(['sexual-mild', 'violence-mild', 'alcohol-tobacco', 'strong-language'])

export const isMild = (keys: readonly ContentKey[]): boolean => keys.every((key) => MILD.has(key))

/** The most important content notes. Mild ones are mentioned only if there is no other. */
export function mainContent(keys: readonly ContentKey[], max: number): readonly ContentKey[] {
  const sorted = ORDER.filter((key) => keys.includes(key))
  const strong = sorted.filter((key) => !MILD.has(key))
  return (strong.length > 0 ? strong : sorted).slice(0, max)
}
