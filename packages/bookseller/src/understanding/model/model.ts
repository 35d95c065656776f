// The trained model: the act and the flags of a message, and the roles of its words. Linear over hashed features, and for
// act and flags a hidden layer over the meanings of the words; a message takes a fraction of a millisecond.
// `training/train.ts` makes the file of weights.
import type { WordVectors } from '../../retrieval/word-vectors.ts'
import { ACTS, CHANGES, FACTS, GRIEVANCES, MEASURES } from '../reading.ts'
import type { Act, Previous, Role, Span } from '../reading.ts'
import { FEATURES_VERSION, messageFeatures, taggerFeatures } from './features.ts'
import type { FaqMatched } from './faq-matches.ts'
import { addUnits, layerBytes, readLayer, unitsOf, writeLayer } from './hidden-layer.ts'
import type { HiddenLayer } from './hidden-layer.ts'
import { inputsOf, messageVector } from './message-vector.ts'
import { withRoles } from './span-roles.ts'
import { isBegin, roleOf, TAGS_COUNT } from './tags.ts'
import { tagged } from './tagger.ts'
import type { Token } from './tokens.ts'
import { readTable, tableBytes, weights, writeTable } from './weights.ts'
import type { WeightTable } from './weights.ts'

/** The names of all flags, each once: `author` may be asked as a fact, `cheaper` as a measure. */
export const FLAGS = [...FACTS, ...MEASURES, ...CHANGES, ...GRIEVANCES, 'complex', 'personal'] as const
export type Flag = (typeof FLAGS)[number]

/** Acts come first, flags after them. */
export const CLASSES_COUNT = ACTS.length + FLAGS.length

export interface Judged {
  readonly act: Act
  readonly otherwise: Act
  /** The probability of the act. */
  readonly sureness: number
  /** The probability that the shop's service is asked: its policies, an order, a complaint, a person. */
  readonly service: number
  readonly flags: readonly Flag[]
  readonly spans: readonly Pick<Span, 'role' | 'from' | 'to'>[]
}

/** What is judged of a message. */
export interface Received {
  readonly tokens: readonly Token[]
  readonly previous: Previous
  /** The message without the names of series. */
  readonly words: string
  readonly faq: FaqMatched
}

export interface UnderstandingModel {
  judge(received: Received): Judged
}

/** `vectors` are those that the weights were trained with. */
export function understandingModel(bytes: Uint8Array, vectors: WordVectors): UnderstandingModel {
  const { classifier, tagger, hidden, spanRoles } = decodeModel(bytes)
  if (hidden.units > 0 && hidden.inputs !== inputsOf(vectors.dimensions))
    throw new RangeError('the weights of the understanding need other word vectors: npm run train makes new ones')
  const classWeights = weights(classifier)
  const tagWeights = weights(tagger)
  const roleWeights = weights(spanRoles)
  return {
    judge({ tokens, previous, words, faq }) {
      const scores = new Float64Array(CLASSES_COUNT)
      const features = messageFeatures(tokens, { previous, faq })
      for (const feature of features) classWeights.add(feature, scores)
      const scale = classScale(features.length)
      for (let index = 0; index < scores.length; index += 1) scores[index]! *= scale
      if (hidden.units > 0) addUnits(hidden, unitsOf(hidden, messageVector(words, vectors)), scores)
      const judged = actOf(scores)
      const tags = tagged(taggerFeatures(tokens, { previous, act: judged.act }), tagWeights)
      const spans = withRoles(tokens, spansOf(tokens, tags), { previous, weights: roleWeights })
      return { ...judged, flags: flagsOf(scores), spans }
    },
  }
}

/** A long message has more features, and must not be surer for that alone. */
export const classScale = (features: number): number => 1 / Math.sqrt(features || 1)

const SERVICE: ReadonlySet<Act> = new Set(['faq', 'order', 'complaint', 'person'])

function actOf(scores: Float64Array): Pick<Judged, 'act' | 'otherwise' | 'sureness' | 'service'> {
  const order = ACTS.map((act, index) => ({ act, score: scores[index]! })).sort((a, b) => b.score - a.score)
  const [first, second] = order
  const odds = (some: typeof order) => some.reduce((total, { score }) => total + Math.exp(score - first!.score), 0)
  const sum = odds(order)
  const service = odds(order.filter(({ act }) => SERVICE.has(act))) / sum
  return { act: first!.act, otherwise: second!.act, sureness: 1 / sum, service }
}

/** Chosen by writers that the weights were not trained on: at zero every second flag is missed. */
const FLAG_SCORE_MIN = -0.6

/** The likelier one of two opposites is meant. */
const OPPOSITES: Readonly<Partial<Record<Flag, Flag>>> = {
  shorter: 'longer',
  longer: 'shorter',
  newer: 'older',
  older: 'newer',
}

function flagsOf(scores: Float64Array): readonly Flag[] {
  const scoreOf = (flag: Flag) => scores[ACTS.length + FLAGS.indexOf(flag)]!
  return FLAGS.filter((flag) => {
    const opposite = OPPOSITES[flag]
    return scoreOf(flag) > FLAG_SCORE_MIN && (opposite === undefined || scoreOf(opposite) < scoreOf(flag))
  })
}

/** A span begins where its role or its begin tag changes. */
export function spansOf(
  tokens: readonly Token[],
  tags: Uint8Array,
): readonly { readonly role: Role; readonly from: number; readonly to: number }[] {
  const spans: { role: Role; from: number; to: number }[] = []
  for (const [index, token] of tokens.entries()) {
    const role = roleOf(tags[index]!)
    if (role === undefined) continue
    const open = spans.at(-1)
    const continues = !isBegin(tags[index]!) && open?.role === role
    if (continues) open.to = token.to
    else spans.push({ role, from: token.from, to: token.to })
  }
  return spans
}

const MAGIC = 0x4d414d31
const HEADER_BYTES = 16

export interface ModelParts {
  readonly classifier: WeightTable
  readonly tagger: WeightTable
  readonly hidden: HiddenLayer
  readonly spanRoles: WeightTable
}

/** "MAM1", the version of the features, the numbers of classes and tags; then two tables, the hidden layer, a table. */
export function encodeModel({ classifier, tagger, hidden, spanRoles }: ModelParts): Uint8Array {
  const tables = tableBytes(classifier) + tableBytes(tagger) + tableBytes(spanRoles)
  const bytes = new Uint8Array(HEADER_BYTES + tables + layerBytes(hidden))
  const view = new DataView(bytes.buffer)
  for (const [index, value] of [MAGIC, FEATURES_VERSION, CLASSES_COUNT, TAGS_COUNT].entries())
    view.setUint32(index * 4, value, true)
  const layerAt = writeTable(tagger, bytes, writeTable(classifier, bytes, HEADER_BYTES))
  writeLayer(hidden, bytes, layerAt)
  writeTable(spanRoles, bytes, layerAt + layerBytes(hidden))
  return bytes
}

function decodeModel(given: Uint8Array): ModelParts {
  // Typed arrays need alignment, which a slice of a pooled buffer does not have.
  const bytes = given.byteOffset % 4 === 0 ? given : given.slice()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = bytes.byteLength < HEADER_BYTES ? [] : [0, 4, 8, 12].map((at) => view.getUint32(at, true))
  const expected = [MAGIC, FEATURES_VERSION, CLASSES_COUNT, TAGS_COUNT]
  if (expected.some((value, index) => header[index] !== value))
    throw new RangeError('the weights of the understanding are of another version: npm run train makes new ones')
  const classifier = readTable(bytes, HEADER_BYTES)
  const tagger = readTable(bytes, classifier.next)
  const hidden = readLayer(bytes, tagger.next)
  const spanRoles = readTable(bytes, tagger.next + layerBytes(hidden))
  return { classifier: classifier.table, tagger: tagger.table, hidden, spanRoles: spanRoles.table }
}
