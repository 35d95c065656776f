// A name means one thing in a layer: no two files export it, and no two file names differ only by a hyphen. Production code only.
import { posix } from 'node:path'
import { layerOf } from './import-law.ts'
import { isSyntaxNode, isTestCode, programOf } from './source-file.ts'
import type { SourceFile, SyntaxNode, Violation } from './source-file.ts'

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
