// `mangaassist sim`: runs the provider simulator on this machine until a signal, and prints every attempt as it ends.
import { readFile } from 'node:fs/promises'
import { systemClock } from '@mangaassist/server/adapters/system/clock'
import type { Attempt } from '../vendor/attempts.ts'
import type { Scenario } from '../vendor/scenario.ts'
import { CommandError, parseFlags, UsageError } from '@mangaassist/server/cli/command'
import type { Command, Terminal } from '@mangaassist/server/cli/command'

const PORT_DEFAULT = 8181
/** About as fast as a hosted model, so that a client developed against it behaves as it will in production. */
const PACE_DEFAULT = { firstTokenMs: 400, tokensPerSecond: 60 }

export const sim: Command = {
  summary: 'Run a local Bedrock and OpenAI that fail as the real ones do',
  usage: `Usage: mangaassist sim [--port n] [--scenario file] [--seed n] [--json]

Speaks Amazon Bedrock's runtime and OpenAI's chat completions over plain HTTP on 127.0.0.1, without
an account, until SIGINT or SIGTERM.

  --port n          port to listen on (default ${PORT_DEFAULT}; 0 for any free one)
  --scenario file   pace, text, capacities and faults, in YAML or JSON
  --seed n          seed of every random choice (default: the scenario's, else 1)
  --json            a JSON line for the address and for each attempt

While it runs: POST /_sim/faults, GET /_sim/faults, DELETE /_sim/faults, POST /_sim/health, GET
/_sim/attempts, POST /_sim/reset. docs/simulator.md lists the faults.`,

  async run(args, terminal) {
    const flags = parseFlags(args, {
      port: { type: 'string' },
      scenario: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'boolean' },
    })
    const scenario = flags.scenario === undefined ? { faults: [] } : await scenarioFrom(flags.scenario)
    const port = wholeNumber('--port', flags.port, 65_535) ?? PORT_DEFAULT
    const seed = wholeNumber('--seed', flags.seed, Number.MAX_SAFE_INTEGER) ?? scenario.seed ?? 1
    // Loaded only here: the vendor's codec takes a quarter of a second to load.
    const { startSimulator } = await import('../vendor/start-simulator.ts')
    const print = printer(terminal, flags.json === true)
    // Listens before the first line is printed, so that a signal right after it is not lost.
    const stopped = stopSignal(terminal)
    await using simulator = await startSimulator({
      ...scenario,
      clock: systemClock(),
      port,
      seed,
      pace: { ...PACE_DEFAULT, ...scenario.pace },
      onAttempt: print.attempt,
    })
    print.ready(simulator.url)
    await stopped
    return 0
  },
}

async function scenarioFrom(path: string): Promise<Scenario> {
  const { readScenario, ScenarioError } = await import('../vendor/scenario.ts')
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandError(`The scenario ${path} cannot be read.`, { cause: error })
  })
  try {
    return readScenario(text)
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    throw new CommandError(`The scenario ${path} is not valid:\n${error.message}`, { cause: error })
  }
}

function wholeNumber(flag: string, given: string | undefined, max: number): number | undefined {
  if (given === undefined) return undefined
  const value = /^\d+$/.test(given) ? Number(given) : NaN
  if (value <= max) return value
  throw new UsageError(`${flag} takes a whole number from 0 to ${max}, not ${JSON.stringify(given)}.`)
}

function printer({ stdout }: Terminal, asJson: boolean) {
  const line = (text: string) => void stdout.write(`${text}\n`)
  return asJson
    ? {
        ready: (url: string) => line(JSON.stringify({ ready: true, url })),
        attempt: ({ body: _body, ...attempt }: Attempt) => line(JSON.stringify({ attempt })),
      }
    : {
        ready: (url: string) => line(`The simulator is ready at ${url} (OpenAI clients: ${url}/v1)`),
        attempt: (attempt: Attempt) => line(describe(attempt)),
      }
}

function describe(attempt: Attempt): string {
  const { api, endedAt = attempt.at, faults, model, number, outcome, promptTokens, status = '–', tokensSent } = attempt
  const because = faults.length > 0 ? ` (${faults.join(', ')})` : ''
  const size = `${promptTokens} tokens in, ${tokensSent} out`
  return `#${number} ${api} ${model}: ${status} ${outcome}${because}, ${size}, ${endedAt - attempt.at} ms`
}

function stopSignal(terminal: Terminal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  terminal.onSignal(() => resolve())
  return promise
}
