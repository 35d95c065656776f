// A generated day of turns, with the shares of the bundled conversations. Each conversation is held once by the built-in
// responder through the whole app, which gives the tokens of the real prompts and the length of the answers; then conversations are
// drawn by a seed until the day is full. Conversations with a message that is not labelled are left out. The true level of every
// message is the readers' label in `training/complexity` or `evaluation/complexity`. Each message is judged by weights that were
// trained without its writer, so that nothing was learnt from what is measured.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { faqIndex } from '../../packages/bookseller/src/catalogue/faq-index.ts'
import { plainQuestionsIn } from '../../packages/bookseller/src/dialogue/plain-question.ts'
import type { Conversation } from '../../packages/bookseller/src/evaluation/conversation.ts'
import { parseWeighed } from '../../packages/bookseller/src/evaluation/weighed-lines.ts'
import type { WeighedLine } from '../../packages/bookseller/src/evaluation/weighed-lines.ts'
import type { Grounding } from '../../packages/bookseller/src/grounding.ts'
import { detectLanguage } from '../../packages/bookseller/src/text/language.ts'
import { COMPLEXITIES } from '../../packages/bookseller/src/understanding/complexity.ts'
import type { Complexity } from '../../packages/bookseller/src/understanding/complexity.ts'
import { complexityFeatures } from '../../packages/bookseller/src/understanding/complexity/features.ts'
import { complexityModel, encodeComplexity } from '../../packages/bookseller/src/understanding/complexity/model.ts'
import type { ComplexityModel } from '../../packages/bookseller/src/understanding/complexity/model.ts'
import { buildLexicon, read } from '../../packages/bookseller/src/understanding/read.ts'
import { trainComplexity } from '../../packages/bookseller/training/complexity-regression.ts'
import type { ComplexityExample } from '../../packages/bookseller/training/complexity-regression.ts'
import { NEVER } from '../../packages/server/src/lib/async/never.ts'
import { seededFloats } from '../../packages/server/src/lib/collections/seeded-floats.ts'
import type { StoredTurn } from '../../packages/server/src/ports/session-store/port.ts'
import type { TurnRecord } from '../../packages/server/src/ports/turn-records/port.ts'
import {
  readCatalogue,
  readFaq,
  readFaqWeights,
  readUnderstanding,
  readVectors,
} from '../../packages/server/src/wiring/bundled-data.ts'
import { openTrial } from '../../packages/server/src/wiring/profiles/trial.ts'
import type { Trial } from '../../packages/server/src/wiring/profiles/trial.ts'

const ROOT = fileURLToPath(new URL('../../packages/bookseller', import.meta.url))

export interface DayTurn {
  readonly message: string
  readonly grounding: Grounding
  /** By the reader who labelled it. */
  readonly level: Complexity
  /** Trained without the writer of the message. */
  readonly model: ComplexityModel
  readonly record: TurnRecord
  /** Nothing is learned, chosen or tuned by its conversation, and readers who had seen no judgement labelled it. */
  readonly isHeldOut: boolean
}

/** The turns of each bundled conversation. */
export async function bundledTurns(): Promise<readonly (readonly DayTurn[])[]> {
  const labelled = linesIn('training/complexity')
  const byText = new Map([...linesIn('evaluation/complexity'), ...labelled].map((line) => [line.text.trim(), line]))
  const conversations = conversationsOf().filter(({ turns }) => turns.every(({ say }) => byText.has(say.trim())))
  const writers = new Set(
    conversations.flatMap(({ turns }) => turns.flatMap(({ say }) => byText.get(say.trim())?.writer ?? [])),
  )
  const models = await modelsWithout(writers, labelled)
  await using trial = await openTrial({ env: { DATA_DIR: '/nonexistent' }, workspaceRoot: ROOT, withoutVendors: true })
  const held: { readonly said: string; readonly grounding: Grounding; readonly conversation: number }[] = []
  for (const [index, conversation] of conversations.entries())
    for (const { say, grounding } of await hold(conversation, trial))
      held.push({ said: say, grounding, conversation: index })
  const records = (await trial.finish()).toSorted((one, other) => one.at - other.at)
  if (records.length !== held.length) throw new Error(`${held.length} turns, but ${records.length} records`)
  const turns = held.flatMap(({ said, grounding, conversation }, index) => {
    const line = byText.get(said.trim())
    const model = line === undefined ? undefined : models.get(line.writer)
    if (line === undefined || model === undefined) throw new Error(`no label for ${said}`)
    const isHeldOut = line.writer.startsWith('h-')
    return [{ message: said, grounding, level: line.level, model, record: records[index]!, conversation, isHeldOut }]
  })
  return [...Map.groupBy(turns, ({ conversation }) => conversation).values()]
}

/** Conversations drawn with replacement until there are so many turns; the last one is whole. */
export function drawDay(
  conversations: readonly (readonly DayTurn[])[],
  { seed, turns }: { readonly seed: string; readonly turns: number },
): readonly (readonly DayTurn[])[] {
  const draw = seededFloats(seed)
  const day: (readonly DayTurn[])[] = []
  let count = 0
  while (count < turns) {
    const drawn = conversations[Math.floor(draw() * conversations.length)]!
    day.push(drawn)
    count += drawn.length
  }
  return day
}

export const plainIn = ({ grounding }: DayTurn) => plainQuestionsIn(grounding)

function conversationsOf(): readonly Conversation[] {
  const folder = join(ROOT, 'evaluation/conversations')
  return readdirSync(folder)
    .filter((name) => /^(?:dev|h)-\d+\.jsonl$/u.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Conversation)
}

function linesIn(path: string): readonly WeighedLine[] {
  const folder = join(ROOT, path)
  return readdirSync(folder)
    .filter((name) => name.endsWith('.tsv'))
    .sort()
    .flatMap((name) => parseWeighed(readFileSync(join(folder, name), 'utf8'), name))
}

/** For each writer, weights of the others' messages. */
async function modelsWithout(
  writers: ReadonlySet<string>,
  lines: readonly WeighedLine[],
): Promise<ReadonlyMap<string, ComplexityModel>> {
  const vectors = await readVectors()
  const { products } = await readCatalogue()
  const lexicon = buildLexicon(
    products,
    faqIndex(await readFaq(), { vectors, faqWeights: await readFaqWeights() }),
    vectors,
  )
  const understanding = await readUnderstanding(vectors)
  const examples = lines.map(({ writer, level, language, previous, text }): ComplexityExample => ({
    writer,
    features: complexityFeatures(text, read({ message: text, language, previous }, lexicon, understanding)),
    level: COMPLEXITIES.indexOf(level),
  }))
  const models = [...writers].map((writer) => {
    const weights = trainComplexity(examples.filter((example) => example.writer !== writer))
    return [writer, complexityModel(encodeComplexity(weights))] as const
  })
  return new Map(models)
}

async function hold(
  { language, turns }: Conversation,
  trial: Trial,
): Promise<readonly { readonly say: string; readonly grounding: Grounding }[]> {
  const ask = trial.converse()
  const history: StoredTurn[] = []
  const held = []
  for (const { say, page } of turns) {
    const place = page === undefined ? {} : { page: { productId: page } }
    const said = { message: say, language: detectLanguage(say), history: [...history], interfaceLanguage: language }
    const grounding = await trial.lookUp.find({ ...said, ...place, limit: trial.config.tokens.retrieved }, NEVER)
    const { text, meta } = await ask({
      message: say,
      interfaceLanguage: language,
      ...(page === undefined ? {} : { page }),
    })
    held.push({ say, grounding })
    history.push({
      turnId: `turn-${history.length}`,
      question: say,
      answer: text,
      language: grounding.language,
      finishReason: 'stop',
      tier: 'embedded',
      productIds: (meta?.products ?? []).map(({ id }) => id),
      suggestions: meta?.suggestions ?? [],
      at: history.length,
      ...place,
    })
  }
  return held
}
