// The commands of `@mangaassist/simulation`. A production server does not need the package, so it is loaded only when
// one of its commands is run, and need not be installed.
import { installCommand } from '#config/installation.ts'
import { CommandError } from './command.ts'
import type { Command, LazyCommand } from './command.ts'

const PACKAGE = '@mangaassist/simulation'

export const sim = lazyCommand('sim', 'Run a local Bedrock and OpenAI that fail as the real ones do')
export const searchEngine = lazyCommand('searchEngine', 'Run a local stand-in for OpenSearch that fails on request')
export const fleet = lazyCommand('fleet', 'Simulate many servers during faults, in virtual time')

function lazyCommand(name: string, summary: string): LazyCommand {
  return { summary, load: () => loadCommand(name) }
}

async function loadCommand(name: string): Promise<Command> {
  const commands = await importCommands()
  const command = commands[name]
  if (command === undefined)
    throw new CommandError(`${PACKAGE} has no command ${name}. Install the version of it that matches this server.`)
  return command
}

async function importCommands(): Promise<Readonly<Record<string, Command>>> {
  try {
    return (await import(`${PACKAGE}/commands`)) as Readonly<Record<string, Command>>
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new CommandError(`This command needs ${PACKAGE}. Install it: ${installCommand(PACKAGE)}`, {
      cause: error,
    })
  }
}

// An installed package that cannot find one of its own imports is broken, not missing.
function isMissing(error: unknown): boolean {
  const isNotFound = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  return isNotFound && error.message.includes(`'${PACKAGE}'`)
}
