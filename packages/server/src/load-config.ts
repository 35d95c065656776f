// The configuration of a process: defaults, under `mangaassist.config.ts`, under the environment. Read once at start;
// everything that is wrong with it is told at once, and nothing starts with a configuration that is.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ConfigSchema, defaults } from '#config.ts'
import type { Config } from '#config.ts'
import { deepFreeze } from '#lib/deep-freeze.ts'
import { checkRelations } from './load-config/check-relations.ts'
import { checkShape, isObject } from './load-config/check-shape.ts'
import { fromEnvironment } from './load-config/from-environment.ts'
import type { Environment, EnvironmentSetting } from './load-config/from-environment.ts'
import { ConfigError } from './load-config/problem.ts'
import type { ConfigProblem } from './load-config/problem.ts'

export { COOKIE_KEY_VARIABLE } from './load-config/from-environment.ts'
export { ConfigError } from './load-config/problem.ts'
export type { ConfigProblem } from './load-config/problem.ts'

const CONFIG_FILE = 'mangaassist.config.ts'

/** Looks at what only its owner can judge. Settings for which `isWrong` holds have been told already. */
export type ConfigCheck = (config: Config, isWrong: (path: string) => boolean) => Promise<readonly ConfigProblem[]>

export interface LoadOptions {
  readonly env: Environment
  readonly workspaceRoot: string
  readonly check?: ConfigCheck
}

/** Throws a `ConfigError` that lists every problem. The result is frozen, and its `dataDir` absolute. */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const file = await readConfigFile(options.workspaceRoot)
  const withFile = merge(defaults, file.value)
  const environment = fromEnvironment(options.env, ConfigSchema, withFile)
  const merged = withDefaultModels(environment.settings.reduce(assign, withFile))
  const problems = [
    ...file.problems,
    ...environment.problems,
    ...(await check(merged, environment.settings, options.check)),
  ]
  if (problems.length > 0) throw new ConfigError(problems.map(withoutSecret))
  const config = merged as Config
  const dataDir = resolve(options.workspaceRoot, config.server.dataDir)
  return deepFreeze({ ...config, server: { ...config.server, dataDir } })
}

async function readConfigFile(workspaceRoot: string): Promise<{ value: unknown; problems: ConfigProblem[] }> {
  const path = join(workspaceRoot, CONFIG_FILE)
  if (!existsSync(path)) return { value: {}, problems: [] }
  const allowed = 'a module whose default export is defineConfig({ … })'
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown }
    if (isObject(module.default)) return { value: module.default, problems: [] }
    const given = module.default === undefined ? 'no default export' : 'a default export that is not an object'
    return { value: {}, problems: [{ path: CONFIG_FILE, given, allowed, fix: 'Export the configuration as default.' }] }
  } catch (error) {
    const given = `an error: ${error instanceof Error ? error.message : String(error)}`
    return { value: {}, problems: [{ path: CONFIG_FILE, given, allowed, fix: 'Mend the file; the error says where.' }] }
  }
}

async function check(
  merged: unknown,
  settings: readonly EnvironmentSetting[],
  further: ConfigCheck | undefined,
): Promise<ConfigProblem[]> {
  const variables = new Map(settings.map(({ path, variable }) => [path.join('.'), variable]))
  // An item of a list, `path[0]`, comes from where the list comes from.
  const sourceOf = (path: string) => variables.get(path.replace(/\[.*/, '')) ?? `${path} in ${CONFIG_FILE}`
  const problems = checkShape(ConfigSchema, merged, '', sourceOf)
  const isWrong = (path: string) => problems.some((problem) => `${path}.`.startsWith(`${problem.path}.`))
  const config = merged as Config
  return [...problems, ...checkRelations(config, isWrong), ...((await further?.(config, isWrong)) ?? [])]
}

// Out of the box the store answers by itself; a list of models without an order is asked best first.
function withDefaultModels(merged: Record<string, unknown>): Record<string, unknown> {
  const { models, ladder } = merged
  if (!isObject(models) || !Array.isArray(ladder)) return merged
  const names = Object.keys(models)
  const filled = names.length === 0 ? { embedded: { provider: 'embedded' } } : models
  const order = 'primary' in filled ? ['primary', 'economy'].filter((name) => name in filled) : Object.keys(filled)
  return { ...merged, models: filled, ladder: ladder.length === 0 ? order : ladder }
}

// What is absent or undefined above leaves what is below; a list replaces a list.
function merge(below: unknown, above: unknown): Record<string, unknown> {
  const result: Record<string, unknown> = isObject(below) ? { ...below } : {}
  for (const [name, value] of Object.entries(isObject(above) ? above : {})) {
    if (value === undefined) continue
    result[name] = isObject(value) ? merge(result[name], value) : value
  }
  return result
}

function assign(config: Record<string, unknown>, { path, value }: EnvironmentSetting): Record<string, unknown> {
  const nested = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  return merge(config, nested)
}

/** Whoever puts a key where the name of its variable belongs must not find it in the terminal's history or a log. */
function withoutSecret(problem: ConfigProblem): ConfigProblem {
  const isName = /^"?[A-Z][A-Z0-9_]{0,63}"?(?:,|$)/u.test(problem.given)
  if (!/\.(?:apiKeyEnv|secretEnv|tokenEnv)$/.test(problem.path) || isName || problem.given === 'nothing') return problem
  return { ...problem, given: 'something that is not the name of a variable (not shown: it may be a key)' }
}
