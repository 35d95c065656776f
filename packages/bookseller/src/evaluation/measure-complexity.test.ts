// The shipped weights of complexity on writers that they were not trained on. The bounds are loose: a change of the weights may
// shift a few messages, but not more.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import type { FaqEntry, Product } from '../catalogue/catalogue.ts'
import { faqIndex } from '../catalogue/faq-index.ts'
import { decodeFaqWeights } from '../catalogue/faq-weights.ts'
import { readWordVectors } from '../retrieval/word-vectors.ts'
import { complexityModel } from '../understanding/complexity/model.ts'
import { understandingModel } from '../understanding/model/model.ts'
import { buildLexicon } from '../understanding/read.ts'
import { measureComplexity } from './measure-complexity.ts'
import { parseWeighed } from './weighed-lines.ts'

const packageFolder = join(import.meta.dirname, '../..')
const data = (path: string) => readFileSync(join(packageFolder, '../../data', path))
const linesIn = (folder: string) =>
  readdirSync(join(packageFolder, folder))
    .filter((file) => file.endsWith('.tsv'))
    .flatMap((file) => parseWeighed(readFileSync(join(packageFolder, folder, file), 'utf8'), file))
const heldOut = linesIn('evaluation/complexity')
const taught = linesIn('training/complexity')

test('few complex messages of writers that were held out are judged to be less, and most others are not judged complex', () => {
  const products = data('catalogue.jsonl').toString().trim().split('\n')
  const vectors = readWordVectors(data('vectors/words.bin'))
  const faq = faqIndex(parse(data('faq.yaml').toString()) as readonly FaqEntry[], {
    vectors,
    faqWeights: decodeFaqWeights(data('understanding/faq.bin')),
  })
  const { messages, accuracy, missed, complexShare } = measureComplexity(heldOut, {
    model: understandingModel(data('understanding/weights.bin'), vectors),
    complexity: complexityModel(data('understanding/complexity.bin')),
    lexicon: buildLexicon(
      products.map((line) => JSON.parse(line) as Product),
      faq,
      vectors,
    ),
    now: () => 0,
  })
  assert.ok(messages >= 400)
  assert.ok(accuracy >= 0.8, `accuracy ${accuracy}`)
  assert.ok(missed <= 0.06, `complex messages judged to be less ${missed}`)
  assert.ok(complexShare <= 0.5, `judged complex ${complexShare}`)
})

test('no message is both learnt and measured by', () => {
  const learnt = new Set(taught.map(({ text }) => text))
  const writers = new Set(taught.map(({ writer }) => writer))
  for (const { text, writer } of heldOut) assert.ok(!learnt.has(text) && !writers.has(writer), text)
})

test('half of what shoppers say in conversations is simple, and an eighth is complex', () => {
  const said = taught.filter(({ writer }) => /^w2[38]-/u.test(writer))
  const share = (level: string) => said.filter((line) => line.level === level).length / said.length
  assert.ok(share('simple') > 0.45 && share('simple') < 0.55)
  assert.ok(share('complex') > 0.1 && share('complex') < 0.18)
})
