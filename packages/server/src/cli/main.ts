// The command line: finds the command, runs it and reports the result. Exit code 0 means success, 1 a failure, 2 wrong
// arguments. Called by `bin/mangaassist.js`.
import { inspect } from 'node:util'
import { AdminError } from '@mangaassist/client/admin'
import { baseFolder, softwareVersion } from '#config/installation.ts'
import { Refusal } from '#domain/refusal.ts'
import { nearest } from '#lib/text/nearest.ts'
import { ConfigError } from '#config/load-config.ts'
import { backup } from './commands/backup.ts'
import { block } from './operators/block.ts'
import { chat } from './commands/chat.ts'
import { conversation } from './operators/conversation.ts'
import { CommandError, UsageError } from './command.ts'
import type { Command, LazyCommand, Terminal } from './command.ts'
import { doctor } from './commands/doctor.ts'
import { evaluate } from './commands/evaluate.ts'
import { experiment } from './commands/experiment.ts'
import { exportUser } from './commands/export.ts'
import { feedback } from './commands/feedback.ts'
import { forget } from './commands/forget.ts'
import { importCatalogue } from './commands/import.ts'
import { init } from './commands/init.ts'
import { judge } from './commands/judge.ts'
import { keygen } from './commands/keygen.ts'
import { alarms } from './commands/alarms.ts'
import { lanes } from './commands/lanes.ts'
import { migrate } from './commands/migrate.ts'
import { nodes } from './commands/nodes.ts'
import { releases } from './commands/releases.ts'
import { restore } from './commands/restore.ts'
import { route } from './commands/route.ts'
import { search } from './commands/search.ts'
import { serve } from './commands/serve.ts'
import { explainAdminError, explainReason } from './server/admin-api.ts'
import { fleet, searchEngine, sim } from './simulation-commands.ts'
import { mode, settings } from './settings-commands.ts'
import { setup } from './commands/setup.ts'
import { tokens } from './commands/tokens.ts'
import { top } from './operators/top.ts'
import { turn, turns } from './commands/turns.ts'
import { usage } from './commands/usage.ts'

export const commands: Readonly<Record<string, Command | LazyCommand>> = {
  init,
  serve,
  chat,
  search,
  releases,
  evaluate,
  judge,
  route,
  import: importCatalogue,
  tokens,
  usage,
  conversation,
  block,
  mode,
  settings,
  lanes,
  alarms,
  nodes,
  top,
  experiment,
  feedback,
  turns,
  turn,
  export: exportUser,
  forget,
  backup,
  restore,
  migrate,
  doctor,
  setup,
  sim,
  fleet,
  'search-engine': searchEngine,
  keygen,
}

export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help') return show(terminal, overview())
  if (name === '--version' || name === '-v') return show(terminal, softwareVersion())
  const known = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!known) return refuse(terminal, unknownCommand(name), overview())
  try {
    return await runCommand('load' in known ? await known.load() : known, rest, terminal)
  } catch (error) {
    terminal.stderr.write(`${explain(error)}\n`)
    return 1
  }
}

async function runCommand(command: Command, args: readonly string[], terminal: Terminal): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) return show(terminal, command.usage)
  try {
    return await command.run(args, terminal)
  } catch (error) {
    if (error instanceof UsageError) return refuse(terminal, error.message, command.usage)
    throw error
  }
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  const more = ['mangaassist <command> --help describes a command; mangaassist --version prints the version.']
  return ['Usage: mangaassist <command> [flags]', '', ...lines, '', ...more].join('\n')
}

function unknownCommand(name: string | undefined): string {
  if (name === undefined) return 'A command is missing.'
  const meant = nearest(name, Object.keys(commands))
  return `Unknown command ${JSON.stringify(name)}.${meant ? ` Did you mean ${meant}?` : ''}`
}

function show(terminal: Terminal, text: string): number {
  terminal.stdout.write(`${text}\n`)
  return 0
}

function refuse(terminal: Terminal, message: string, usageText: string): number {
  terminal.stderr.write(`${message}\n\n${usageText}\n`)
  return 2
}

// The message of an error with a code (a port in use, a refusal of the server) is enough. An error without a code is a
// bug, and its stack is needed to fix it.
function explain(error: unknown): string {
  if (error instanceof AdminError) return explainAdminError(error)
  if (error instanceof Refusal)
    return explainReason(error.details) ?? `${error.code} ${JSON.stringify(error.details ?? {})}`
  const known = error instanceof ConfigError || error instanceof CommandError
  return error instanceof Error && (known || 'code' in error) ? error.message : inspect(error)
}

function processTerminal(): Terminal {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    workspaceRoot: baseFolder(process.cwd()),
    onSignal(listener) {
      process.on('SIGINT', listener).on('SIGTERM', listener)
      return { [Symbol.dispose]: () => process.off('SIGINT', listener).off('SIGTERM', listener) }
    },
  }
}
