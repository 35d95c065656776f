// Reads the usage that a provider reports, in any of the shapes that providers have used. A figure that is missing, zero,
// negative or not a number is unknown, never zero: it is then estimated and marked as estimated.
import type { ModelPart } from './model-part.ts'
import { redactEvent } from './redact-sample.ts'

export interface ReportedUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
}

/** A usage has a handful of figures; longer ones are cut. */
const RAW_LENGTH_MAX = 300

type Fields = Readonly<Record<string, unknown>>

const INPUT_NAMES = ['input_tokens', 'inputTokens', 'inputTokenCount', 'prompt_tokens', 'promptTokens']
const OUTPUT_NAMES = ['output_tokens', 'outputTokens', 'outputTokenCount', 'completion_tokens', 'completionTokens']
/** Tokens of a cached prompt. Anthropic and Bedrock report them separately from the input; OpenAI includes them in it. */
const CACHE_READ_NAMES = ['cache_read_input_tokens', 'cacheReadInputTokens']
const CACHE_WRITE_NAMES = [
  'cache_creation_input_tokens',
  'cache_write_input_tokens',
  'cacheWriteInputTokens',
  'cacheCreationInputTokens',
]
/** Fields in which cached tokens that are part of the input are reported. */
const DETAILS_NAMES = ['prompt_tokens_details', 'input_tokens_details']
const NESTED_NAMES = ['total', 'value', 'count']

/** Reads a positive number of tokens: a number, its digits as text, or an object with `total`, `value` or `count`. */
export function tokensOf(value: unknown): number | undefined {
  if (isFields(value)) return firstOf(value, NESTED_NAMES)
  const tokens = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0 ? Math.ceil(tokens) : undefined
}

export function usageOf(source: unknown): ReportedUsage {
  if (!isFields(source)) return {}
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + (tokensOf(source[name]) ?? 0), 0)
  const [read, written] = [sum(CACHE_READ_NAMES), sum(CACHE_WRITE_NAMES)]
  const cached = read + written
  // Zero input is real if the whole prompt came from the cache; without any figure the input is unknown.
  const input =
    firstOf(source, INPUT_NAMES) ?? (cached > 0 && INPUT_NAMES.some((name) => name in source) ? 0 : undefined)
  const outputTokens = firstOf(source, OUTPUT_NAMES)
  return {
    ...field('inputTokens', input === undefined ? undefined : input + cached),
    ...field('outputTokens', outputTokens),
    ...field('cacheReadTokens', read > 0 ? read : cachedInside(source, 'cached_tokens', 'cacheRead')),
    ...field('cacheWriteTokens', written > 0 ? written : cachedInside(source, 'cache_write_tokens', 'cacheWrite')),
  }
}

/** Cached tokens that are part of the input: reported in its details, or in the AI SDK's shape beside its total. */
function cachedInside(source: Fields, nameInDetails: string, nameInTotal: string): number | undefined {
  const details = DETAILS_NAMES.map((name) => source[name]).find(isFields)
  if (details !== undefined) return tokensOf(details[nameInDetails])
  const input = source['inputTokens']
  return isFields(input) ? tokensOf(input[nameInTotal]) : undefined
}

/** The usage reported in a stream. A later figure replaces an earlier one unless it is smaller. */
export class UsageTally {
  #last: unknown
  #input: number | undefined
  #output: number | undefined
  #outputAtStart: number | undefined
  #cacheRead: number | undefined
  #cacheWrite: number | undefined

  see(source: unknown): void {
    this.#output = larger(this.#output, this.#seeInput(source))
  }

  /** Reads the message's first event, whose output is a placeholder unless no other figure is reported. */
  seeAtStart(source: unknown): void {
    this.#outputAtStart = this.#seeInput(source)
  }

  #seeInput(source: unknown): number | undefined {
    const usage = usageOf(source)
    if (isFields(source)) this.#last = source
    this.#input = larger(this.#input, usage.inputTokens)
    this.#cacheRead = larger(this.#cacheRead, usage.cacheReadTokens)
    this.#cacheWrite = larger(this.#cacheWrite, usage.cacheWriteTokens)
    return usage.outputTokens
  }

  /** The usage as a part; undefined when nothing is known. `deltas` is the number of text deltas. */
  part(deltas: number): ModelPart | undefined {
    const atStart = this.#outputAtStart
    // A figure smaller than the number of deltas is a placeholder, and is ignored.
    const output = this.#output ?? (atStart !== undefined && atStart >= deltas && deltas > 0 ? atStart : undefined)
    if (this.#input === undefined && output === undefined && this.#last === undefined) return undefined
    const isUsable = this.#input !== undefined && output !== undefined
    return {
      type: 'usage',
      ...(isUsable ? {} : { raw: rawOf(this.#last) }),
      ...field('inputTokens', this.#input),
      ...field('outputTokens', output),
      ...field('cacheReadTokens', this.#cacheRead),
      ...field('cacheWriteTokens', this.#cacheWrite),
    }
  }
}

const ZERO = new RegExp(`"(?:${[...INPUT_NAMES, ...OUTPUT_NAMES].join('|')})":"?0"?[,}]`)

/** Why the usage of a complete message cannot be used, by the structure of what the vendor sent; absent: it sent none. */
export function usageGap(raw: string | undefined): 'missing' | 'zero' {
  return raw !== undefined && ZERO.test(raw) ? 'zero' : 'missing'
}

function rawOf(source: unknown): string {
  return JSON.stringify(redactEvent(source, { withText: false })).slice(0, RAW_LENGTH_MAX)
}

function field<Name extends string>(name: Name, tokens: number | undefined): { readonly [name in Name]?: number } {
  return (tokens === undefined ? {} : { [name]: tokens }) as { readonly [name in Name]?: number }
}

function larger(known: number | undefined, reported: number | undefined): number | undefined {
  if (known === undefined || reported === undefined) return reported ?? known
  return Math.max(known, reported)
}

function firstOf(source: Fields, names: readonly string[]): number | undefined {
  for (const name of names) {
    const tokens = tokensOf(source[name])
    if (tokens !== undefined) return tokens
  }
  return undefined
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
