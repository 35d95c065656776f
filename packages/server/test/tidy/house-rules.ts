// Rules about files rather than imports: each has a purpose in its head and a kebab-case name, and each
// port has a contract that its adapters run.
import { importsOf, resolveImport, SERVER } from './source-file.ts'
import type { SourceFile, Violation } from './source-file.ts'

const KEBAB_CASE = /^[a-z0-9]+(-[a-z0-9]+)*(\.(test|contract|config|d))*\.[jt]s$/

export function fileViolations(files: readonly SourceFile[]): Violation[] {
  return files.flatMap(({ path, source }) => {
    const opening = source.replace(/^#!.*\n/, '').trimStart()
    return [
      ...(/^(\/\/|\/\*)/.test(opening) ? [] : ['does not open with a comment that says what it is for']),
      ...(KEBAB_CASE.test(path.slice(path.lastIndexOf('/') + 1)) ? [] : ['is not named in kebab-case']),
    ].map((what) => ({ path, what }))
  })
}

export function contractViolations(files: readonly SourceFile[]): Violation[] {
  const paths = new Set(files.map(({ path }) => path))
  const ports = [...paths].filter((path) => path.startsWith(`${SERVER}ports/`) && path.endsWith('/port.ts'))
  return ports.flatMap((port) => {
    const contract = port.replace(/port\.ts$/, 'contract.ts')
    if (!paths.has(contract)) return [{ path: port, what: 'is a port without a contract beside it' }]
    return adaptersOf(port, paths)
      .filter((adapter) => !isHeldTo(adapter, contract, files))
      .map((adapter) => ({ path: adapter, what: `has no test that holds it to ${contract}` }))
  })
}

function adaptersOf(port: string, paths: ReadonlySet<string>): string[] {
  const fileName = `/${port.split('/').at(-2)}.ts`
  return [...paths].filter((path) => path.startsWith(`${SERVER}adapters/`) && path.endsWith(fileName))
}

function isHeldTo(adapter: string, contract: string, files: readonly SourceFile[]): boolean {
  return files.some((file) => {
    if (!file.path.endsWith('.test.ts')) return false
    const imported = importsOf(file).map((request) => resolveImport(file.path, request))
    return imported.includes(adapter) && imported.includes(contract)
  })
}
