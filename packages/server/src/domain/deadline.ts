// The two deadlines of a turn, as moments in milliseconds since the epoch. `firstWordBy` drives downgrade and
// fallback; `endBy` ends the text, whole or partial.

export interface Deadlines {
  readonly firstWordBy: number
  readonly endBy: number
}

export function deadlinesFrom(
  acceptedAt: number,
  limits: { readonly firstWordMs: number; readonly endMs: number },
): Deadlines {
  return { firstWordBy: acceptedAt + limits.firstWordMs, endBy: acceptedAt + limits.endMs }
}
