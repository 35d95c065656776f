// The command line: finds the command, runs it and reports the result. Exit code 0 means success, 1 a failure, 2 wrong
// arguments. Called by `bin/mangaassist.js`.
import { inspect } from 'node:util'
import { AdminError } from '@mangaassist/client/admin'
import { baseFolder, softwareVersion } from '#config/installation.ts'
import { Refusal } from '#domain/refusal.ts'
import { nearest } from '#lib/text/nearest.ts'
import { readable } from '#lib/text/readable.ts'
import { ConfigError } from '#config/load-config.ts'
import { CommandError, UsageError } from './command.ts'
import type { Command, LazyCommand, Terminal } from './command.ts'
import { explainAdminError, explainReason } from './server/admin-api.ts'

/** Each is loaded when it is run: most of them ask a running server, and together they load the whole of one and every store. */
export const commands: Readonly<Record<string, () => Promise<Command | LazyCommand>>> = {
  init: async () => (await import('./commands/init.ts')).init,
  serve: async () => (await import('./commands/serve.ts')).serve,
  chat: async () => (await import('./commands/chat.ts')).chat,
  search: async () => (await import('./commands/search.ts')).search,
  releases: async () => (await import('./commands/releases.ts')).releases,
  evaluate: async () => (await import('./commands/evaluate.ts')).evaluate,
  judge: async () => (await import('./commands/judge.ts')).judge,
  route: async () => (await import('./commands/route.ts')).route,
  import: async () => (await import('./commands/import.ts')).importCatalogue,
  tokens: async () => (await import('./commands/tokens.ts')).tokens,
  usage: async () => (await import('./commands/usage.ts')).usage,
  conversation: async () => (await import('./operators/conversation.ts')).conversation,
  handovers: async () => (await import('./operators/handovers.ts')).handovers,
  block: async () => (await import('./operators/block.ts')).block,
  limits: async () => (await import('./operators/limits.ts')).limits,
  mode: async () => (await import('./settings-commands.ts')).mode,
  settings: async () => (await import('./settings-commands.ts')).settings,
  lanes: async () => (await import('./commands/lanes.ts')).lanes,
  models: async () => (await import('./operators/models.ts')).models,
  alarms: async () => (await import('./commands/alarms.ts')).alarms,
  metrics: async () => (await import('./commands/metrics.ts')).metrics,
  nodes: async () => (await import('./commands/nodes.ts')).nodes,
  top: async () => (await import('./operators/top.ts')).top,
  experiment: async () => (await import('./commands/experiment.ts')).experiment,
  feedback: async () => (await import('./commands/feedback.ts')).feedback,
  turns: async () => (await import('./commands/turns.ts')).turns,
  turn: async () => (await import('./commands/turns.ts')).turn,
  export: async () => (await import('./commands/export.ts')).exportUser,
  forget: async () => (await import('./commands/forget.ts')).forget,
  backup: async () => (await import('./commands/backup.ts')).backup,
  restore: async () => (await import('./commands/restore.ts')).restore,
  migrate: async () => (await import('./commands/migrate.ts')).migrate,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  setup: async () => (await import('./commands/setup.ts')).setup,
  sim: async () => (await import('./simulation-commands.ts')).sim,
  fleet: async () => (await import('./simulation-commands.ts')).fleet,
  'search-engine': async () => (await import('./simulation-commands.ts')).searchEngine,
  keygen: async () => (await import('./commands/keygen.ts')).keygen,
}

export async function main(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  const [name, ...rest] = args
  if (name === '--help' || name === '-h' || name === 'help') return show(terminal, await overview())
  if (name === '--version' || name === '-v') return show(terminal, softwareVersion())
  const known = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!known) return refuse(terminal, unknownCommand(name), await overview())
  try {
    const command = await known()
    return await runCommand('load' in command ? await command.load() : command, rest, terminal)
  } catch (error) {
    terminal.stderr.write(`${readable(explain(error))}\n`)
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

async function overview(): Promise<string> {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => `  ${name.padEnd(width)}  ${(await load()).summary}`),
  )
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
