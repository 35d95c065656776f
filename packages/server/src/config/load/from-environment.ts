// Settings from the environment: PORT, HOST and DATA_DIR by their own names, all others as MANGA_ and the path in
// capitals, with two underscores between its parts. A text is converted to the type in the schema; if that fails, it
// stays a text, and the check of the schema reports it.
import { nearest } from '#lib/text/nearest.ts'
import { isObject, REMOVED } from './check-shape.ts'
import type { ConfigProblem } from './problem.ts'
import { followsFrom, goneWarning, newNameOf, renameWarning } from './renamed-settings.ts'
import { recordOf } from './schema-node.ts'
import type { SchemaNode } from './schema-node.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface EnvironmentSetting {
  readonly variable: string
  readonly path: readonly string[]
  readonly value: unknown
}

/**
 * A secret is not a setting: it is never merged, checked or shown with them. Its user reads it from the environment.
 */
export const COOKIE_KEY_VARIABLE = 'MANGA_COOKIE_KEY'

const PREFIX = 'MANGA_'
const plainNames = { PORT: ['server', 'port'], HOST: ['server', 'host'], DATA_DIR: ['server', 'dataDir'] } as const

/** `known` is the configuration so far: an entry of a map is found by its name there, without regard to case. */
export function fromEnvironment(
  environment: Environment,
  schema: SchemaNode,
  known: unknown,
): { settings: EnvironmentSetting[]; problems: ConfigProblem[] } {
  const settings = plainSettings(environment, schema)
  const problems: ConfigProblem[] = []
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(PREFIX) || variable === COOKIE_KEY_VARIABLE || text === undefined) continue
    const given = variable.slice(PREFIX.length)
    const from = followsFrom(given)
    if (from !== undefined) {
      problems.push(goneWarning(variable, from))
      continue
    }
    const renamed = newNameOf(given)
    const found = locate((renamed ?? given).split('__'), schema, known)
    if (renamed !== undefined) problems.push(renameWarning(variable, PREFIX + renamed))
    if (!found) problems.push(unknownVariable(variable, schema, known))
    else settings.push({ variable, path: found.path, value: convert(text, found.node) })
  }
  return { settings, problems: [...problems, ...contradictions(settings)] }
}

function variableOf(path: readonly string[]): string {
  return PREFIX + path.join('__').toUpperCase()
}

function plainSettings(environment: Environment, schema: SchemaNode): EnvironmentSetting[] {
  return Object.entries(plainNames).flatMap(([variable, path]) => {
    const text = environment[variable]
    const node = path.reduce<SchemaNode | undefined>((parent, name) => parent?.properties?.[name], schema)
    // A shell or a compose file turns an unset variable into an empty one.
    return text && node ? [{ variable, path, value: convert(text, node) }] : []
  })
}

function locate(
  parts: readonly string[],
  node: SchemaNode,
  known: unknown,
): { path: string[]; node: SchemaNode } | undefined {
  const [part, ...rest] = parts
  if (part === undefined) return node.properties || recordOf(node) ? undefined : { path: [], node }
  const name = nameOf(part, node, known)
  const child = name === undefined ? undefined : (node.properties?.[name] ?? recordOf(node)?.value)
  if (name === undefined || !child) return undefined
  const found = locate(rest, child, isObject(known) ? known[name] : undefined)
  return found && { path: [name, ...found.path], node: found.node }
}

function nameOf(part: string, node: SchemaNode, known: unknown): string | undefined {
  const inCapitals = (name: string) => name.toUpperCase() === part
  if (node.properties) return Object.keys(node.properties).find(inCapitals)
  if (!recordOf(node) || part === '') return undefined
  return (isObject(known) ? Object.keys(known).find(inCapitals) : undefined) ?? part.toLowerCase()
}

function convert(text: string, node: SchemaNode): unknown {
  switch (node.type) {
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
    case 'boolean':
      return { true: true, '1': true, false: false, '0': false }[text.toLowerCase()] ?? text
    case 'array':
      return convertList(text, node.items ?? {})
    default:
      return text
  }
}

function convertList(text: string, items: SchemaNode): unknown {
  if (text.trimStart().startsWith('[')) {
    try {
      return JSON.parse(text)
    } catch {
      return text
    }
  }
  const parts = text.split(',').map((part) => part.trim())
  return parts.filter((part) => part !== '').map((part) => convert(part, items))
}

// The value of an unknown variable is not shown: it may be a secret.
function unknownVariable(variable: string, schema: SchemaNode, known: unknown): ConfigProblem {
  const meant = nearest(variable, [COOKIE_KEY_VARIABLE, ...variablesUnder(schema, known, [])])
  const removed = [...REMOVED].find(([path]) => variableOf(path.split('.')) === variable)?.[1]
  return {
    path: variable,
    given: removed === undefined ? 'a variable that names no setting' : 'a setting that was removed',
    allowed: `${PREFIX} and the path of a setting in capitals, with __ between its parts`,
    fix: removed ?? (meant ? `Did you mean ${meant}?` : 'Unset it.'),
  }
}

/** Variables of this program that are not settings: other commands read them. */
const OTHER_NAMES: ReadonlySet<string> = new Set(['MANGAASSIST_ADMIN_TOKEN'])

/** A variable that looks like a setting but is none would have no effect without any notice. */
export function lookalikes(environment: Environment, schema: SchemaNode, known: unknown): ConfigProblem[] {
  return Object.keys(environment)
    .filter((name) => /^manga/i.test(name) && !name.startsWith(PREFIX) && !OTHER_NAMES.has(name))
    .map((variable) => {
      const setting = variable.replace(/^manga(?:_?assist)?_*/i, '').toUpperCase()
      const settings = [COOKIE_KEY_VARIABLE, ...variablesUnder(schema, known, [])]
      const meant = setting in plainNames ? setting : nearest(`${PREFIX}${setting}`, settings)
      return {
        path: variable,
        given: 'a variable that is not read',
        allowed: `PORT, HOST, DATA_DIR, or ${PREFIX} and the path of a setting`,
        fix: meant === undefined ? `Unset it, or write it as ${PREFIX}…` : `Did you mean ${meant}?`,
        isWarning: true,
      }
    })
}

function variablesUnder(node: SchemaNode, known: unknown, path: readonly string[]): string[] {
  const record = recordOf(node)
  const below = isObject(known) ? known : {}
  const children = node.properties
    ? Object.entries(node.properties)
    : Object.keys(record ? below : {}).map((name) => [name, record?.value ?? {}] as const)
  if (!node.properties && !record) return [variableOf(path)]
  return children.flatMap(([name, child]) => variablesUnder(child, below[name], [...path, name]))
}

function contradictions(settings: readonly EnvironmentSetting[]): ConfigProblem[] {
  return settings.flatMap((setting, index) => {
    const path = setting.path.join('.')
    const earlier = settings.slice(0, index).find((other) => other.path.join('.') === path)
    if (!earlier || Object.is(earlier.value, setting.value)) return []
    const given = `${earlier.variable} and ${setting.variable}, which differ`
    const isOldName = newNameOf(earlier.variable.slice(PREFIX.length)) !== undefined
    return [{ path, given, allowed: 'one of the two', fix: `Unset ${(isOldName ? earlier : setting).variable}.` }]
  })
}
