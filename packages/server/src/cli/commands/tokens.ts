// `mangaassist tokens`: estimates the tokens of a text for a model, with the built-in costs. It reads a stream, so that
// a file of any size can be counted.
import { systemClock } from '#adapters/system/clock.ts'
import { familyNames, familyOf, GENERIC } from '#domain/estimator/families.ts'
import type { Family } from '#domain/estimator/families.ts'
import { weigh } from '#domain/estimator/token-counter.ts'
import { Scan } from '#domain/estimator/scan.ts'
import { ConfigError, loadConfig } from '#config/load-config.ts'
import { readModelBook } from '#wiring/models/model-facts.ts'
import { CommandError, parseFlags } from '../command.ts'
import { wrappedLines } from '../output/wrapped-writer.ts'
import type { Command, Terminal } from '../command.ts'

const flags = {
  model: { type: 'string' },
  jsonl: { type: 'boolean' },
  // The output is always JSON; the flag is accepted for scripts that add it to every command.
  json: { type: 'boolean' },
} as const

const DEFAULT_MODEL = 'claude-3'

export const tokens: Command = {
  summary: 'Estimate how many tokens a text uses',
  usage: `Usage: mangaassist tokens [--model NAME] [--jsonl] < TEXT

Reads a text on standard input and prints {"tokens": n, "model": …, "family": …}. It is the estimate
from the known costs of the model's family of tokenizers: no vendor is called, and what a server has
learned is not used. The tokens that a vendor adds around a message are not included.

  --model NAME  a model's id (anthropic.claude-3-haiku-20240307-v1:0, gpt-4o-mini, qwen3:4b), its
                beginning (claude-3, gpt-4), the name of a configured model, or a family (default
                ${DEFAULT_MODEL}):
                ${wrappedLines(familyNames.join(', '), 80).join('\n                ')}
                An unknown name is counted by the generic costs, and a note on standard error says
                so.
  --jsonl       reads a JSON object with \`text\` on each line, and prints a line for each; \`id\` is
                handed on
  --json        changes nothing: the output is JSON`,

  async run(args, terminal) {
    const { model = DEFAULT_MODEL, jsonl } = parseFlags(args, flags)
    const family = await familyFor(model, terminal)
    if (family === undefined) {
      terminal.stderr.write(`Unknown model ${JSON.stringify(model)}: counted by the generic costs.\n`)
    }
    const counted = { model, family: family ?? GENERIC }
    if (terminal.stdin.isTTY === true) terminal.stderr.write('Reading from the terminal; Ctrl+D ends the text.\n')
    return jsonl === true ? countLines(counted, terminal) : countWhole(counted, terminal)
  },
}

interface Counted {
  readonly model: string
  readonly family: Family
}

/** From data/models.yaml by the id, else from the form of the name, else from the configured model of that name. */
async function familyFor(model: string, { env, workspaceRoot }: Terminal): Promise<Family | undefined> {
  const book = await readModelBook()
  const known = (id: string) =>
    familyOf(book.factsOf({ provider: 'bedrock', id, price: [0, 0] })?.tokenizer ?? '') ?? familyOf(id)
  const direct = known(model)
  if (direct !== undefined) return direct
  const id = await configuredId(model, { env, workspaceRoot })
  return id === undefined ? undefined : known(id)
}

async function configuredId(name: string, from: Pick<Terminal, 'env' | 'workspaceRoot'>): Promise<string | undefined> {
  try {
    const { models } = await loadConfig({ ...from, clock: systemClock() })
    return Object.hasOwn(models, name) ? models[name]?.id : undefined
  } catch (error) {
    // `doctor` explains an invalid configuration; a text can be counted without one.
    if (error instanceof ConfigError) return undefined
    throw error
  }
}

async function countWhole(counted: Counted, { stdin, stdout }: Terminal): Promise<number> {
  const scan = new Scan()
  stdin.setEncoding('utf8')
  for await (const piece of stdin) scan.add(String(piece))
  stdout.write(`${JSON.stringify(answer(scan, counted))}\n`)
  return 0
}

async function countLines(counted: Counted, { stdin, stdout }: Terminal): Promise<number> {
  let number = 0
  for await (const line of linesOf(stdin)) {
    number += 1
    if (line.trim() === '') continue
    const { id, text } = parseLine(line, number)
    const scan = new Scan()
    scan.add(text)
    const result = { ...(id === undefined ? {} : { id }), ...answer(scan, counted) }
    // Waits for a slow reader, so that lines do not accumulate in memory.
    if (!stdout.write(`${JSON.stringify(result)}\n`)) await new Promise((done) => stdout.once('drain', done))
  }
  return 0
}

/** Only a newline ends a line. `readline` also splits at other Unicode separators, which may occur in a JSON string. */
async function* linesOf(stdin: Terminal['stdin']): AsyncGenerator<string> {
  let rest = ''
  stdin.setEncoding('utf8')
  for await (const piece of stdin) {
    const [first = '', ...others] = String(piece).split('\n')
    rest += first
    for (const line of others) {
      yield rest
      rest = line
    }
  }
  yield rest
}

/** Rounded to the nearest, not up: no hold is made from this. */
function answer(scan: Scan, { model, family }: Counted) {
  const estimate = weigh(scan.counts(), family.weights)
  return { tokens: estimate > 0 ? Math.max(1, Math.round(estimate)) : 0, model, family: family.name }
}

function parseLine(line: string, number: number): { readonly id?: unknown; readonly text: string } {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch (error) {
    throw new CommandError(
      `Line ${number} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
  const { id, text } = (typeof value === 'object' && value !== null ? value : {}) as { id?: unknown; text?: unknown }
  if (typeof text !== 'string') throw new CommandError(`Line ${number} has no \`text\` that is a string.`)
  return { id, text }
}
