// Finds the line and column of a setting in the configuration file, so that a problem can point there. It understands
// only nested object literals: a setting that is computed or written twice has no position.

interface Key {
  readonly path: string
  readonly offset: number
}

/** Strings and comments are skipped; a key is a name or a string before a colon. */
const TOKEN =
  /\/\/[^\n]*|\/\*[^]*?\*\/|`(?:\\[^]|[^`\\])*`|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[A-Za-z_$][\w$]*)(\s*:(?!:))?|[{}[\](),]/g

/** `line:column`, both from 1; undefined when the position is not certain. */
export function locateSetting(source: string, path: string): string | undefined {
  const wanted = path.replace(/\[.*/, '')
  const found = keysIn(source).filter((key) => key.path === wanted)
  const [only] = found
  if (only === undefined || found.length > 1) return undefined
  const before = source.slice(0, only.offset).split('\n')
  return `${before.length}:${(before.at(-1) ?? '').length + 1}`
}

function keysIn(source: string): Key[] {
  const keys: Key[] = []
  // For each open bracket, the path of the object literal it opens; undefined inside anything else.
  const open: (string | undefined)[] = []
  let pending: string | undefined
  for (const match of source.matchAll(TOKEN)) {
    const [text, name, colon] = match
    const inside = open.at(-1)
    if (text === '{') {
      open.push(pending)
      pending = undefined
    } else if (text === '[' || text === '(') {
      // The argument of defineConfig is the whole configuration.
      open.push(undefined)
      if (open.length > 1) pending = undefined
    } else if (text === '}' || text === ']' || text === ')') {
      open.pop()
      pending = undefined
    } else if (text === ',') pending = undefined
    else if (name !== undefined && colon !== undefined && inside !== undefined) {
      const own = /^["']/.test(name) ? name.slice(1, -1) : name
      pending = inside === '' ? own : `${inside}.${own}`
      keys.push({ path: pending, offset: match.index })
    } else if (name === 'default') pending = ''
  }
  return keys
}
