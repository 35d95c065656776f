// Error of the token estimate against real tokenizers: by text and by prompt, before anything is learned and after some
// calls, compared with the usual formula; and the time per thousand characters.
import { memoryEstimatorStore } from '../packages/server/src/adapters/memory/estimator-store.ts'
import { memoryTelemetry } from '../packages/server/src/adapters/memory/telemetry.ts'
import { familyOf, GENERIC } from '../packages/server/src/domain/estimator/families.ts'
import { weigh } from '../packages/server/src/domain/estimator/token-counter.ts'
import type { Prompt } from '../packages/server/src/domain/estimator/token-counter.ts'
import { Scan } from '../packages/server/src/domain/estimator/scan.ts'
import { messageText } from '../packages/server/src/domain/model/model-message.ts'
import { FREE } from '../packages/server/src/domain/budget/money.ts'
import { createEstimates } from '../packages/server/src/turn/costs/estimates.ts'
import type { Estimates } from '../packages/server/src/domain/estimator/estimates.ts'
import { blockTexts } from './estimator/blocks.ts'
import { builtWords } from './estimator/built-words.ts'
import { references } from './estimator/references.ts'
import type { Reference } from './estimator/references.ts'
import { readAnyPrompts, readPrompts, readSamples } from './estimator/texts.ts'
import type { Sample } from './estimator/texts.ts'

const LEARNT = [0, 10, 50, 200] as const
const OBSERVED = 1000
const HELD_OUT = 300
const WIDE = /[\p{Script_Extensions=Hiragana}\p{Script_Extensions=Katakana}\p{Script=Han}]/gu

const samples = await readSamples()
const prompts = await readPrompts(OBSERVED + HELD_OUT)

/** Japanese characters × 0.71 and the others ÷ 4. */
function usualFormula(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0
  return wide * 0.71 + (text.length - wide) / 4
}

const off = (estimated: number, actual: number): number => Math.abs(estimated - actual) / actual
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const p95 = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0
const percent = (share: number): string => (share * 100).toFixed(1)
const both = (errors: readonly number[]): string => `${percent(mean(errors))} / ${percent(p95(errors))}`

function row(...cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

function heading(title: string, ...columns: readonly string[]): void {
  console.log(`\n${title}\n`)
  row(...columns)
  row(...columns.map(() => '---'))
}

function estimateText(text: string, { family }: Reference): number {
  const scan = new Scan()
  scan.add(text)
  return Math.max(1, Math.round(weigh(scan.counts(), (familyOf(family ?? '') ?? GENERIC).weights)))
}

function textErrors(texts: readonly Sample[], reference: Reference): readonly number[] {
  return texts.map(({ text }) => off(estimateText(text, reference), reference.count(text)))
}

function actualOf({ system, messages }: Prompt, { count, added }: Reference): number {
  const texts = [system, ...messages.map(messageText)]
  return texts.reduce((sum, text) => sum + count(text) + added.message, added.prompt)
}

const usualOfPrompt = ({ system, messages }: Prompt): number =>
  [system, ...messages.map(messageText)].reduce((sum, text) => sum + usualFormula(text), 0)

/** The server's estimates for one model of this tokenizer, with a known family or without. */
function estimatesFor(tokenizer: string): Estimates {
  const facts = { price: FREE, contextTokensMax: 1, outputTokensMax: 1, trailingAssistant: true, temperature: true }
  const model = { id: 'measured', facts: { ...facts, tokenizer }, stream: () => (async function* () {})() }
  const parts = { estimators: memoryEstimatorStore(), telemetry: memoryTelemetry() }
  return createEstimates({ ...parts, models: new Map([['measured', model]]) })
}

interface Traffic {
  readonly observed: readonly Prompt[]
  readonly heldOut: readonly Prompt[]
}

function learn(reference: Reference, tokenizer: string, { observed, heldOut }: Traffic): void {
  const estimates = estimatesFor(tokenizer)
  const actuals = heldOut.map((prompt) => actualOf(prompt, reference))
  const errors = () => {
    const counter = estimates.counterFor(['measured'])
    return heldOut.map((prompt, index) => off(counter.prompt(prompt), actuals[index]!))
  }
  const cells: string[] = []
  let violations = 0
  let guards = 0
  for (const [index, prompt] of observed.entries()) {
    if ((LEARNT as readonly number[]).includes(index)) cells.push(both(errors()))
    const actual = actualOf(prompt, reference)
    const held = estimates.guarded(estimates.counterFor(['measured']).prompt(prompt), ['measured'])
    if (actual > held) violations += 1
    guards += held / actual
    estimates.observe('measured', prompt, actual)
  }
  const usual = heldOut.map((prompt, index) => off(usualOfPrompt(prompt), actuals[index]!))
  const name = `${reference.name}${tokenizer === reference.family ? '' : ', family unknown'}`
  row(name, both(usual), ...cells, percent(violations / OBSERVED), (guards / OBSERVED).toFixed(2))
}

function measurePrompts(title: string, traffic: Traffic): void {
  const after = LEARNT.slice(1).map(String)
  heading(title, 'tokenizer', 'usual formula', 'cold', ...after, 'reserve too small, %', 'reserve ÷ actual')
  for (const reference of references) {
    if (reference.family !== undefined) learn(reference, reference.family, traffic)
    learn(reference, 'unknown', traffic)
  }
}

const known = references.filter(({ family }) => family !== undefined)
heading(
  'Error of single texts, cold, mean / p95 in %, and the usual formula',
  'kind',
  ...known.flatMap(({ name }) => [name, 'usual']),
)
for (const [kind, texts] of Map.groupBy(samples, (sample) => sample.kind)) {
  const usual = (reference: Reference) => texts.map(({ text }) => off(usualFormula(text), reference.count(text)))
  const cells = known.flatMap((reference) => [both(textErrors(texts, reference)), percent(mean(usual(reference)))])
  row(`${kind} (${texts.length})`, ...cells)
}
const all = (reference: Reference) => samples.map(({ text }) => off(usualFormula(text), reference.count(text)))
row('**all**', ...known.flatMap((reference) => [both(textErrors(samples, reference)), percent(mean(all(reference)))]))

const ofOthers = `mean / p95 in % on ${HELD_OUT} others`
measurePrompts(`Error of the shop's prompts, cold and after so many observed calls, ${ofOthers}`, {
  observed: prompts.slice(0, OBSERVED),
  heldOut: prompts.slice(OBSERVED),
})
measurePrompts(`Error of prompts of anything, cold and after so many observed calls, ${ofOthers}`, {
  observed: await readAnyPrompts(OBSERVED, 0),
  heldOut: await readAnyPrompts(HELD_OUT, 1),
})

/** Every plane with characters, and the private ones; unassigned code points cost their bytes like any other. */
const BLOCK_RANGES = [
  [0x20, 0xffff],
  [0x10000, 0x1ffff],
  [0x20000, 0x203ff],
  [0xe0000, 0xe01ff],
  [0xf0000, 0xf01ff],
] as const
heading(
  'Worst under-count of any block of Unicode (actual ÷ estimate, cold), and where',
  'tokenizer, estimated as',
  'mixed',
  'spaced',
  'repeated',
  'blocks beyond 1.5',
)
for (const name of ['o200k', 'cl100k']) {
  const { count } = references.find((reference) => reference.name === name)!
  for (const as of [name, 'generic']) {
    const worst = new Map<string, { readonly ratio: number; readonly block: string }>()
    const beyond = new Set<string>()
    for (const [first, last] of BLOCK_RANGES) {
      for (const { block, kind, text } of blockTexts(first, last, 16)) {
        const scan = new Scan()
        scan.add(text)
        const ratio = count(text) / weigh(scan.counts(), (familyOf(as) ?? GENERIC).weights)
        if (ratio > (worst.get(kind)?.ratio ?? 0)) worst.set(kind, { ratio, block })
        if (ratio > 1.5) beyond.add(block)
      }
    }
    const cell = (kind: string) => `${worst.get(kind)!.ratio.toFixed(2)} ${worst.get(kind)!.block}`
    row(`${name}, ${as}`, cell('mixed'), cell('spaced'), cell('repeated'), beyond.size)
  }
}

const WORD_LENGTHS = [3, 4, 5, 6, 7, 8, 9, 12, 16]
heading(
  'Worst under-count of words built from the table of letters (actual ÷ estimate, cold), by length',
  'tokenizer, estimated as',
  'spaced',
  'in one word',
  'one or two common words to one or two',
)
for (const name of ['o200k', 'cl100k']) {
  const { count } = references.find((reference) => reference.name === name)!
  for (const as of [name, 'generic']) {
    const worst = (textOf: (words: readonly string[]) => string) => {
      const ratios = WORD_LENGTHS.map((length) => {
        const text = textOf(builtWords(400, length))
        const scan = new Scan()
        scan.add(text)
        return { length, ratio: count(text) / weigh(scan.counts(), (familyOf(as) ?? GENERIC).weights) }
      })
      const { length, ratio } = ratios.reduce((one, other) => (other.ratio > one.ratio ? other : one))
      return `${ratio.toFixed(2)} (${length})`
    }
    const mixes = ['the', 'the and'].flatMap((common) => [
      worst((words) => words.map((word) => `${common} ${word}`).join(' ')),
      worst((words) => words.map((word, at) => (at % 2 === 0 ? `${common} ${word}` : word)).join(' ')),
    ])
    const mixed = mixes.toSorted((one, other) => Number.parseFloat(other) - Number.parseFloat(one))[0]!
    row(
      `${name}, ${as}`,
      worst((words) => words.join(' ')),
      worst((words) => words.join('')),
      mixed,
    )
  }
}

const characters = samples.reduce((sum, { text }) => sum + text.length, 0)
const rounds = Array.from({ length: 60 }, () => {
  const startedAt = performance.now()
  for (const { text } of samples) new Scan().add(text)
  return ((performance.now() - startedAt) * 1000) / (characters / 1000)
})
const [best = 0, middle = 0] = [0, 30].map((at) => rounds.toSorted((a, b) => a - b)[at])
console.log(`\nSpeed: ${middle.toFixed(1)} µs per 1,000 characters (median of 60 rounds), ${best.toFixed(1)} at best`)
