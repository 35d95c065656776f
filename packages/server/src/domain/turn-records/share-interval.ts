// Wilson's interval of a share: it is sound for few cases and for shares near 0 and 1. It does not correct for repeated looks.

/** For 95 %. */
const Z = 1.959964

/** The bounds of the share `count` / `of` with 95 % confidence; from 0 to 1 where there are no cases. */
export function shareInterval(count: number, of: number): readonly [number, number] {
  if (of === 0) return [0, 1]
  const share = count / of
  const centre = share + Z ** 2 / (2 * of)
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  const scale = 1 + Z ** 2 / of
  const bound = (value: number): number => Math.min(1, Math.max(0, value / scale))
  return [bound(centre - spread), bound(centre + spread)]
}
