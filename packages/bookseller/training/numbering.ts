// Numbers the features that occur often enough to learn from, and shuffles examples the same way on every machine.

const USES_MIN = 2

export function numberFeatures(
  groups: Iterable<Uint32Array>,
  always: readonly number[] = [],
): ReadonlyMap<number, number> {
  const uses = new Map<number, number>()
  for (const features of groups) for (const feature of features) uses.set(feature, (uses.get(feature) ?? 0) + 1)
  const numbers = new Map<number, number>()
  for (const feature of always) numbers.set(feature, numbers.size)
  for (const [feature, count] of uses)
    if (count >= USES_MIN && !numbers.has(feature)) numbers.set(feature, numbers.size)
  return numbers
}

export function shuffled<Item>(items: readonly Item[], seed: number): readonly Item[] {
  const order = [...items]
  const next = randoms(seed * 2_654_435_761 + 12_345)
  for (let index = order.length - 1; index > 0; index -= 1) {
    const other = Math.floor(next() * (index + 1))
    ;[order[index], order[other]] = [order[other]!, order[index]!]
  }
  return order
}

/** Numbers from 0 to 1, always the same ones for a seed. */
export function randoms(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
