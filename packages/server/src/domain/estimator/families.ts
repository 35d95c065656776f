// The families of tokenizers with known costs, and the family of each model. A model without a known family gets the generic
// one, whose estimates are rather too high than too low.
import tokenizers from '../../../../../data/tokenizers.json' with { type: 'json' }
import { FEATURES } from './features.ts'
import type { Feature } from './features.ts'

export interface Family {
  readonly name: string
  /** Tokens per feature, in the order of `FEATURES`. */
  readonly weights: Float64Array
  /** Changes with the weights: a calibration for other weights cannot be used. */
  readonly edition: string
}

interface Described {
  readonly how: string
  readonly models: readonly string[]
  readonly weights: Readonly<Record<Feature, number>>
}

const described: Readonly<Record<string, Described>> = tokenizers.families
const families: ReadonlyMap<string, Family> = new Map(
  Object.entries(described).map(([name, { weights: byFeature }]) => {
    const weights = Float64Array.from(FEATURES, (feature) => byFeature[feature])
    return [name, { name, weights, edition: editionOf(weights) }]
  }),
)
const beginnings = Object.entries(described)
  .flatMap(([name, { models }]) => models.map((model) => ({ name, beginning: plain(model) })))
  .sort((a, b) => b.beginning.length - a.beginning.length)

export const familyNames: readonly string[] = [...families.keys()]
export const GENERIC: Family = familyNamed('generic')

/** The family with this name, or of this vendor's model id; undefined when neither is known. */
export function familyOf(model: string): Family | undefined {
  const named = families.get(model)
  if (named !== undefined) return named
  const id = plain(model)
  const found = beginnings.find(({ beginning }) => begins(id, beginning))
  return found === undefined ? undefined : families.get(found.name)
}

function familyNamed(name: string): Family {
  const family = families.get(name)
  if (family === undefined) throw new Error(`data/tokenizers.json has no family ${name}`)
  return family
}

function editionOf(weights: Float64Array): string {
  const sum = weights.reduce((hash, weight) => Math.imul(hash ^ Math.round(weight * 1000), 0x01000193), FEATURES.length)
  return (sum >>> 0).toString(36)
}

/** Removes regions and vendors (`global.anthropic.`, `openai/`), and unifies the separators within a version. */
function plain(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//u, '')
    .replace(/^(?:[a-z]+(?:-[a-z]+)*\.)+/u, '')
    .replaceAll(/[._:]/gu, '-')
}

/** A prefix must end at the end of a word or number: gpt-4-1 is no prefix of gpt-4-1106, and qwen is one of qwen3. */
function begins(id: string, beginning: string): boolean {
  if (!id.startsWith(beginning)) return false
  const [last = '', next = ''] = [beginning.at(-1), id.at(beginning.length)]
  return !(isDigit(last) && isDigit(next)) && !(isLetter(last) && isLetter(next))
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9'
const isLetter = (character: string): boolean => character >= 'a' && character <= 'z'
