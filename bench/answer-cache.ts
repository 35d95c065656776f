// `npm run bench -- answer-cache`: how often a question that is typed otherwise finds the cached answer, and whether a question that
// means something else ever does. The questions are the first ones of the bundled conversations, and the other bundled questions, each
// read and looked up as in a turn. Fails when a question that was changed in its meaning shares a key. SHOW=1 lists what does not hit.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Conversation } from '../packages/bookseller/src/evaluation/conversation.ts'
import { parseLabelled } from '../packages/bookseller/src/evaluation/labelled.ts'
import type { Grounding } from '../packages/bookseller/src/grounding.ts'
import { detectLanguage } from '../packages/bookseller/src/text/language.ts'
import { defaults } from '../packages/server/src/config/config.ts'
import { answerKey } from '../packages/server/src/domain/answers/answer-key.ts'
import { questionNotShared } from '../packages/server/src/domain/answers/shareable.ts'
import { NEVER } from '../packages/server/src/lib/async/never.ts'
import { wireLookUp } from '../packages/server/src/wiring/profiles/look-up.ts'

const EVALUATION = fileURLToPath(new URL('../packages/bookseller/evaluation', import.meta.url))
const ROUNDS = 20

type Retype = (question: string) => string

const unmarked: Retype = (question) => question.replace(/[\s。．.!！?？…]+$/u, '')
const isJapanese = (question: string) => detectLanguage(question) === 'ja'
const ending =
  (ja: string, en: string): Retype =>
  (question) =>
    `${unmarked(question)}${isJapanese(question) ? ja : en}`
/** A question does not end so. */
const unlessAsked =
  (retype: Retype): Retype =>
  (question) =>
    /[?？]\s*$/u.test(question) ? question : retype(question)
const ofWide = (letter: string) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0)

/** What people type otherwise and mean the same. */
const ALIKE: Readonly<Record<string, Retype>> = {
  'as it is': (question) => question,
  'a question mark': ending('？', '?'),
  'no mark': unmarked,
  'an exclamation mark': unlessAsked(ending('！', '!')),
  'a full stop': unlessAsked(ending('。', '.')),
  'spaces around names': (question) =>
    isJapanese(question)
      ? question.replaceAll(/(?<=[\p{Script=Katakana}ー]{3})(?=[のはがを])/gu, ' ')
      : question.replaceAll(' ', '  '),
  capitals: (question) => question.replaceAll(/\b[a-z]/gu, (letter) => letter.toUpperCase()),
  'upper case': (question) => question.toUpperCase(),
  'lower case': (question) => question.toLowerCase(),
  'wide letters': (question) => (isJapanese(question) ? question.replaceAll(/[\dA-Za-z]/gu, ofWide) : question),
  'a comma in numbers': (question) => question.replaceAll(/(?<!\d)(\d)(\d{3})(?=円| ?yen)/gu, '$1,$2'),
  'a polite ending': (question) =>
    unmarked(question)
      .replace(/教えて$/u, '教えてください')
      .replace(/(?<=[てで])ください$/u, 'くださいませんか')
      .replace(/ある$/u, 'ありますか')
      .replace(/してる$/u, 'していますか')
      .replace(/(いくら|いつ|どれ|どっち|何巻|何)$/u, '$1ですか')
      .replace(/^(?=(?:recommend|suggest|show|tell|find|give)\b)/iu, 'Please '),
  'a plain ending': (question) =>
    unmarked(question)
      .replace(/(?<=て)ください$/u, '')
      .replace(/ありますか$/u, 'ある')
      .replace(/てい?ますか$/u, 'てる')
      .replace(/(?<=いくら|いつ|どれ|どっち|何巻|何|円)(?:です|でしょう)か$/u, '')
      .replace(/,? ?(?:please|thanks)$/iu, ''),
}

/** One change that makes it another question. */
const OTHERWISE: Readonly<Record<string, Retype>> = {
  'another number': (question) => question.replace(/\d(?!\d)/u, (digit) => String((Number(digit) + 1) % 10)),
  'no longer denied': (question) =>
    question.replace(/(?:は|も|が)?(?:なし|抜き|以外)|\b(?:no|not|without|other than|except)\b/iu, ''),
  denied: (question) => question.replace(/(?<=い)です(?=か)|ある(?=\?|？|$)/u, 'ない').replace(/\bis\b/iu, "isn't"),
  'less for more': (question) =>
    question
      .replace(/以内|以下|まで/u, '以上')
      .replace(/\bunder\b|\bless than\b/iu, 'over')
      .replace(/安い/u, '高い')
      .replace(/短い/u, '長い'),
  'not finished': (question) =>
    question.replace(/完結/u, '連載').replace(/\b(?:finished|completed|complete)\b/iu, 'ongoing'),
  'too, not alone': (question) => question.replace(/(?<=[\p{Script=Katakana}ー]{3})は/u, 'も'),
  'like it, not it': (question) =>
    question.replace(/みたいな|っぽい|に似た/u, 'の').replace(/\b(?:like|similar to)\b/iu, 'about'),
  'another reader': (question) =>
    question
      .replace(/娘/u, '息子')
      .replace(/子供|子ども/u, '大人')
      .replace(/\bdaughter\b|\bniece\b/iu, 'son'),
}

interface Asked {
  readonly question: string
  readonly key: string
  readonly grounding: Grounding
  readonly isFirst: boolean
}

const lookUp = await wireLookUp()

async function asked(question: string, isFirst: boolean): Promise<Asked | undefined> {
  const language = detectLanguage(question)
  const said = { message: question, language, history: [] }
  const grounding = await lookUp.find({ ...said, limit: defaults.tokens.retrieved }, NEVER)
  const why = questionNotShared({ message: question, meant: grounding, isFirst: true, missing: [], mayShare: true })
  return why === undefined ? { question, key: keyOf(question, grounding), grounding, isFirst } : undefined
}

const keyOf = (question: string, grounding: Grounding) =>
  answerKey({ language: grounding.language, question, prompt: '', grounding, edition: '', route: '' })

const linesOf = (folder: string) =>
  readdirSync(join(EVALUATION, folder))
    .sort()
    .flatMap((name) =>
      readFileSync(join(EVALUATION, folder, name), 'utf8')
        .trim()
        .split('\n'),
    )

const first = linesOf('conversations').map((line) => (JSON.parse(line) as Conversation).turns[0]!.say)
const others = [
  ...linesOf('questions').map((line) => (JSON.parse(line) as { query: string }).query),
  ...linesOf('faq').filter((line) => line.trim() !== '' && !line.startsWith('#')),
  ...readFileSync(join(EVALUATION, 'grounded-questions.txt'), 'utf8').trim().split('\n'),
  ...linesOf('utterances')
    .flatMap((line) => parseLabelled(line, { writer: '', file: '' }))
    .flatMap(({ previous, text }) => (previous === 'none' ? [text] : [])),
]
const questions = new Map([...others.map((one) => [one, false] as const), ...first.map((one) => [one, true] as const)])
const shared = (await Promise.all([...questions].map(([question, isFirst]) => asked(question, isFirst)))).filter(
  (one) => one !== undefined,
)
const percent = (part: number, whole: number) =>
  whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} % of ${whole}`

console.log(`${shared.length} of ${questions.size} questions may share an answer`)
console.log(`\nhits when typed otherwise${' '.repeat(12)}conversations        other questions`)
const sums = [0, 0, 0, 0]
for (const [name, retype] of Object.entries(ALIKE)) {
  const counts = [0, 0, 0, 0]
  for (const one of shared) {
    const typed = retype(one.question)
    if (typed === one.question && name !== 'as it is') continue
    const column = one.isFirst ? 0 : 2
    const hit = (await asked(typed, one.isFirst))?.key === one.key
    counts[column]! += hit ? 1 : 0
    counts[column + 1]! += 1
    if (!hit && process.env['SHOW'] !== undefined) console.log(`    ${one.question} | ${typed}`)
  }
  if (name !== 'as it is') for (const [index, count] of counts.entries()) sums[index]! += count
  console.log(row(name, counts))
}
console.log(row('all of these', sums))

function row(name: string, [hits = 0, of = 0, otherHits = 0, otherOf = 0]: readonly number[]): string {
  return `  ${name.padEnd(34)}${percent(hits, of).padEnd(20)} ${percent(otherHits, otherOf)}`
}

console.log('\nquestions made from these that mean something else and share the key')
let wrong = 0
for (const [name, retype] of Object.entries(OTHERWISE)) {
  const changed = shared.flatMap((one) => {
    const typed = retype(one.question)
    return typed === one.question ? [] : [{ one, typed }]
  })
  const sharing = []
  for (const { one, typed } of changed)
    if ((await asked(typed, one.isFirst))?.key === one.key) sharing.push({ one, typed })
  wrong += sharing.length
  console.log(`  ${name.padEnd(34)}${sharing.length} of ${changed.length}`)
  for (const { one, typed } of sharing) console.log(`    ${one.question} | ${typed}`)
}

console.log('\nbundled questions that share a key with another one')
for (const same of Map.groupBy(shared, ({ key }) => key).values())
  if (same.length > 1) console.log(`  ${same.map(({ question }) => question).join(' | ')}`)

let fastestUs = Infinity
for (let round = 0; round < ROUNDS; round += 1) {
  const from = performance.now()
  for (const { question, grounding } of shared) keyOf(question, grounding)
  fastestUs = Math.min(fastestUs, ((performance.now() - from) * 1000) / shared.length)
}
console.log(`\na key takes ${fastestUs.toFixed(0)} µs, the fastest of ${ROUNDS} rounds`)
if (wrong > 0) process.exitCode = 1
