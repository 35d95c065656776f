// Trains the model of the understanding and writes its weights: `npm run train`. The writers that are held out lie in
// `evaluation/` and take no part. The same data gives the same file on every machine.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { FaqEntry, Product } from '../src/catalogue/catalogue.ts'
import { faqIndex } from '../src/catalogue/faq-index.ts'
import { decodeFaqWeights } from '../src/catalogue/faq-weights.ts'
import { encodeModel, FLAGS, CLASSES_COUNT } from '../src/understanding/model/model.ts'
import { messageFeatures, taggerFeatures } from '../src/understanding/model/features.ts'
import { beginOf, TAGS_COUNT } from '../src/understanding/model/tags.ts'
import { tokensOf } from '../src/understanding/model/tokens.ts'
import { packedTable } from '../src/understanding/model/weights.ts'
import type { WeightTable } from '../src/understanding/model/weights.ts'
import { faqMatched } from '../src/understanding/model/faq-matches.ts'
import { messageVector } from '../src/understanding/model/message-vector.ts'
import { buildLexicon, withoutTitles } from '../src/understanding/read.ts'
import { readWordVectors } from '../src/retrieval/word-vectors.ts'
import { ACTS, ROLES } from '../src/understanding/reading.ts'
import type { Act } from '../src/understanding/reading.ts'
import { parseLabelled, writerOf } from '../src/evaluation/labelled.ts'
import { tagsOf, trainCrf } from './crf.ts'
import { judgedAct, trainClassifier } from './regression.ts'
import { trainSpanRoles } from './span-roles.ts'
import { spanExamples } from './span-examples.ts'
import type { Trained } from './crf.ts'

/** Smaller weights are left out: they change no decision, and are most of the file. */
const CLASS_WEIGHT_MIN = 0.5
const TAG_WEIGHT_MIN = 0.1
const ROLE_WEIGHT_MIN = 0.02
const TAGGER_EPOCHS = 6
const CLASSIFIER_EPOCHS = 12

const root = join(import.meta.dirname, '../../..')
const products = readFileSync(process.argv[3] ?? join(root, 'data/catalogue.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Product)
const folder = process.argv[4] ?? join(import.meta.dirname, 'utterances')
const labelled = readdirSync(folder)
  .filter((file) => file.endsWith('.tsv'))
  .sort()
  .flatMap((file) => parseLabelled(readFileSync(join(folder, file), 'utf8'), { writer: writerOf(file), file }))
const vectors = readWordVectors(readFileSync(join(root, 'data/vectors/words.bin')))
const faq = parse(readFileSync(join(root, 'data/faq.yaml'), 'utf8')) as readonly FaqEntry[]
const faqWeights = decodeFaqWeights(readFileSync(join(root, 'data/understanding/faq.bin')))
const lexicon = buildLexicon(products, faqIndex(faq, { vectors, faqWeights }), vectors)
const examples = labelled.map((one) => {
  const mentions = lexicon.names.find(one.text)
  const words = withoutTitles(one.text, mentions)
  return {
    one,
    tokens: tokensOf(one.text, mentions),
    faq: faqMatched(lexicon.faq.match(words, one.language)),
    vector: messageVector(words, vectors),
  }
})
process.stdout.write(`${labelled.length} utterances of ${new Set(labelled.map(({ writer }) => writer)).size} writers\n`)
const classed = examples.map(({ one, tokens, faq: matched, vector }) => ({
  writer: one.writer,
  features: messageFeatures(tokens, { previous: one.previous, faq: matched }),
  vector,
  act: ACTS.indexOf(one.act),
  flags: new Set(one.flags.map((flag) => ACTS.length + FLAGS.indexOf(flag))),
}))
const classifier = trainClassifier(classed, CLASSIFIER_EPOCHS)
process.stdout.write('classifier trained\n')
const judged = judgedByOthers()
const tagger = trainCrf(
  examples.map(({ one, tokens }, index) => ({
    features: taggerFeatures(tokens, { previous: one.previous, act: judged[index]! }),
    tags: tagsOf(
      tokens,
      one.spans.map(({ from, to, role }) => ({ from, to, begin: beginOf(role) })),
    ),
  })),
  TAGGER_EPOCHS,
  (epoch) => process.stdout.write(`tagger: epoch ${epoch} of ${TAGGER_EPOCHS}\n`),
)
const bytes = encodeModel({
  classifier: tableOf(classifier, CLASSES_COUNT, CLASS_WEIGHT_MIN),
  tagger: tableOf(tagger, TAGS_COUNT, TAG_WEIGHT_MIN),
  hidden: classifier.hidden,
  spanRoles: tableOf(trainSpanRoles(spanExamples(examples)), ROLES.length, ROLE_WEIGHT_MIN),
})
writeFileSync(process.argv[2] ?? join(root, 'data/understanding/weights.bin'), bytes)
process.stdout.write(`${(bytes.length / 1e6).toFixed(1)} MB of weights\n`)

/**
 * The acts as they are judged by a classifier that has not seen the writer: the tagger must learn to live with mistakes of
 * the kind that it will meet.
 */
function judgedByOthers(): readonly Act[] {
  const writers = [...new Set(classed.map(({ writer }) => writer))]
  const half = (writer: string) => writers.indexOf(writer) % 2
  const trained = [0, 1].map((part) =>
    trainClassifier(
      classed.filter(({ writer }) => half(writer) !== part),
      CLASSIFIER_EPOCHS,
    ),
  )
  return classed.map((example) => judgedAct(trained[half(example.writer)]!, example))
}

function tableOf({ rows }: Trained, labelsCount: number, smallest: number): WeightTable {
  const packed = new Map([...rows].map(([feature, row]) => [feature, (label: number) => row[label]!]))
  return packedTable(packed, { labelsCount, smallest })
}
