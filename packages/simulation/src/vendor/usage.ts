// Usage as vendors, proxies and their new versions have been seen to report it: right, or wrong in one of the ways that
// a reader must handle.

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

/** The usage object of a reply, or undefined for the shape `missing`. */
export function usageObject(usage: Usage, names: UsageNames, counts: TokenCounts): Record<string, unknown> | undefined {
  if (usage.shape === 'missing') return undefined
  const { input, output } = counts
  const total = input === undefined || output === undefined ? undefined : input + output
  const entry = (name: string | undefined, count: number | undefined) =>
    name === undefined || count === undefined ? [] : [[rename(usage, name), distort(usage, count)] as const]
  return Object.fromEntries([
    ...(usage.shape === 'cached' ? cachedUsage(names, input) : entry(names.input, input)),
    ...entry(names.output, output),
    ...entry(names.total, total),
  ])
}

/** Half of the prompt was read from the cache and a quarter written to it: the plain count is the rest. */
function cachedUsage(names: UsageNames, input: number | undefined): (readonly [string, number])[] {
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

function distort({ shape, key = 'total' }: Usage, count: number): unknown {
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
