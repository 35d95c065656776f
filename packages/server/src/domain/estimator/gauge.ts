// What a text or a prompt takes of a model, in tokens: the counted features at the weights of its tokenizer. The one estimator;
// what the weights are is decided by the family and by what was learnt since.
import { GENERIC } from './families.ts'
import { FEATURES, FEATURES_COUNT } from './features.ts'
import { Scan } from './scan.ts'

export interface Prompt {
  readonly system: string
  readonly messages: readonly { readonly content: string }[]
}

/** Counts what comes in pieces; wherever it is cut, the sum is that of the whole. */
interface Meter {
  add(text: string): void
  tokens(): number
}

export interface Gauge {
  text(text: string): number
  /** With what a vendor adds to each. */
  messages(messages: Prompt['messages']): number
  /** With all that a vendor adds. */
  prompt(prompt: Prompt): number
  meter(): Meter
}

const MESSAGE = FEATURES.indexOf('message')
const PROMPT = FEATURES.indexOf('prompt')

export function gaugeOf(weights: Float64Array): Gauge {
  return {
    text: (text) => roundUp(weigh(countText(text), weights)),
    messages: (messages) => roundUp(weigh(countMessages(messages), weights)),
    prompt: (prompt) => roundUp(weigh(countPrompt(prompt), weights)),
    meter: () => {
      const scan = new Scan()
      return { add: (text) => scan.add(text), tokens: () => roundUp(weigh(scan.counts(), weights)) }
    },
  }
}

/** For what no model in particular will read. */
export const genericGauge: Gauge = gaugeOf(GENERIC.weights)

export function weigh(counts: ArrayLike<number>, weights: ArrayLike<number>): number {
  let tokens = 0
  for (let index = 0; index < FEATURES_COUNT; index += 1) tokens += (counts[index] ?? 0) * (weights[index] ?? 0)
  return tokens
}

export function countPrompt({ system, messages }: Prompt): Int32Array {
  const counts = countMessages(system === '' ? messages : [{ content: system }, ...messages])
  counts[PROMPT] = 1
  return counts
}

function countMessages(messages: Prompt['messages']): Int32Array {
  const total = new Int32Array(FEATURES_COUNT)
  for (const { content } of messages) {
    const counts = countText(content)
    for (let index = 0; index < FEATURES_COUNT; index += 1) total[index]! += counts[index]!
  }
  total[MESSAGE]! += messages.length
  return total
}

function countText(text: string): Int32Array {
  const scan = new Scan()
  scan.add(text)
  return scan.counts()
}

/** Up, but not for what adding floats leaves behind the last digit that means anything. */
function roundUp(tokens: number): number {
  return Math.max(0, Math.ceil(tokens - 1e-9))
}
