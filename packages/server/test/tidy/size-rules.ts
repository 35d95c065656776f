// Rules about size and names: a function fits on a screen and takes at most three parameters, a folder is one chapter, and
// a name means one thing in a layer. Production code only.
import { posix } from 'node:path'
import { layerOf } from './import-law.ts'
import { isSyntaxNode, isTestCode, programOf } from './source-file.ts'
import type { SourceFile, SyntaxNode, Violation } from './source-file.ts'

const FUNCTION_LINES_MAX = 70
const PARAMETERS_MAX = 3
const FOLDER_FILES_MAX = 25

interface Exemption {
  readonly files: RegExp
  readonly functions: readonly string[]
  readonly why: string
}

const longFunctions: readonly Exemption[] = [
  {
    files: /server\/src\/domain\/estimator\/scan\.ts$/,
    functions: ['#read'],
    why: 'one loop over every character of a prompt, whose state is in local variables',
  },
]

const wideFunctions: readonly Exemption[] = [
  {
    files: /server\/src\/domain\/estimator\//,
    functions: ['isCommon', 'countLetters', 'cutBefore'],
    why: 'called for every word of a prompt: an object for each call costs as much as the work',
  },
  {
    files: /bookseller\/src\/understanding\/model\/features\.ts$/,
    functions: ['joined'],
    why: 'called a thousand times for a message: an object for each call costs more than the work',
  },
  {
    files: /\/(ports\/telemetry\/(port|telemetry-to)|adapters\/\w+\/(telemetry|metrics)|world\/tally)\.ts$/,
    functions: ['log'],
    why: 'level, event, fields and cause are what a log line consists of',
  },
  {
    files: /simulation\/src\/redis\/lua-module\.ts$/,
    functions: ['_luaL_loadbuffer', '_lua_pcall'],
    why: 'the C API of Lua',
  },
]

export function functionViolations(files: readonly SourceFile[]): Violation[] {
  return production(files).flatMap((file) =>
    functionsOf(file).flatMap(({ name, line, netLines, parameters }) => {
      const isExempt = (list: readonly Exemption[]) =>
        list.some((exemption) => exemption.files.test(file.path) && exemption.functions.includes(name))
      const isLong = netLines > FUNCTION_LINES_MAX && !isExempt(longFunctions)
      const isWide = parameters > PARAMETERS_MAX && !isExempt(wideFunctions)
      return [
        ...(isLong ? [`${name} has ${netLines} lines of its own, more than ${FUNCTION_LINES_MAX}`] : []),
        ...(isWide ? [`${name} has ${parameters} parameters, more than ${PARAMETERS_MAX}`] : []),
      ].map((what) => ({ path: `${file.path}:${line}`, what }))
    }),
  )
}

export function folderViolations(files: readonly SourceFile[]): Violation[] {
  const folders = Map.groupBy(production(files), ({ path }) => posix.dirname(path))
  return [...folders]
    .filter(([, inside]) => inside.length > FOLDER_FILES_MAX)
    .map(([path, inside]) => ({ path, what: `has ${inside.length} files, more than ${FOLDER_FILES_MAX}` }))
}

/** Names that are declared and exported in two files of a layer. A re-export does not count. */
export function exportedNameViolations(files: readonly SourceFile[]): Violation[] {
  const declared = production(files).flatMap((file) =>
    exportedNames(file).map((name) => ({ name, layer: layerOf(file.path) ?? '', path: file.path })),
  )
  const alike = Map.groupBy(declared, ({ name, layer }) => `${layer} ${name}`)
  return [...alike.values()].flatMap(([first, ...others]) =>
    others.map(({ path, name, layer }) => ({ path, what: `exports ${name}, as ${first?.path} does in ${layer}` })),
  )
}

/** Files of a layer whose names differ only by hyphens, such as `fall-back.ts` and `fallback.ts`. */
export function fileNameViolations(files: readonly SourceFile[]): Violation[] {
  const names = new Map<string, SourceFile>()
  return production(files).flatMap((file) => {
    const key = `${layerOf(file.path)} ${posix.basename(file.path).replaceAll('-', '')}`
    const first = names.get(key) ?? file
    names.set(key, first)
    if (posix.basename(first.path) === posix.basename(file.path)) return []
    return [{ path: file.path, what: `differs from ${first.path} only by a hyphen` }]
  })
}

function production(files: readonly SourceFile[]): SourceFile[] {
  return files.filter(({ path }) => /^packages\/[a-z]+\/src\//.test(path) && !isTestCode(path))
}

interface MeasuredFunction {
  readonly name: string
  readonly line: number
  /** Its lines without those of the block-bodied functions inside it. */
  readonly netLines: number
  readonly parameters: number
}

const FUNCTION_TYPES = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSDeclareFunction',
  'TSEmptyBodyFunctionExpression',
  'TSFunctionType',
  'TSMethodSignature',
  'TSCallSignatureDeclaration',
])

function functionsOf(file: SourceFile): MeasuredFunction[] {
  const lineAt = (position: number) => file.source.slice(0, position).split('\n').length
  const found: MeasuredFunction[] = []
  // Returns the number of lines of the outermost block-bodied functions in the node.
  const visit = (value: unknown, name: string): number => {
    if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + visit(item, name), 0)
    if (!isSyntaxNode(value)) return 0
    const own = nameOf(value) ?? name
    const inner = Object.values(value).reduce((sum: number, child) => sum + visit(child, own), 0)
    if (!FUNCTION_TYPES.has(value.type)) return inner
    const isBlock = isSyntaxNode(value.body) && value.body.type === 'BlockStatement'
    const lines = isBlock ? lineAt(value.end) - lineAt(value.start) + 1 : 0
    const parameters = Array.isArray(value.params) ? value.params.length : 0
    found.push({ name: own, line: lineAt(value.start), netLines: isBlock ? lines - inner : 0, parameters })
    return isBlock ? lines : inner
  }
  visit(programOf(file), '')
  return found
}

// The name that a declaration, a member or a variable gives to the function in it.
function nameOf(node: SyntaxNode): string | undefined {
  const label = node.id ?? node.key
  if (!isSyntaxNode(label) || typeof label.name !== 'string') return undefined
  return label.type === 'PrivateIdentifier' ? `#${label.name}` : label.name
}

function exportedNames(file: SourceFile): string[] {
  const declarations = programOf(file).body.flatMap((statement) =>
    statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? []) : [],
  )
  const named = declarations.flatMap<unknown>((declaration) =>
    declaration.type === 'VariableDeclaration' ? declaration.declarations : [declaration],
  )
  return [...new Set(named.flatMap((declaration) => (isSyntaxNode(declaration) ? (nameOf(declaration) ?? []) : [])))]
}
