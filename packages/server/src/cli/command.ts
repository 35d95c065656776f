// What a command is, and what it is given of the world. Commands answer with an exit code and throw what went wrong;
// `main.ts` turns that into words on standard error.
import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { ParseArgsOptionsConfig } from 'node:util'

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable
  readonly stderr: Writable
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of the configuration file; outside the workspace, the current folder. */
  readonly workspaceRoot: string
  /** Calls the listener at each SIGINT and SIGTERM until it is disposed of; the process is not ended by them meanwhile. */
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): Disposable
}

export interface Command {
  /** One line, for the list of commands. */
  readonly summary: string
  readonly usage: string
  run(args: readonly string[], terminal: Terminal): Promise<number>
}

/** A command of another package, which is loaded when it is asked for. */
export interface LazyCommand {
  readonly summary: string
  load(): Promise<Command>
}

/** The command was not written as it must be: exit code 2. */
export class UsageError extends Error {}

/** A failure that its message explains: nobody needs its stack. */
export class CommandError extends Error {}

export function parseFlags<const Flags extends ParseArgsOptionsConfig>(args: readonly string[], flags: Flags) {
  return parsed(() => parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values)
}

/** Flags, and words that belong to none. */
export function parseWords<const Flags extends ParseArgsOptionsConfig>(args: readonly string[], flags: Flags) {
  return parsed(() => parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: true }))
}

function parsed<Parsed>(parse: () => Parsed): Parsed {
  try {
    return parse()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error })
  }
}
