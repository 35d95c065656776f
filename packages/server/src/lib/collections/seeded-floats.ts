// Pseudo-random numbers from a seed: uniform in [0, 1), and the same sequence for a seed on any machine.

export function seededFloats(seed: string): () => number {
  return smallFastCounter(hash(seed))
}

/** FNV-1a, spread over four words. */
function hash(text: string): readonly [number, number, number, number] {
  const word = (basis: number) => {
    let value = basis
    for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
    return value >>> 0
  }
  return [word(0x811c9dc5), word(0x9747b28c), word(0x3c6ef372), word(0x1b873593)]
}

/** The sfc32 generator: small, fast, and good enough for simulations. */
function smallFastCounter(state: readonly [number, number, number, number]): () => number {
  let [a, b, c, counter] = state
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 4_294_967_296
  }
  // The first numbers after seeding correlate with the seed.
  for (let warmUp = 0; warmUp < 15; warmUp += 1) next()
  return next
}
