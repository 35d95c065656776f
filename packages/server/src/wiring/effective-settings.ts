// The settings of a process that differ from their defaults, as one line of the log shows them: by path, without secrets, bounded.
import type { Config } from '#config/config.ts'
import { defaults } from '#config/config.ts'

const LENGTH_MAX = 6000
const VALUE_LENGTH_MAX = 200
const HIDDEN = '(hidden)'
/** Names of settings whose value may be a secret, unless they name a variable that holds one. */
const SECRET_NAME = /(hash|sha256|secret|token|password|key)$/i
/** What looks like a key or a digest, wherever it stands. */
const SECRET_VALUE = /[\w+/=-]{32,}/
const LONG_SEGMENT = /^[\w+=-]{16,}$/

/** A JSON object as text: from path to value. Settings that have no room are counted. */
export function effectiveSettings(config: Config): { readonly settings: string; readonly leftOut: number } {
  const usual = new Map(flat(defaults, ''))
  const changed = flat(config, '').filter(([path, value]) => !Object.is(usual.get(path), value))
  const shown: Record<string, unknown> = {}
  let length = 2
  let leftOut = 0
  for (const [path, value] of changed) {
    const entry = shownValue(path, value)
    length += JSON.stringify({ [path]: entry }).length
    if (length > LENGTH_MAX) leftOut += 1
    else shown[path] = entry
  }
  return { settings: JSON.stringify(shown), leftOut }
}

type Leaf = readonly [path: string, value: unknown]

function flat(value: unknown, path: string): readonly Leaf[] {
  if (typeof value !== 'object' || value === null) return [[path, value]]
  if (Array.isArray(value)) return value.flatMap((item, index) => flat(item, `${path}[${index}]`))
  const below = path === '' ? '' : `${path}.`
  return Object.entries(value).flatMap(([name, item]) => flat(item, `${below}${name}`))
}

function shownValue(path: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (path.endsWith('Env')) return value
  if (URL.canParse(value) && value.includes('://')) return shownAddress(new URL(value))
  const isPath = value.includes('/') && !SECRET_NAME.test(path)
  if (SECRET_NAME.test(path) || (!isPath && SECRET_VALUE.test(value))) return HIDDEN
  return value.length <= VALUE_LENGTH_MAX ? value : `${value.slice(0, VALUE_LENGTH_MAX).toWellFormed()}…`
}

/** Without a user, a password and a query; a long part of the path may be a token, as in the address of a webhook. */
function shownAddress({ host, pathname, protocol }: URL): string {
  const segments = pathname.split('/').map((part) => (LONG_SEGMENT.test(part) ? HIDDEN : part))
  const path = segments.join('/')
  return `${protocol}//${host}${path === '/' ? '' : path}`
}
