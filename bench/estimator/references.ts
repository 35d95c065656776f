// The real tokenizers that the estimator is measured against: some have a family in `data/tokenizers.json`, and some
// were not used when its costs were made.
import { getTokenizer } from '@anthropic-ai/tokenizer'
import { encode as encodeCl100k } from 'gpt-tokenizer/encoding/cl100k_base'
import { encode as encodeO200k } from 'gpt-tokenizer/encoding/o200k_base'
import llama2 from 'llama-tokenizer-js'
import llama3 from 'llama3-tokenizer-js'
// @ts-expect-error -- it has no types, and has the API of llama-tokenizer-js.
import mistral from 'mistral-tokenizer-js'

export interface Reference {
  readonly name: string
  /** Its family; undefined when no family was made from it. */
  readonly family: string | undefined
  readonly count: (text: string) => number
  /** Tokens that its vendor adds to each message and to the prompt, as chat templates do. */
  readonly added: { readonly message: number; readonly prompt: number }
}

const claude2 = getTokenizer()
const anySpecial = { disallowedSpecial: new Set<string>() }
const sentencePieces = mistral as typeof llama2

export const references: readonly Reference[] = [
  {
    name: 'Claude 2',
    family: 'claude-2',
    count: (text) => claude2.encode(text.normalize('NFKC'), 'all').length,
    added: { message: 3, prompt: 5 },
  },
  {
    name: 'o200k',
    family: 'o200k',
    count: (text) => encodeO200k(text, anySpecial).length,
    added: { message: 4, prompt: 3 },
  },
  {
    name: 'cl100k',
    family: 'cl100k',
    count: (text) => encodeCl100k(text, anySpecial).length,
    added: { message: 4, prompt: 3 },
  },
  {
    name: 'Llama 3',
    family: 'llama-3',
    count: (text) => llama3.encode(text, { bos: false, eos: false }).length,
    added: { message: 5, prompt: 5 },
  },
  {
    name: 'Llama 2',
    family: undefined,
    count: (text) => llama2.encode(text, false, true).length,
    added: { message: 7, prompt: 9 },
  },
  {
    name: 'Mistral 1',
    family: undefined,
    count: (text) => sentencePieces.encode(text, false, true).length,
    added: { message: 6, prompt: 2 },
  },
]
