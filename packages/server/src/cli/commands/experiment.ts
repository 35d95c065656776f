// `mangaassist experiment`: lists the experiments of a running server, starts and stops them, and prints the report of one.
// Every change needs a reason and is in the server's audit.
import type { AdminClient } from '@mangaassist/client/admin'
import type { AuditLine } from '@mangaassist/protocol/admin'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { printFound } from '../output/print-found.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { experimentsTable, reportText } from '../experiment/print.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { usualUrl } from '../server/find-server.ts'
import { requiredReason } from '../operators/audited-change.ts'

const flags = {
  effect: { type: 'string' },
  json: { type: 'boolean' },
  reason: { type: 'string' },
  url: { type: 'string' },
} as const

export const experiment: Command = {
  summary: 'List, start and stop experiments of a running server, and report what they show',
  usage: `Usage: mangaassist experiment list [--json]
       mangaassist experiment start|stop NAME --reason WHY
       mangaassist experiment report NAME [--effect 5%] [--json]

Asks a running server: the one of this configuration, or the one at --url. Put the admin token into
${TOKEN_VARIABLE}. Experiments are defined under experiments.list of the
configuration; nothing runs until it is started. A start or stop takes effect on every node within
seconds.

  --reason WHY    goes to the audit, with the name of the token
  --effect SIZE   the relative difference that you want to be able to find, such as 5% or 0.05: the
                  report says how many shoppers that needs. Default: 5%
  --json          as JSON: the experiments, the report; after a change, its line in the audit
  --url URL       the server to ask

list      the experiments with their arms, and the arms that the guard has stopped
start     begins to split the shoppers; a stopped experiment starts again, with an empty report and
          the same arm for each shopper
stop      gives every shopper the configured settings again; the report stays
report    for each arm and outcome the difference to control since the start, with an interval that
          may be read at any time, and whether there are enough shoppers to decide`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const run = planned(positionals, values)
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    const api = adminApi(values.url ?? usualUrl(server), terminal.env)
    return run(api, { stdout: terminal.stdout, isJson: values.json === true })
  },
}

interface Output {
  readonly stdout: Terminal['stdout']
  readonly isJson: boolean
}
type Run = (api: AdminClient, output: Output) => Promise<number>
type Flags = Readonly<Partial<Record<'effect' | 'reason', string>>>

/** Mistakes in the command are reported before the server is asked. */
function planned([word, name, ...more]: readonly string[], { effect, reason }: Flags): Run {
  if (more.length > 0) throw new UsageError(`Unknown argument ${JSON.stringify(more[0])}.`)
  if (effect !== undefined && word !== 'report') throw new UsageError('--effect belongs to report.')
  const why = () => {
    return { reason: requiredReason(reason) }
  }
  switch (word) {
    case undefined:
      throw new UsageError('list, start, stop or report is missing.')
    case 'list':
      if (name !== undefined) throw new UsageError(`Unknown argument ${JSON.stringify(name)}.`)
      return shown((api) => api.experiments(), experimentsTable)
    case 'start': {
      const [own, because] = [named(name), why()]
      return shown((api) => api.startExperiment(own, because), changed)
    }
    case 'stop': {
      const [own, because] = [named(name), why()]
      return shown((api) => api.stopExperiment(own, because), changed)
    }
    case 'report': {
      const [own, size] = [named(name), sizeOf(effect)]
      return shown((api) => api.experimentReport(own, size), reportText)
    }
    default:
      throw new UsageError(`Unknown argument ${JSON.stringify(word)}.`)
  }
}

function named(name: string | undefined): string {
  if (name === undefined) throw new UsageError('NAME is missing.')
  return name
}

function sizeOf(given: string | undefined): { readonly effect?: number } {
  if (given === undefined) return {}
  const value = /^(\d+(?:\.\d+)?)(\s*%)?$/u.exec(given.trim())
  const effect = Number(value?.[1]) / (value?.[2] === undefined ? 1 : 100)
  if (!(effect > 0 && effect <= 10)) throw new UsageError('--effect needs a size such as 5% or 0.05.')
  return { effect }
}

function shown<Data>(ask: (api: AdminClient) => Promise<Data>, words: (data: Data) => string): Run {
  return async (api, output) => {
    printFound(output, await ask(api), words)
    return 0
  }
}

const changed = ({ action, by, number, subject }: AuditLine): string =>
  `${action}: ${subject}, by ${by}; line ${number} of the audit`
