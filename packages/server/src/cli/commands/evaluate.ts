// `mangaassist evaluate`: measures the assistant with questions, utterances and conversations that have known answers.
import { join, relative } from 'node:path'
import { bundled } from '#config/installation.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import { configure } from '#wiring/configure.ts'
import { wireSearches } from '#wiring/profiles/look-up.ts'
import { openTrialEngine } from '#wiring/search/trial-engine.ts'
import type { TrialEngine } from '#wiring/search/trial-engine.ts'
import { CommandError, parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { conversationFiles, describeConversations, holdAll } from '../evaluate/conversations.ts'
import { describePolicies, measurePolicies } from '../evaluate/policies.ts'
import { describeQuestions, measureQuestions, questionFiles } from '../evaluate/questions.ts'
import { describeUnderstanding, measureUnderstanding } from '../evaluate/understanding.ts'

const flags = { json: { type: 'boolean' }, show: { type: 'boolean' }, opensearch: { type: 'boolean' } } as const
const PARTS = ['questions', 'understanding', 'policies', 'conversations'] as const
type Part = (typeof PARTS)[number]

export const evaluate: Command = {
  summary: 'Measure what the assistant finds, understands and answers',
  usage: `Usage: mangaassist evaluate [questions] [understanding] [policies] [conversations]
                            [--opensearch] [--show] [--json]

Measures the built-in assistant over the catalogue that comes with the program, with data that
nothing was learned from:

  questions       single questions by kind: recall@5 (how many of the first five are right, of five
                  or of all that are right) and MRR (the mean of 1 / place of the first right one),
                  for search, chat and plain FTS5
  understanding   act, flags and roles of words on the writers that were held out: accuracy, F1,
                  confusions; and how complex a message is: accuracy, how many complex ones are
                  judged to be less
  policies        the entry of the FAQ that a phrasing asks for: recall, precision, confusions
  conversations   turns that are right in every respect that their writer asked for: kind of answer,
                  series, conditions, facts, language; series against a condition; sentences said
                  twice

Without a part it measures all of them. It only reads; nothing is sent to a model.

  --opensearch   let the configured OpenSearch choose the products of questions and conversations:
                 the catalogue is written there under names of its own, which are removed afterwards
  --show         print every wrong turn with what was wrong with it
  --json         as JSON`,

  async run(args, terminal) {
    const { values, positionals } = parseWords(args, flags)
    const parts = partsOf(positionals)
    const isJson = values.json === true
    const results: Record<string, unknown> = {}
    const print = (part: Part, value: unknown, text: string) => {
      results[part] = value
      if (!isJson) terminal.stdout.write(`${text}\n\n`)
    }
    await using engine = values.opensearch === true ? await trialEngineOf(terminal) : undefined
    for (const part of parts) await MEASURE[part](print, { ...terminal, shows: values.show === true, engine })
    if (engine !== undefined && !isJson) terminal.stdout.write(`${describeTrial(engine)}\n`)
    if (engine !== undefined) results['opensearch'] = engine.answers()
    if (isJson) terminal.stdout.write(`${JSON.stringify(results)}\n`)
    return 0
  },
}

function partsOf(given: readonly string[]): readonly Part[] {
  const unknown = given.find((name) => !PARTS.some((part) => part === name))
  if (unknown !== undefined) throw new UsageError(`There is no part ${unknown}: ${PARTS.join(', ')}.`)
  return given.length === 0 ? PARTS : PARTS.filter((part) => given.includes(part))
}

type Print = (part: Part, value: unknown, text: string) => void
type Measured = Terminal & { readonly shows: boolean; readonly engine: TrialEngine | undefined }
type Measure = (print: Print, terminal: Measured) => Promise<void>

const searchesWith = (engine: TrialEngine | undefined) =>
  wireSearches(engine === undefined ? {} : { openEngine: engine.open })

async function trialEngineOf({ env, workspaceRoot }: Terminal): Promise<TrialEngine> {
  const { config } = await configure({ env, workspaceRoot })
  try {
    return await openTrialEngine(config, env)
  } catch (error) {
    if (error instanceof EngineFailure || error instanceof TypeError) throw new CommandError(error.message)
    throw error
  }
}

function describeTrial(engine: TrialEngine): string {
  const { answered, others } = engine.answers()
  return `OpenSearch chose the products of ${answered} searches; for ${others} it gave no answer, and the own index did.`
}

const MEASURE: Readonly<Record<Part, Measure>> = {
  async questions(print, { engine, workspaceRoot, shows }) {
    using searches = await searchesWith(engine)
    const measured = []
    for (const path of await questionFiles(join(bundled.evaluation, 'questions')))
      measured.push({ ...(await measureQuestions(searches, path)), file: relative(workspaceRoot, path) })
    print('questions', measured, measured.map((one) => describeQuestions(one, shows)).join('\n\n'))
  },
  async understanding(print) {
    const measured = await measureUnderstanding(bundled.evaluation)
    print('understanding', measured, describeUnderstanding(measured))
  },
  async policies(print) {
    const measured = await measurePolicies(join(bundled.evaluation, 'faq', 'held-out.txt'))
    print('policies', measured, describePolicies(measured))
  },
  async conversations(print, { engine, shows }) {
    using searches = await searchesWith(engine)
    const { lookUp, products } = searches
    const files = await conversationFiles(join(bundled.evaluation, 'conversations'))
    const held = await holdAll(files, lookUp, new Map(products.map((product) => [product.id, product])))
    print('conversations', held, describeConversations(held, shows))
  },
}
