// Source files as data, so that every rule is a pure function and can be tested with a planted violation. Paths are
// relative to the workspace, with forward slashes.
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Program } from 'oxc-parser'

export interface SourceFile {
  readonly path: string
  readonly source: string
}

export interface Violation {
  readonly path: string
  readonly what: string
}

/** A node of the syntax tree, for rules that walk over it. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

export function isSyntaxNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

export const SERVER = 'packages/server/src/'

export function readSources(workspaceRoot: string, folders: readonly string[]): SourceFile[] {
  return folders
    .flatMap((folder) => filesUnder(workspaceRoot, folder))
    .map((path) => ({
      path,
      source: readFileSync(join(workspaceRoot, path), 'utf8'),
    }))
}

/** Whether a file is a test, a contract that tests run, or code that only they use. */
export function isTestCode(path: string): boolean {
  return /(\.test|[./]contract)\.ts$/.test(path) || /(^|\/)(test|testing|bench)\//.test(path)
}

/** The imports of a file, static or dynamic, as written. */
export function importsOf(file: SourceFile): string[] {
  const { module } = parse(file)
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value)),
    ...module.dynamicImports.map(({ moduleRequest }) => literalAt(file, moduleRequest)),
  ]
  return [...new Set(requests.filter((request) => request !== undefined))]
}

/** The workspace file that an import of a server file names, if it names one. */
export function resolveImport(from: string, request: string): string | undefined {
  if (request.startsWith('#fixtures/')) return request.replace('#fixtures/', 'packages/server/test/fixtures/')
  if (request.startsWith('#')) return SERVER + request.slice(1)
  return request.startsWith('.') ? posix.join(posix.dirname(from), request) : undefined
}

export function programOf(file: SourceFile): Program {
  return parse(file).program
}

/** The comments of a file without their slashes and asterisks; lines of `//` that follow each other are one comment. */
export function commentsOf(file: SourceFile): string[] {
  const { comments } = parse(file)
  const texts: string[] = []
  let end = -1
  for (const { type, value, start, end: commentEnd } of comments) {
    const text = value.replace(/^\s*\* ?/gm, ' ')
    const isNext = type === 'Line' && end >= 0 && /^[ \t]*\n[ \t]*$/.test(file.source.slice(end, start))
    if (isNext) texts.push(`${texts.pop()} ${text.trim()}`)
    else texts.push(text.trim())
    end = type === 'Line' ? commentEnd : -1
  }
  return texts
}

const parsed = new WeakMap<SourceFile, ReturnType<typeof parseSync>>()

function parse(file: SourceFile): ReturnType<typeof parseSync> {
  const known = parsed.get(file) ?? parseSync(file.path, file.source)
  parsed.set(file, known)
  return known
}

function literalAt({ source }: SourceFile, span: { start: number; end: number }): string | undefined {
  return /^(['"`])(.*)\1$/.exec(source.slice(span.start, span.end))?.[2]
}

function filesUnder(workspaceRoot: string, folder: string): string[] {
  return readdirSync(join(workspaceRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.name === 'node_modules' || entry.name === 'dist') return []
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return filesUnder(workspaceRoot, path)
    return /\.[jt]s$/.test(entry.name) ? [path] : []
  })
}
