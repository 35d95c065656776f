// Reads what a provider says it used, in any of the shapes that providers have used. What is missing, zero, negative
// or not a number is unknown, never zero: whoever books it estimates and says so.
import type { ModelPart } from './model-part.ts'

export interface ReportedUsage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly cacheReadTokens?: number
  readonly cacheWriteTokens?: number
}

type Fields = Readonly<Record<string, unknown>>

const INPUT_NAMES = ['input_tokens', 'inputTokens', 'inputTokenCount', 'prompt_tokens', 'promptTokens']
const OUTPUT_NAMES = ['output_tokens', 'outputTokens', 'outputTokenCount', 'completion_tokens', 'completionTokens']
/** Tokens of a cached prompt, which Anthropic and Bedrock count beside the input; OpenAI's are inside it already. */
const CACHE_READ_NAMES = ['cache_read_input_tokens', 'cacheReadInputTokens']
const CACHE_WRITE_NAMES = [
  'cache_creation_input_tokens',
  'cache_write_input_tokens',
  'cacheWriteInputTokens',
  'cacheCreationInputTokens',
]
/** Where those inside the input are told. */
const DETAILS_NAMES = ['prompt_tokens_details', 'input_tokens_details']
const NESTED_NAMES = ['total', 'value', 'count']

/** A whole, positive number of tokens: as a number, as its digits, or under `total`, `value` or `count`. */
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
  // A prompt that came wholly from the cache has an honest zero beside it; one without any figure is unknown.
  const input =
    firstOf(source, INPUT_NAMES) ?? (cached > 0 && INPUT_NAMES.some((name) => name in source) ? 0 : undefined)
  const outputTokens = firstOf(source, OUTPUT_NAMES)
  return {
    ...told('inputTokens', input === undefined ? undefined : input + cached),
    ...told('outputTokens', outputTokens),
    ...told('cacheReadTokens', read > 0 ? read : cachedInside(source, 'cached_tokens', 'cacheRead')),
    ...told('cacheWriteTokens', written > 0 ? written : cachedInside(source, 'cache_write_tokens', 'cacheWrite')),
  }
}

/** What is in the input already: told in its details, or in the AI SDK's shape beside its total. */
function cachedInside(source: Fields, nameInDetails: string, nameInTotal: string): number | undefined {
  const details = DETAILS_NAMES.map((name) => source[name]).find(isFields)
  if (details !== undefined) return tokensOf(details[nameInDetails])
  const input = source['inputTokens']
  return isFields(input) ? tokensOf(input[nameInTotal]) : undefined
}

/** What was told over a stream. A later figure replaces an earlier one unless it is smaller: they only grow. */
export class UsageTally {
  #input: number | undefined
  #output: number | undefined
  #outputAtStart: number | undefined
  #cacheRead: number | undefined
  #cacheWrite: number | undefined

  see(source: unknown): void {
    this.#output = larger(this.#output, this.#seeInput(source))
  }

  /** Of the message's first event, where the output is a placeholder unless nothing else is ever told. */
  seeAtStart(source: unknown): void {
    this.#outputAtStart = this.#seeInput(source)
  }

  #seeInput(source: unknown): number | undefined {
    const usage = usageOf(source)
    this.#input = larger(this.#input, usage.inputTokens)
    this.#cacheRead = larger(this.#cacheRead, usage.cacheReadTokens)
    this.#cacheWrite = larger(this.#cacheWrite, usage.cacheWriteTokens)
    return usage.outputTokens
  }

  /** The usage as a part, or undefined when nothing is known. `deltas` is how many pieces of text there were. */
  part(deltas: number): ModelPart | undefined {
    const atStart = this.#outputAtStart
    // A placeholder is smaller than the answer was long; then it is no figure at all.
    const output = this.#output ?? (atStart !== undefined && atStart >= deltas && deltas > 0 ? atStart : undefined)
    if (this.#input === undefined && output === undefined) return undefined
    return {
      type: 'usage',
      ...told('inputTokens', this.#input),
      ...told('outputTokens', output),
      ...told('cacheReadTokens', this.#cacheRead),
      ...told('cacheWriteTokens', this.#cacheWrite),
    }
  }
}

function told<Name extends string>(name: Name, tokens: number | undefined): { readonly [name in Name]?: number } {
  return (tokens === undefined ? {} : { [name]: tokens }) as { readonly [name in Name]?: number }
}

function larger(known: number | undefined, told: number | undefined): number | undefined {
  if (known === undefined || told === undefined) return told ?? known
  return Math.max(known, told)
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
