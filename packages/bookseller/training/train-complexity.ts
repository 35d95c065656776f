// Trains the judgement of complexity and writes its weights: `npm run train:complexity`. The writers that are held out lie in
// `evaluation/` and take no part. The same data gives the same file on every machine.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { FaqEntry, Product } from '../src/catalogue/catalogue.ts'
import { faqIndex } from '../src/catalogue/faq-index.ts'
import { decodeFaqWeights } from '../src/catalogue/faq-weights.ts'
import { parseWeighed } from '../src/evaluation/weighed-lines.ts'
import { readWordVectors } from '../src/retrieval/word-vectors.ts'
import { COMPLEXITIES } from '../src/understanding/complexity.ts'
import { complexityFeatures } from '../src/understanding/complexity/features.ts'
import { encodeComplexity } from '../src/understanding/complexity/model.ts'
import { understandingModel } from '../src/understanding/model/model.ts'
import { buildLexicon, read } from '../src/understanding/read.ts'
import { measureLeftOut, trainComplexity } from './complexity-regression.ts'

const data = join(import.meta.dirname, '../../../data')
const folder = join(import.meta.dirname, 'complexity')
const lines = readdirSync(folder)
  .filter((file) => file.endsWith('.tsv'))
  .sort()
  .flatMap((file) => parseWeighed(readFileSync(join(folder, file), 'utf8'), file))
const products = readFileSync(join(data, 'catalogue.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Product)
const vectors = readWordVectors(readFileSync(join(data, 'vectors/words.bin')))
const faq = parse(readFileSync(join(data, 'faq.yaml'), 'utf8')) as readonly FaqEntry[]
const faqWeights = decodeFaqWeights(readFileSync(join(data, 'understanding/faq.bin')))
const lexicon = buildLexicon(products, faqIndex(faq, { vectors, faqWeights }), vectors)
const model = understandingModel(readFileSync(join(data, 'understanding/weights.bin')), vectors)
const examples = lines.map(({ writer, level, language, previous, text }) => ({
  writer,
  features: complexityFeatures(text, read({ message: text, language, previous }, lexicon, model)),
  level: COMPLEXITIES.indexOf(level),
}))
const bytes = encodeComplexity(trainComplexity(examples))
writeFileSync(join(data, 'understanding/complexity.bin'), bytes)
process.stdout.write(
  `${lines.length} messages of ${new Set(lines.map(({ writer }) => writer)).size} writers, ${(bytes.length / 1e6).toFixed(2)} MB of weights\n`,
)
const { accuracy, missed, complexShare } = measureLeftOut(examples)
const percent = (share: number) => `${(share * 100).toFixed(1)} %`
process.stdout.write(
  `writers left out: accuracy ${accuracy.toFixed(3)}, complex ones missed ${percent(missed)}, judged complex ${percent(complexShare)}\n`,
)
