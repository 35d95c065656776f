// The commands of `@mangaassist/simulation`. A production server needs none of it, so the package is loaded when one of its
// commands is asked for, and need not be installed.
import { installCommand } from '#config/installation.ts'
import { CommandError } from './command.ts'
import type { Command, LazyCommand } from './command.ts'

const PACKAGE = '@mangaassist/simulation'

export const sim = lazyCommand('sim', 'Run a local Bedrock and OpenAI that fail as the real ones do')
export const fleet = lazyCommand('fleet', 'Put a simulated fleet through a storm, in virtual time')

function lazyCommand(name: string, summary: string): LazyCommand {
  return { summary, load: () => loadCommand(name) }
}

/** Also for tests, which name a package that is not there. */
export async function loadCommand(name: string, packageName = PACKAGE): Promise<Command> {
  const commands = await importCommands(packageName)
  const command = commands[name]
  if (command === undefined)
    throw new CommandError(`${packageName} has no command ${name}. Install the version of it that matches this server.`)
  return command
}

async function importCommands(packageName: string): Promise<Readonly<Record<string, Command>>> {
  try {
    return (await import(`${packageName}/commands`)) as Readonly<Record<string, Command>>
  } catch (error) {
    if (!isMissing(error, packageName)) throw error
    throw new CommandError(`This command needs ${packageName}. Install it: ${installCommand(packageName)}`, {
      cause: error,
    })
  }
}

// A package that is there and cannot find one of its own is broken, not missing.
function isMissing(error: unknown, packageName: string): boolean {
  const isNotFound = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
  return isNotFound && error.message.includes(`'${packageName}'`)
}
