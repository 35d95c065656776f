// Estimates the tokens of a text or a prompt for one model: the counted features times the weights of its tokenizer. The only
// estimator; the weights come from the family and its calibration.
import { textPart } from '../model/model-message.ts'
import type { ContentPart, ModelMessage } from '../model/model-message.ts'
import { GENERIC } from './families.ts'
import { FEATURES, FEATURES_COUNT } from './features.ts'
import { Scan } from './scan.ts'

export interface Prompt {
  readonly system: string
  readonly messages: readonly Pick<ModelMessage, 'content'>[]
}

/** Counts a text that comes in pieces; the sum is that of the whole text, wherever it is cut. */
interface Meter {
  add(text: string): void
  tokens(): number
}

export interface TokenCounter {
  text(text: string): number
  /** Includes what a vendor adds to each message. */
  messages(messages: Prompt['messages']): number
  /** Includes everything that a vendor adds. */
  prompt(prompt: Prompt): number
  /** The same for a prompt of any length: awaits `pause` after every slice, so that other work can run in between. */
  promptInSlices(prompt: Prompt, pause: () => Promise<void>): Promise<number>
  meter(): Meter
}

const MESSAGE = FEATURES.indexOf('message')
const PROMPT = FEATURES.indexOf('prompt')
/** A slice takes about a millisecond. */
const SLICE_UNITS = 16_384

export function tokenCounterOf(weights: Float64Array): TokenCounter {
  return {
    text: (text) => roundUp(weigh(countText(text), weights)),
    messages: (messages) => roundUp(weigh(countMessages(messages), weights)),
    prompt: (prompt) => roundUp(weigh(countPrompt(prompt), weights)),
    promptInSlices: async (prompt, pause) => roundUp(weigh(await countInSlices(prompt, pause), weights)),
    meter: () => {
      const scan = new Scan()
      return { add: (text) => scan.add(text), tokens: () => roundUp(weigh(scan.counts(), weights)) }
    },
  }
}

/** For texts that are not meant for a certain model. */
export const genericCounter: TokenCounter = tokenCounterOf(GENERIC.weights)

export function weigh(counts: ArrayLike<number>, weights: ArrayLike<number>): number {
  let tokens = 0
  for (let index = 0; index < FEATURES_COUNT; index += 1) tokens += (counts[index] ?? 0) * (weights[index] ?? 0)
  return tokens
}

export function countPrompt(prompt: Prompt): Int32Array {
  const counts = countMessages(allOf(prompt))
  counts[PROMPT] = 1
  return counts
}

function allOf({ system, messages }: Prompt): Prompt['messages'] {
  return system === '' ? messages : [{ content: [textPart(system)] }, ...messages]
}

async function countInSlices(prompt: Prompt, pause: () => Promise<void>): Promise<Int32Array> {
  const messages = allOf(prompt)
  const total = new Int32Array(FEATURES_COUNT)
  let leftUnits = SLICE_UNITS
  for (const { content } of messages) {
    const scan = new Scan()
    for (const text of content.map(countedText)) {
      for (let from = 0; from < text.length;) {
        const to = Math.min(text.length, from + leftUnits)
        scan.add(text.slice(from, to))
        leftUnits -= to - from
        from = to
        if (leftUnits > 0) continue
        await pause()
        leftUnits = SLICE_UNITS
      }
    }
    addTo(total, scan.counts())
  }
  total[MESSAGE]! += messages.length
  total[PROMPT] = 1
  return total
}

function countMessages(messages: Prompt['messages']): Int32Array {
  const total = new Int32Array(FEATURES_COUNT)
  for (const { content } of messages) {
    // One scan for all parts: a text costs the same in one part as in several.
    const scan = new Scan()
    for (const part of content) scan.add(countedText(part))
    addTo(total, scan.counts())
  }
  total[MESSAGE]! += messages.length
  return total
}

/** The text by which a part is counted. */
function countedText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text
  }
}

function addTo(total: Int32Array, counts: Int32Array): void {
  for (let index = 0; index < FEATURES_COUNT; index += 1) total[index]! += counts[index]!
}

function countText(text: string): Int32Array {
  const scan = new Scan()
  scan.add(text)
  return scan.counts()
}

/** Rounds up, with a tolerance for the rounding errors of float sums. */
function roundUp(tokens: number): number {
  return Math.max(0, Math.ceil(tokens - 1e-9))
}
