// The facts about a model that are known before a call: its price, its token limits and which parameters it accepts.
import type { Price } from '../budget/money.ts'

export interface ModelFacts {
  readonly price: Price
  /** Input and output together. */
  readonly contextTokensMax: number
  readonly outputTokensMax: number
  /** Whether the messages may end with the beginning of the assistant's answer; recent Claude models refuse it. */
  readonly trailingAssistant: boolean
  /** Whether it accepts a temperature; reasoning models refuse one. */
  readonly temperature: boolean
  /** The estimator's family for its tokens. */
  readonly tokenizer: string
}
