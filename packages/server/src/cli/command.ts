// The interface of a command and of the terminal that it uses. A command returns its exit code and throws on failure;
// `main.ts` prints the error to standard error.
import type { Readable, Writable } from 'node:stream'
import { parseArgs } from 'node:util'
import type { ParseArgsOptionsConfig } from 'node:util'

export interface Terminal {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean; readonly columns?: number }
  readonly stderr: Writable
  readonly env: Readonly<Record<string, string | undefined>>
  /** The folder of the configuration file; outside the workspace, the current folder. */
  readonly workspaceRoot: string
  /** Calls the listener at each SIGINT and SIGTERM until it is disposed; meanwhile they do not end the process. */
  onSignal(listener: (signal: 'SIGINT' | 'SIGTERM') => void): Disposable
}

export interface Command {
  /** One line, for the list of commands. */
  readonly summary: string
  readonly usage: string
  run(args: readonly string[], terminal: Terminal): Promise<number>
}

/** A command of another package, which is loaded when it is run. */
export interface LazyCommand {
  readonly summary: string
  load(): Promise<Command>
}

/** The arguments of the command are wrong: exit code 2. */
export class UsageError extends Error {}

/** A failure that its message explains: it is printed without a stack. */
export class CommandError extends Error {}

export function parseFlags<const Flags extends ParseArgsOptionsConfig>(args: readonly string[], flags: Flags) {
  return parsed(() => parseArgs({ args: [...args], options: flags, strict: true, allowPositionals: false }).values)
}

/** Parses flags and positional arguments. */
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
