// What is known about a model before it is asked: its price, how much it takes and gives, and its manners.
import type { Price } from '../budget/money.ts'

export interface ModelFacts {
  readonly price: Price
  /** Input and output together. */
  readonly contextTokensMax: number
  readonly outputTokensMax: number
  /** Whether the messages may end with the assistant's own beginning; recent Claude generations refuse it. */
  readonly trailingAssistant: boolean
  /** Whether it takes a temperature; reasoning models refuse one. */
  readonly temperature: boolean
  /** Which of the estimator's families counts its tokens. */
  readonly tokenizer: string
}
