// Checks a merged configuration against the schema: unknown names, missing names, values of the wrong type. Every
// problem is reported with the source of the value.
import { Check } from 'typebox/value'
import { nearest } from '#lib/text/nearest.ts'
import { joinPath, showGiven } from './problem.ts'
import type { ConfigProblem } from './problem.ts'
import { describeAllowed, recordOf } from './schema-node.ts'
import type { SchemaNode } from './schema-node.ts'

/** Settings that earlier versions had, with what to do instead. */
export const REMOVED: ReadonlyMap<string, string> = new Map([
  ['tokens.outputPerRequestMax', 'Remove it: it had no effect. The limit is tiers.NAME.outputTokensPerRequest.'],
])

/** The place where a setting can be changed: a variable, or the file. */
export type SourceOf = (path: string) => string

/** The path of a value, and the function that finds the source in which it can be changed. */
interface Location {
  readonly path: string
  readonly sourceOf: SourceOf
}

export function checkShape(node: SchemaNode, value: unknown, at: Location): ConfigProblem[] {
  if (node.properties) return isObject(value) ? checkSection(node, value, at) : [misfit(node, value, at)]
  const record = recordOf(node)
  if (record) return isObject(value) ? checkRecord(record, value, at) : [misfit(node, value, at)]
  if (node.items && Array.isArray(value)) {
    const { items } = node
    const wrong = value.flatMap((item, index) => checkShape(items, item, { ...at, path: `${at.path}[${index}]` }))
    // Every item may be valid and the list still too long or too short.
    return wrong.length > 0 || Check(node, value) ? wrong : [misfit(node, value, at)]
  }
  return Check(node, value) ? [] : [misfit(node, value, at)]
}

/**
 * The value with a section, a record or a list wherever the schema has one, for checks that read into it: what is missing or has another
 * type, which is reported, is the default or empty.
 */
export function withContainers(node: SchemaNode, value: unknown, byDefault: unknown): unknown {
  const { items, properties, required = [] } = node
  const record = recordOf(node)
  if (items !== undefined)
    return Array.isArray(value) ? value.map((item) => withContainers(items, item, undefined)) : (byDefault ?? [])
  if (properties === undefined && record === undefined) return value
  const below = isObject(byDefault) ? byDefault : {}
  const needed = Object.fromEntries(required.map((name) => [name, undefined]))
  const filled = Object.entries({ ...needed, ...(isObject(value) ? value : below) }).map(([name, item]) => {
    const child = record?.value ?? (Object.hasOwn(properties ?? {}, name) ? properties?.[name] : undefined)
    const isAbsent = item === undefined && !required.includes(name)
    return [name, child === undefined || isAbsent ? item : withContainers(child, item, below[name])]
  })
  return Object.fromEntries(filled)
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function checkSection(node: SchemaNode, value: Record<string, unknown>, at: Location): ConfigProblem[] {
  const properties = node.properties ?? {}
  const present = Object.entries(value).filter(([, item]) => item !== undefined)
  const missing = (node.required ?? []).filter((name) => value[name] === undefined)
  return [
    ...present.flatMap(([name, item]) => {
      const child = Object.hasOwn(properties, name) ? properties[name] : undefined
      return child
        ? checkShape(child, item, { ...at, path: joinPath(at.path, name) })
        : [unknownName(name, at.path, properties)]
    }),
    ...missing.map((name) => missingName(joinPath(at.path, name), properties[name])),
  ]
}

function checkRecord(
  record: NonNullable<ReturnType<typeof recordOf>>,
  value: Record<string, unknown>,
  at: Location,
): ConfigProblem[] {
  const name = new RegExp(record.namePattern)
  return Object.entries(value).flatMap(([key, item]) => {
    if (name.test(key)) return checkShape(record.value, item, { ...at, path: joinPath(at.path, key) })
    const allowed = record.nameInWords
    return [{ path: joinPath(at.path, key), given: JSON.stringify(key), allowed, fix: 'Rename it.' }]
  })
}

function misfit(node: SchemaNode, value: unknown, { path, sourceOf }: Location): ConfigProblem {
  const meant = typeof value === 'string' ? nearest(value, (node.enum ?? []).map(String)) : undefined
  return {
    path,
    given: showGiven(path, value),
    allowed: describeAllowed(node),
    fix: `${meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `}Change ${sourceOf(path)}, or remove it for the default.`,
  }
}

function unknownName(name: string, path: string, properties: Readonly<Record<string, SchemaNode>>): ConfigProblem {
  const removed = REMOVED.get(joinPath(path, name))
  return {
    path: joinPath(path, name),
    given: removed === undefined ? 'a name that does not exist here' : 'a setting that was removed',
    allowed: Object.keys(properties).join(', '),
    fix: removed ?? fixOfName(name, path, Object.keys(properties)),
  }
}

/** Where `apiKeyEnv` exists, `apiKey` is probably the secret itself, which never belongs in the configuration. */
function fixOfName(name: string, path: string, names: readonly string[]): string {
  const plain = name.replaceAll(/[_-]/g, '').toLowerCase()
  const variable = names.find(
    (other) => other.endsWith('Env') && [`${plain}env`, `api${plain}env`].includes(other.toLowerCase()),
  )
  if (variable !== undefined) {
    return `Secrets do not belong in the file: put it into an environment variable and name that variable in ${joinPath(path, variable)}.`
  }
  const meant = nearest(name, names)
  return meant === undefined ? 'Remove it.' : `Did you mean ${joinPath(path, meant)}?`
}

function missingName(path: string, node: SchemaNode | undefined): ConfigProblem {
  return { path, given: 'nothing', allowed: node ? describeAllowed(node) : 'a value', fix: `Add ${path}.` }
}
