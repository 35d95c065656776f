// The measured texts: many kinds, written for this in `data/evaluation/tokens.jsonl` or made from our catalogue, and
// prompts as the server sends them. None of the written ones was read while the costs were made.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaults } from '../../packages/server/src/config/config.ts'
import type { Product } from '../../packages/bookseller/src/catalogue/catalogue.ts'
import { genericCounter } from '../../packages/server/src/domain/estimator/token-counter.ts'
import type { Prompt } from '../../packages/server/src/domain/estimator/token-counter.ts'
import { textMessage } from '../../packages/server/src/domain/model/model-message.ts'
import { UNGROUNDED } from '../../packages/bookseller/src/grounding.ts'
import { seededFloats } from '../../packages/server/src/lib/collections/seeded-floats.ts'
import { dataBlock, systemPrompt } from '../../packages/server/src/turn/routing/prompt.ts'
import { readCatalogue } from '../../packages/server/src/wiring/bundled-data.ts'
import { readPrompts as readSystemPrompts } from '../../packages/server/src/wiring/prompts.ts'

export interface Sample {
  readonly kind: string
  readonly text: string
}

const root = join(import.meta.dirname, '../..')
const HEX = '0123456789abcdef'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const MADE_OF_EACH = 8
/** Share of shoppers who paste text that is not a question. */
const PASTED_SHARE = 0.15
const HISTORY_MAX = 6

class Dice {
  readonly #next: () => number
  constructor(seed: string) {
    this.#next = seededFloats(seed)
  }
  random(share: number): boolean {
    return this.#next() < share
  }
  upTo(max: number): number {
    return Math.floor(this.#next() * (max + 1))
  }
  of<Value>(values: readonly Value[]): Value {
    return values[this.upTo(values.length - 1)]!
  }
  many<Value>(max: number, make: () => Value): readonly Value[] {
    return Array.from({ length: 1 + this.upTo(max - 1) }, make)
  }
  letters(alphabet: string, length: number): string {
    return Array.from({ length }, () => this.of([...alphabet])).join('')
  }
}

export async function readSamples(): Promise<readonly Sample[]> {
  const lines = (await readFile(join(root, 'data/evaluation/tokens.jsonl'), 'utf8')).trim().split('\n')
  const { products } = await readCatalogue()
  return [...lines.map((line) => JSON.parse(line) as Sample), ...madeOf(products)]
}

function madeOf(products: readonly Product[]): readonly Sample[] {
  const dice = new Dice('texts')
  const makers: Readonly<Record<string, () => string>> = {
    json: () => JSON.stringify(dice.many(4, () => dice.of(products))),
    'json, pretty': () => JSON.stringify(dice.of(products), null, 2),
    'product list': () => dice.many(8, () => listed(dice.of(products), dice.of(['ja', 'en']))).join('\n'),
    table: () =>
      tableOf(
        dice.many(8, () => dice.of(products)),
        dice.of(['ja', 'en']),
      ),
    csv: () => dice.many(12, () => csvOf(dice.of(products))).join('\n'),
    urls: () => dice.many(8, () => urlOf(dice, dice.of(products))).join('\n'),
    ids: () => dice.many(12, () => `${dice.of(['turn', 'ord'])}_${dice.letters(LETTERS, 20)}`).join(' '),
    uuids: () => dice.many(6, () => [8, 4, 4, 4, 12].map((length) => dice.letters(HEX, length)).join('-')).join('\n'),
  }
  return Object.entries(makers).flatMap(([kind, make]) =>
    Array.from({ length: MADE_OF_EACH }, () => ({ kind, text: make() })),
  )
}

function listed({ title, author, volumes, pricePerVolumeYen }: Product, language: 'ja' | 'en'): string {
  return language === 'ja'
    ? `・『${title.ja}』${author?.ja}／全${volumes}巻／各${pricePerVolumeYen}円（税込）`
    : `- ${title.en} by ${author?.en}: ${volumes} volumes at ¥${pricePerVolumeYen}`
}

function tableOf(products: readonly Product[], language: 'ja' | 'en'): string {
  const rows = products.map(({ id, title, stock }) => `| ${id} | ${title[language]} | ${stock} |`)
  return ['| id | title | stock |', '|---|---|--:|', ...rows].join('\n')
}

const csvOf = ({ id, title, author, stock }: Product): string => `${id},"${title.ja}","${author?.en}",${stock}`

function urlOf(dice: Dice, { id, title }: Product): string {
  const query = dice.random(0.5) ? `?q=${encodeURIComponent(title.ja)}&page=${dice.upTo(40)}` : ''
  return `https://${dice.of(['shop', 'cdn', 'www'])}.example.co.jp/${dice.of(['books', 'series', 'img'])}/${id}${query}`
}

/** The prompts that the server would send for `count` turns of different shoppers. */
export async function readPrompts(count: number): Promise<readonly Prompt[]> {
  const dice = new Dice('prompts')
  const { products } = await readCatalogue()
  const samples = await readSamples()
  const questions = await readQuestions()
  const prompts = await readSystemPrompts()
  return Array.from({ length: count }, () => {
    const language = dice.random(0.65) ? 'ja' : 'en'
    const history = Array.from({ length: dice.upTo(HISTORY_MAX) }, () => [
      textMessage('user', dice.of(questions[language])),
      textMessage('assistant', answerOf(dice.of(products), language)),
    ]).flat()
    const pasted = dice.random(PASTED_SHARE) ? `\n\n${dice.of(samples).text}` : ''
    const found = { ...UNGROUNDED, products: dice.many(4, () => dice.of(products)) }
    const data = dataBlock(found, language, { tokens: 800, entries: 3, counter: genericCounter })
    const asked = textMessage('user', `${data}${dice.of(questions[language])}${pasted}`)
    return { system: systemPrompt(prompts, language, defaults.store), messages: [...history, asked] }
  })
}

/**
 * Prompts of a `/v1` client: one to five messages, each a text of any kind. `half` selects every second text or the
 * others.
 */
export async function readAnyPrompts(count: number, half: 0 | 1): Promise<readonly Prompt[]> {
  const dice = new Dice(`any ${half}`)
  const samples = (await readSamples()).filter((_, index) => index % 2 === half)
  const system = 'You are a helpful assistant.'
  return Array.from({ length: count }, () => ({
    system: dice.random(0.5) ? system : '',
    messages: dice.many(5, () => textMessage('user', dice.of(samples).text)),
  }))
}

async function readQuestions(): Promise<Readonly<Record<'ja' | 'en', readonly string[]>>> {
  const lines = (await readFile(join(root, 'packages/bookseller/evaluation/questions/tuning.jsonl'), 'utf8'))
    .trim()
    .split('\n')
  const asked = lines.map((line) => JSON.parse(line) as { query: string; language: string })
  const of = (language: string) => asked.filter((one) => one.language === language).map(({ query }) => query)
  return { ja: of('ja'), en: of('en') }
}

function answerOf({ title, author, synopsis, volumes }: Product, language: 'ja' | 'en'): string {
  return language === 'ja'
    ? `『${title.ja}』（${author?.ja}）はいかがでしょうか。${synopsis?.ja}全${volumes}巻です。`
    : `How about “${title.en}” by ${author?.en}? ${synopsis?.en} It has ${volumes} volumes.`
}
