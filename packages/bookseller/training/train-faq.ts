// Trains the recognition of the bundled FAQ and writes its weights: `npm run train:faq`. The same data gives the same file on
// every machine.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { FaqEntry } from '../src/catalogue/catalogue.ts'
import { trainFaq } from '../src/catalogue/faq-training.ts'
import { encodeFaqWeights } from '../src/catalogue/faq-weights.ts'
import { phrasingsIn } from '../src/evaluation/phrasings.ts'
import { readWordVectors } from '../src/retrieval/word-vectors.ts'
import { detectLanguage } from '../src/text/language.ts'

const data = join(import.meta.dirname, '../../../data')
const entries = parse(readFileSync(join(data, 'faq.yaml'), 'utf8')) as readonly FaqEntry[]
const vectors = readWordVectors(readFileSync(join(data, 'vectors/words.bin')))
const phrasings = phrasingsIn(readFileSync(join(import.meta.dirname, 'faq/phrasings.txt'), 'utf8'))
const unknown = [...phrasings.keys()].filter((id) => !entries.some((entry) => entry.id === id))
if (unknown.length > 0) throw new Error(`no entry of data/faq.yaml: ${unknown.join(', ')}`)
const taught = entries.map((entry): FaqEntry => {
  const more = phrasings.get(entry.id) ?? []
  const questions = {
    ja: [...entry.questions.ja, ...more.filter((text) => detectLanguage(text) === 'ja')],
    en: [...entry.questions.en, ...more.filter((text) => detectLanguage(text) === 'en')],
  }
  return { ...entry, questions }
})
const bytes = encodeFaqWeights(trainFaq(taught, vectors))
writeFileSync(join(data, 'understanding/faq.bin'), bytes)
const count = taught.reduce((sum, { questions }) => sum + questions.ja.length + questions.en.length, 0)
process.stdout.write(
  `${count} questions of ${taught.length} entries, ${(bytes.length / 1e6).toFixed(1)} MB of weights\n`,
)
