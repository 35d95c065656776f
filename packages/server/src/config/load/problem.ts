// A mistake in the configuration, or a doubtful setting, with all that the operator needs to fix it. Secrets are never
// shown: these lines go to terminals and logs.

export interface ConfigProblem {
  /** The path of the setting, such as `streaming.flushMs`; or the name of the variable or file that is wrong. */
  readonly path: string
  readonly given: string
  readonly allowed: string
  readonly fix: string
  /** The server starts nevertheless: `serve` logs the problem and `doctor` prints it. */
  readonly isWarning?: true
}

/** The sources of a configuration. Names only, because values may be secrets. */
export interface ConfigSources {
  /** Undefined when there is no configuration file. */
  readonly file: string | undefined
  /** Environment variables that set something. */
  readonly variables: readonly string[]
}

/** Has all problems at once. */
export class ConfigError extends Error {
  readonly problems: readonly ConfigProblem[]
  readonly warnings: readonly ConfigProblem[]
  readonly sources: ConfigSources

  constructor(
    problems: readonly ConfigProblem[],
    warnings: readonly ConfigProblem[] = [],
    sources: ConfigSources = { file: undefined, variables: [] },
  ) {
    super(describeProblems(problems))
    this.name = 'ConfigError'
    this.problems = problems
    this.warnings = warnings
    this.sources = sources
  }
}

/** The value in a form that may be shown. */
export function showGiven(path: string, value: unknown): string {
  if (value === undefined) return 'nothing'
  if (isSecretPath(path)) return '(hidden)'
  const text = JSON.stringify(value) ?? typeof value
  return text.replaceAll(/\/\/[^/@\s"]+@/g, '//(hidden)@')
}

export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The address of Redis contains its password, which may contain any character, so no part of the address is shown. */
const ADDRESSES = new Set(['state.redis'])

function isSecretPath(path: string): boolean {
  if (ADDRESSES.has(path)) return true
  // An operator may set a raw key instead of its digest by mistake.
  if (/^auth\.(apiKeys|admins)\b/.test(path)) return true
  return path
    .split('.')
    .some((name) => /(secret|password|token|key)$/i.test(name) || /^(secrets|passwords|apiKeys)$/i.test(name))
}

function describeProblems(problems: readonly ConfigProblem[]): string {
  const title =
    problems.length === 1 ? 'The configuration has a problem:' : `The configuration has ${problems.length} problems:`
  const lines = problems.flatMap(({ path, given, allowed, fix }) => [
    `  ${path}`,
    `    given:   ${given}`,
    `    allowed: ${allowed}`,
    `    fix:     ${fix}`,
  ])
  return [title, ...lines].join('\n')
}
