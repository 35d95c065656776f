// Time, random numbers and ids are ports: outside `adapters/system` no code may use the system's own. So the same code runs
// in virtual time from a seed.
import { importsOf, isSyntaxNode, isTestCode, programOf, SERVER } from './source-file.ts'
import type { SourceFile, SyntaxNode, Violation } from './source-file.ts'

const names = new Set(['Date', 'performance', 'setTimeout', 'setInterval', 'setImmediate', 'randomUUID'])
const members = new Set([
  'Math.random',
  'AbortSignal.timeout',
  'process.env',
  'process.hrtime',
  'crypto.subtle',
  'crypto.randomUUID',
  'crypto.getRandomValues',
])
const importedNames = new Set(['randomUUID', 'randomBytes', 'randomInt', 'getRandomValues', 'webcrypto'])
const modules = new Set(['node:timers', 'node:timers/promises', 'node:perf_hooks'])

export function bannedGlobalViolations(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => isRuled(path))
    .flatMap((file) => {
      const used = [...usesIn(programOf(file)), ...importsOf(file).filter((request) => modules.has(request))]
      const banned = used.filter((use) => !(use === 'process.env' && mayReadEnvironment(file.path)))
      return [...new Set(banned)].map((use) => ({ path: file.path, what: `uses ${use}: ask a port` }))
    })
}

const ruled = [SERVER, 'packages/bookseller/src/', 'packages/simulation/src/']

function isRuled(path: string): boolean {
  const isOurs = ruled.some((folder) => path.startsWith(folder))
  return isOurs && !path.startsWith(`${SERVER}adapters/system/`) && !isTestCode(path)
}

function mayReadEnvironment(path: string): boolean {
  return path === `${SERVER}main.ts` || path.startsWith(`${SERVER}cli/`)
}

function usesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(usesIn)
  if (!isSyntaxNode(node) || node.type.startsWith('TSType') || node.type.startsWith('TSInterface')) return []
  if (node.type === 'ImportSpecifier') return importedNames.has(nameOf(node.imported)) ? [nameOf(node.imported)] : []
  if (node.type === 'Identifier') return names.has(nameOf(node)) ? [nameOf(node)] : []
  const member = node.type === 'MemberExpression' && !node.computed ? memberName(node) : ''
  return [
    ...(members.has(member) ? [member] : []),
    ...Object.entries(node).flatMap(([field, child]) => usesIn(isLabel(node, field) ? null : child)),
  ]
}

// `clock.performance` and `{ Date: … }` are only names.
function isLabel(node: SyntaxNode, field: string): boolean {
  if (node.computed) return false
  const global = node.type === 'MemberExpression' && nameOf(node.object) === 'globalThis'
  return (field === 'property' && node.type === 'MemberExpression' && !global) || (field === 'key' && !node.shorthand)
}

function memberName(node: SyntaxNode): string {
  const object =
    isSyntaxNode(node.object) && node.object.type === 'MemberExpression'
      ? nameOf(node.object.property)
      : nameOf(node.object)
  return `${object}.${nameOf(node.property)}`
}

function nameOf(node: unknown): string {
  return isSyntaxNode(node) && typeof node.name === 'string' ? node.name : ''
}
