// The tokenizers whose costs are known beforehand, and which of them a model has. A model that nobody has described gets the
// generic one, which errs on the dear side.
import tokenizers from '../../../../../data/tokenizers.json' with { type: 'json' }
import { FEATURES } from './features.ts'
import type { Feature } from './features.ts'

export interface Family {
  readonly name: string
  /** Tokens a feature, in the order of `FEATURES`. */
  readonly weights: Float64Array
  /** Changes with the weights: what was learnt over others is of no use. */
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

/** The family of a name of ours, or of a vendor's model id; undefined when neither is known. */
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

/** Without regions and vendors (`global.anthropic.`, `openai/`), and with one kind of stop between the parts of a version. */
function plain(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//u, '')
    .replace(/^(?:[a-z]+(?:-[a-z]+)*\.)+/u, '')
    .replaceAll(/[._:]/gu, '-')
}

/** The beginning ends where a name ends: gpt-4-1 does not begin gpt-4-1106, and qwen begins qwen3. */
function begins(id: string, beginning: string): boolean {
  if (!id.startsWith(beginning)) return false
  const [last = '', next = ''] = [beginning.at(-1), id.at(beginning.length)]
  return !(isDigit(last) && isDigit(next)) && !(isLetter(last) && isLetter(next))
}

const isDigit = (character: string): boolean => character >= '0' && character <= '9'
const isLetter = (character: string): boolean => character >= 'a' && character <= 'z'
