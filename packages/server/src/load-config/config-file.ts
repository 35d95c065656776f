// Reads `mangaassist.config.ts`, the one configuration file. A file that cannot be loaded is a problem with its line and
// column; a file of another name that looks like one is a warning, because it is not read.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isObject } from './check-shape.ts'
import { importConfig } from './import-config.ts'
import type { ConfigProblem } from './problem.ts'

export const CONFIG_FILE = 'mangaassist.config.ts'
export const IMPORT_LINE = "import { defineConfig } from '@mangaassist/server/config'"

const ALLOWED = 'a module whose default export is defineConfig({ … })'
const LOOKS_LIKE_ONE = /^mangaassist\.config\.|^\.?mangaassist(?:rc)?\.(?:json|ya?ml|toml|[cm]?[jt]s)$/

export interface ConfigFile {
  /** Undefined when there is none. */
  readonly path: string | undefined
  readonly source: string
  readonly value: unknown
  /** Warnings among them. */
  readonly problems: readonly ConfigProblem[]
}

export async function readConfigFile(folder: string): Promise<ConfigFile> {
  const path = join(folder, CONFIG_FILE)
  const ignored = ignoredFiles(folder)
  if (!existsSync(path)) return { path: undefined, source: '', value: {}, problems: ignored }
  const { value, problems } = await load(path)
  return { path, source: textOf(path), value, problems: [...problems, ...ignored] }
}

async function load(path: string): Promise<{ value: unknown; problems: ConfigProblem[] }> {
  const { href } = pathToFileURL(path)
  try {
    const module = await importConfig(path)
    if (isObject(module.default)) return { value: module.default, problems: [] }
    const given = module.default === undefined ? 'no default export' : 'a default export that is not an object'
    const fix = 'Write export default in front of defineConfig({ … }).'
    return { value: {}, problems: [{ path: CONFIG_FILE, given, allowed: ALLOWED, fix }] }
  } catch (error) {
    return { value: {}, problems: [loadProblem(error, href)] }
  }
}

function loadProblem(error: unknown, href: string): ConfigProblem {
  const message = error instanceof Error ? error.message : String(error)
  const position = error instanceof Error ? positionIn(error.stack ?? '', href) : ''
  return {
    path: `${CONFIG_FILE}${position}`,
    given: `an error: ${message}`,
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
  return position === '' ? 'Fix the file.' : `Fix the file at line ${position.slice(1).replace(':', ', column ')}.`
}

/** `:line:column` of an error in the file: syntax errors have it before the message, with a caret; others in the stack. */
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
      fix: `Move what it says to ${CONFIG_FILE}, or delete it.`,
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
