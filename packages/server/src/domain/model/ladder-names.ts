// The names on the ladder: every model that a turn may be asked of. Pure.

export interface NamedLadder {
  readonly models: Readonly<Record<string, { readonly fallbacks?: readonly string[] }>>
  readonly ladder: readonly string[]
}

/** Each model once, in the ladder's order, each followed by the fallbacks that it names. */
export function ladderNames({ ladder, models }: NamedLadder): readonly string[] {
  return [...new Set(ladder.flatMap((name) => [name, ...(models[name]?.fallbacks ?? [])]))]
}
