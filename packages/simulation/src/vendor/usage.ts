// Usage as vendors, proxies and their new versions have been seen to tell it: right, or wrong in one of the ways that a
// reader has to survive.

export const USAGE_SHAPES = [
  'missing',
  'zero',
  'negative',
  'string',
  'nested',
  'other-case',
  'renamed',
  'cached',
] as const
export type UsageShape = (typeof USAGE_SHAPES)[number]

export interface Usage {
  readonly shape?: UsageShape
  /** The key of a nested count. */
  readonly key?: 'total' | 'value' | 'count'
}

export interface UsageNames {
  readonly input: string
  readonly output: string
  readonly total?: string
  readonly cacheRead?: string
  readonly cacheWrite?: string
}

export interface TokenCounts {
  readonly input?: number
  readonly output?: number
}

/** The usage object of a reply, or undefined where it is to be missing. */
export function tellUsage(usage: Usage, names: UsageNames, counts: TokenCounts): Record<string, unknown> | undefined {
  if (usage.shape === 'missing') return undefined
  const { input, output } = counts
  const total = input === undefined || output === undefined ? undefined : input + output
  const tell = (name: string | undefined, count: number | undefined) =>
    name === undefined || count === undefined ? [] : [[rename(usage, name), disfigure(usage, count)] as const]
  return Object.fromEntries([
    ...(usage.shape === 'cached' ? tellCached(names, input) : tell(names.input, input)),
    ...tell(names.output, output),
    ...tell(names.total, total),
  ])
}

/** Half of the prompt was read from the cache and a quarter written to it: the plain count is the rest. */
function tellCached(names: UsageNames, input: number | undefined): (readonly [string, number])[] {
  if (input === undefined) return []
  if (names.cacheRead === undefined || names.cacheWrite === undefined) return [[names.input, input]]
  const read = Math.floor(input / 2)
  const written = Math.floor(input / 4)
  return [
    [names.input, input - read - written],
    [names.cacheRead, read],
    [names.cacheWrite, written],
  ]
}

function disfigure({ shape, key = 'total' }: Usage, count: number): unknown {
  if (shape === 'zero') return 0
  if (shape === 'negative') return -count
  if (shape === 'string') return String(count)
  if (shape === 'nested') return { [key]: count }
  return count
}

function rename({ shape }: Usage, name: string): string {
  if (shape === 'renamed') return `${name}_v2`
  if (shape !== 'other-case') return name
  return name.includes('_')
    ? name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    : name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
