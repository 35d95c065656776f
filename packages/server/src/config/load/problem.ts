// One thing that is wrong with the configuration, or doubtful, said so that its reader can fix it. Secrets are never
// repeated: these lines go to terminals and logs.

export interface ConfigProblem {
  /** Of the setting, such as `streaming.flushMs`; or the variable or file that could not be read as one. */
  readonly path: string
  readonly given: string
  readonly allowed: string
  readonly fix: string
  /** The server starts all the same: `serve` logs it and `doctor` prints it. */
  readonly isWarning?: true
}

/** What a configuration was made of. Names only: values may be secrets. */
export interface ConfigSources {
  /** Undefined when there is no configuration file. */
  readonly file: string | undefined
  /** Variables of the environment that set something. */
  readonly variables: readonly string[]
}

/** Everything that is wrong, at once. */
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

/** A value as it may be shown. */
export function showGiven(path: string, value: unknown): string {
  if (value === undefined) return 'nothing'
  if (isSecretPath(path)) return '(hidden)'
  const text = JSON.stringify(value) ?? typeof value
  return text.replaceAll(/\/\/[^/@\s"]+@/g, '//(hidden)@')
}

export function joinPath(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

/** The address of a Redis carries its password; a password can hold anything, so no part of it is picked out to show. */
const ADDRESSES = new Set(['state.redis'])

function isSecretPath(path: string): boolean {
  if (ADDRESSES.has(path)) return true
  // A raw key is easily put where its digest belongs.
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
