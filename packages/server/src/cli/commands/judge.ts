// `mangaassist judge`: which of two configurations answers better, over conversations of the evaluation, by a model or by the
// automatic checks.
import { basename, join, resolve } from 'node:path'
import type { Conversation } from '@mangaassist/bookseller/evaluation/conversation'
import { systemClock } from '#adapters/system/clock.ts'
import { bundled } from '#config/installation.ts'
import { CONFIG_FILE, ConfigError } from '#config/load-config.ts'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import type { Model } from '#ports/model/port.ts'
import { openTrial } from '#wiring/profiles/trial.ts'
import type { Trial } from '#wiring/profiles/trial.ts'
import { readJudgePrompt } from '#wiring/prompts.ts'
import { StartError } from '#wiring/start-error.ts'
import { printFound } from '../output/print-found.ts'
import { CommandError, parseFlags, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { conversationFiles, conversationsIn } from '../evaluate/conversations.ts'
import { judgeByChecks } from '../judge/by-checks.ts'
import { judgeByModel } from '../judge/by-model.ts'
import { compare } from '../judge/compare.ts'
import { CostMeter } from '../judge/cost-meter.ts'
import type { JudgePair } from '../judge/pair.ts'
import { describeJudgeReport, judgeReport } from '../judge/report.ts'
import type { JudgeReport } from '../judge/report.ts'

const flags = {
  a: { type: 'string' },
  b: { type: 'string' },
  set: { type: 'string' },
  judge: { type: 'string' },
  limit: { type: 'string' },
  seed: { type: 'string' },
  'cost-max': { type: 'string' },
  concurrency: { type: 'string' },
  json: { type: 'boolean' },
} as const

const COST_MAX_USD = 5
const CONCURRENCY = 4
const CONCURRENCY_MAX = 64
const MICRO = 1_000_000

export const judge: Command = {
  summary: 'Compare the answers of two configurations, by a judging model or by checks',
  usage: `Usage: mangaassist judge --a FILE [--b FILE] [--judge NAME] [--set FILE] [--limit N] [--seed TEXT]
                         [--cost-max USD] [--concurrency N] [--json]

Holds every conversation of an evaluation set under both configurations, with their models, prompts
and routing, and reports how often b answers better than a: by language and by complexity, with a
95 % interval, cost and first words of both, and the clearest losses. It runs beside a server: it
reads the shop's catalogue and writes nothing there.

  --a FILE          a configuration like ${CONFIG_FILE}: what b is compared with
  --b FILE          the candidate (default: the current configuration). Variables such as MANGA_…
                    override both
  --judge NAME      the model of b's configuration, or else of a's, that judges. It sees each pair
                    in both orders; a verdict that changes with the order is a tie. Without --judge
                    the automatic checks decide (facts, series, conditions, language, false claims):
                    an answer with nothing wrong beats one with a fault
  --set FILE        conversations, one JSON object a line (default: those of the program)
  --limit N         only N conversations, chosen by the seed
  --seed TEXT       of the choice and of the intervals (default 1)
  --cost-max USD    no call begins once answers and verdicts cost this much (default ${COST_MAX_USD})
  --concurrency N   conversations at a time (default ${CONCURRENCY})
  --json            as JSON`,

  async run(args, terminal) {
    const values = parseFlags(args, flags)
    if (values.a === undefined) throw new UsageError('--a FILE is missing.')
    const seed = values.seed ?? '1'
    const maxMicroUsd = Math.round(positive('--cost-max', values['cost-max'], COST_MAX_USD) * MICRO)
    const concurrency = whole('--concurrency', values.concurrency, CONCURRENCY)
    if (concurrency > CONCURRENCY_MAX) throw new UsageError(`--concurrency is at most ${CONCURRENCY_MAX}.`)
    const limit = values.limit === undefined ? undefined : whole('--limit', values.limit, 1)
    const conversations = chosen(await readSet(values.set), limit, seed)
    const meter = new CostMeter(maxMicroUsd)
    await using a = await opened(terminal, values.a)
    await using b = await opened(terminal, values.b)
    const by = await judgeOf(values.judge, { a, b, meter })
    const stop = new AbortController()
    using _signal = terminal.onSignal(() => stop.abort())
    const progress = progressOn(terminal, conversations.length, meter)
    const compared = await compare(conversations, {
      a,
      b,
      meter,
      concurrency,
      judge: by.judge,
      signal: stop.signal,
      onDone: progress.at,
    })
    progress.end()
    const report = judgeReport(compared, {
      a: basename(values.a),
      b: values.b === undefined ? CONFIG_FILE : basename(values.b),
      judge: by.said,
      seed,
      conversations: conversations.length,
      spentMicroUsd: meter.spentMicroUsd,
    })
    printFound({ stdout: terminal.stdout, isJson: values.json === true }, report, describeJudgeReport)
    return 0
  },
}

async function opened({ env, workspaceRoot }: Terminal, file: string | undefined): Promise<Trial> {
  const configFile = file === undefined ? undefined : resolve(workspaceRoot, file)
  try {
    return await openTrial({ env, workspaceRoot, configFile })
  } catch (error) {
    const isExplained = error instanceof StartError || error instanceof ConfigError
    throw isExplained ? new CommandError(`${file ?? CONFIG_FILE}: ${error.message}`, { cause: error }) : error
  }
}

interface Judging {
  readonly judge: JudgePair
  readonly said: JudgeReport['judge']
}

async function judgeOf(
  name: string | undefined,
  { a, b, meter }: { readonly a: Trial; readonly b: Trial; readonly meter: CostMeter },
): Promise<Judging> {
  if (name === undefined) return { judge: async (pair) => judgeByChecks(pair), said: { by: 'checks' } }
  const model = judgingModel(name, [b, a])
  const prompt = await readJudgePrompt()
  const facts = { products: new Map([...a.products, ...b.products]), faq: [...b.faq, ...a.faq] }
  return {
    judge: judgeByModel({ model, prompt: prompt.text, facts, meter, clock: b.clock }),
    said: { by: 'model', name, prompt: prompt.version },
  }
}

function judgingModel(name: string, trials: readonly Trial[]): Model {
  const trial = trials.find(({ models }) => models.has(name))
  const model = trial?.models.get(name)
  if (trial === undefined || model === undefined) {
    const known = [...new Set(trials.flatMap(({ models }) => [...models.keys()]))].join(', ')
    throw new CommandError(`No model is configured as ${JSON.stringify(name)}: ${known}.`)
  }
  if (trial.config.models[name]?.provider === 'embedded')
    throw new CommandError('The built-in responder cannot judge: leave --judge out for the automatic checks.')
  return model
}

async function readSet(file: string | undefined): Promise<readonly Conversation[]> {
  const files =
    file === undefined
      ? (await conversationFiles(join(bundled.evaluation, 'conversations'))).filter((path) =>
          basename(path).startsWith('dev-'),
        )
      : [resolve(file)]
  const conversations = (await Promise.all(files.map(conversationsIn))).flat()
  if (conversations.length === 0) throw new CommandError('The evaluation set has no conversations.')
  return conversations
}

/** A sample of the seed, in the order of the set. */
function chosen(all: readonly Conversation[], limit: number | undefined, seed: string): readonly Conversation[] {
  if (limit === undefined || limit >= all.length) return all
  const draw = seededFloats(`judge ${seed}`)
  const drawn = all.map((conversation) => ({ conversation, at: draw() })).sort((one, other) => one.at - other.at)
  const kept = new Set(drawn.slice(0, limit).map(({ conversation }) => conversation))
  return all.filter((conversation) => kept.has(conversation))
}

/** A line on standard error that is drawn again; nothing where standard error is no terminal. */
function progressOn({ stderr, stdout }: Terminal, total: number, meter: CostMeter) {
  const isShown = stdout.isTTY === true
  const startedAt = systemClock().now()
  const write = (text: string) => void (isShown && stderr.write(`\r\u001B[K${text}`))
  return {
    at(done: number) {
      const seconds = Math.round((systemClock().now() - startedAt) / 1000)
      write(`${done} of ${total} conversations, $${(meter.spentMicroUsd / MICRO).toFixed(4)}, ${seconds} s`)
    },
    end: () => write(''),
  }
}

function positive(flag: string, given: string | undefined, otherwise: number): number {
  const value = Number(given ?? otherwise)
  if (given !== '' && value > 0 && Number.isFinite(value)) return value
  throw new UsageError(`${flag} must be a number above 0.`)
}

function whole(flag: string, given: string | undefined, otherwise: number): number {
  const value = positive(flag, given, otherwise)
  if (Number.isInteger(value)) return value
  throw new UsageError(`${flag} must be a whole number.`)
}
