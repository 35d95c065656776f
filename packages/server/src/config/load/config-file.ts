// Reads `mangaassist.config.ts`, the only configuration file. A file that cannot be loaded is a problem with line and
// column. A file with another name that looks like a configuration is a warning, because it is not read.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installCommand } from '../installation.ts'
import { isObject } from './check-shape.ts'
import { importConfig, UnfinishedConfig } from './import-config.ts'
import type { ImportClock } from './import-config.ts'
import type { ConfigProblem } from './problem.ts'

export const CONFIG_FILE = 'mangaassist.config.ts'
export const IMPORT_LINE = "import { defineConfig } from '@mangaassist/server/config'"

const ALLOWED = 'a module whose default export is defineConfig({ … })'
const LOOKS_LIKE_ONE = /^mangaassist\.config\.|^\.?mangaassist(?:rc)?\.(?:json|ya?ml|toml|[cm]?[jt]s)$/

export interface ConfigFile {
  /** Undefined when there is no file. */
  readonly path: string | undefined
  readonly source: string
  readonly value: unknown
  /** Includes warnings. */
  readonly problems: readonly ConfigProblem[]
}

export interface ConfigFileOptions {
  readonly workspaceRoot: string
  /** A file that is named must exist. */
  readonly configFile?: string | undefined
  readonly clock: ImportClock
}

export async function readConfigFile({ workspaceRoot, configFile, clock }: ConfigFileOptions): Promise<ConfigFile> {
  const path = configFile ?? join(workspaceRoot, CONFIG_FILE)
  const ignored = configFile === undefined ? ignoredFiles(workspaceRoot) : []
  if (configFile !== undefined && !existsSync(path)) return { path, source: '', value: {}, problems: [missing(path)] }
  if (!existsSync(path)) return { path: undefined, source: '', value: {}, problems: ignored }
  const { value, problems } = await load(path, clock)
  return { path, source: textOf(path), value, problems: [...problems, ...ignored] }
}

async function load(path: string, clock: ImportClock): Promise<{ value: unknown; problems: ConfigProblem[] }> {
  const { href } = pathToFileURL(path)
  try {
    const exported = (await importConfig(path, clock)).default
    if (isObject(exported) && !(exported instanceof Promise)) return { value: exported, problems: [] }
    return { value: {}, problems: [{ path: CONFIG_FILE, allowed: ALLOWED, ...exportProblem(exported) }] }
  } catch (error) {
    return { value: {}, problems: [loadProblem(error, href)] }
  }
}

function missing(path: string): ConfigProblem {
  return { path, given: 'no such file', allowed: ALLOWED, fix: 'Correct the path.' }
}

function exportProblem(exported: unknown): Pick<ConfigProblem, 'given' | 'fix'> {
  if (exported === undefined)
    return { given: 'no default export', fix: 'Write export default in front of defineConfig({ … }).' }
  if (exported instanceof Promise)
    return { given: 'a default export that is a promise', fix: 'Write await after export default.' }
  if (typeof exported === 'function')
    return { given: 'a default export that is a function', fix: 'Export what it returns: no function is called.' }
  return { given: 'a default export that is not an object', fix: 'Write export default defineConfig({ … }).' }
}

function loadProblem(error: unknown, href: string): ConfigProblem {
  const message = error instanceof Error ? error.message : String(error)
  const position = error instanceof Error ? positionIn(error.stack ?? '', href) : ''
  return {
    path: `${CONFIG_FILE}${position}`,
    given: error instanceof Error ? `an error: ${message}` : `a thrown value that is not an Error: ${message}`,
    allowed: ALLOWED,
    fix: fixOf(error, position),
  }
}

function fixOf(error: unknown, position: string): string {
  const { code, message } = error instanceof Error ? (error as NodeJS.ErrnoException) : { code: '', message: '' }
  if (error instanceof ReferenceError && message.startsWith('defineConfig '))
    return `Add this first line: ${IMPORT_LINE}`
  if (code === 'ERR_MODULE_NOT_FOUND' && message.includes('@mangaassist/'))
    return `Import it by this line: ${IMPORT_LINE}`
  if (code === 'ERR_MODULE_NOT_FOUND') return fixOfImport(message)
  if (error instanceof UnfinishedConfig) return 'Remove that from the file: it only exports settings.'
  if (!(error instanceof Error))
    return 'Find the throw in the file, and fix what leads to it; throw an Error to see its line.'
  return position === '' ? 'Fix the file.' : `Fix the file at line ${position.slice(1).replace(':', ', column ')}.`
}

function fixOfImport(message: string): string {
  const [, name] = /^Cannot find package '([^']+)'/.exec(message) ?? []
  return name === undefined
    ? 'Fix the path of the import: there is no such file.'
    : `Install it with: ${installCommand(name)}. Or remove the import.`
}

/** `:line:column` of an error in the file: before the message, with a caret, for syntax errors; else in the stack. */
function positionIn(stack: string, href: string): string {
  const lines = stack.split('\n')
  const start = lines[0]?.startsWith(`${href}:`) === true ? /:(\d+)$/.exec(lines[0])?.[1] : undefined
  if (start !== undefined) {
    const caret = lines.find((line) => /^\s*\^+\s*$/.test(line))
    return `:${start}${caret === undefined ? '' : `:${caret.indexOf('^') + 1}`}`
  }
  const frame = lines.find((line) => line.includes(`${href}:`)) ?? ''
  const [, line, column] = /:(\d+):(\d+)\)?$/.exec(frame) ?? []
  return line === undefined ? '' : `:${line}:${column}`
}

function ignoredFiles(folder: string): ConfigProblem[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  return names
    .filter((name) => name !== CONFIG_FILE && LOOKS_LIKE_ONE.test(name))
    .map((path) => ({
      path,
      given: 'a file that is not read',
      allowed: CONFIG_FILE,
      fix: `Move its settings to ${CONFIG_FILE}, or delete it.`,
      isWarning: true,
    }))
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
