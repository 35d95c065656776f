// Loads the configuration of a process: the environment overrides `mangaassist.config.ts`, which overrides the
// defaults. It is read once at the start. All problems are reported at once, and nothing starts with an invalid
// configuration.
import { resolve } from 'node:path'
import { ConfigSchema, defaults } from './config.ts'
import type { Config } from './config.ts'
import { deepFreeze } from '#lib/collections/deep-freeze.ts'
import { checkDoubts } from './load/check-doubts.ts'
import { checkExperiments } from './load/check-experiments.ts'
import { checkRelations } from './load/check-relations.ts'
import { checkRouting } from './load/check-routing.ts'
import { checkShape, isObject, withContainers } from './load/check-shape.ts'
import { checkStores } from './load/check-stores.ts'
import { CONFIG_FILE, readConfigFile } from './load/config-file.ts'
import type { ConfigFile } from './load/config-file.ts'
import type { ImportClock } from './load/import-config.ts'
import { fromEnvironment, lookalikes } from './load/from-environment.ts'
import type { Environment, EnvironmentSetting } from './load/from-environment.ts'
import { locateSetting } from './load/locate-setting.ts'
import { withFolders } from './load/experiment-folders.ts'
import { ConfigError } from './load/problem.ts'
import type { ConfigProblem, ConfigSources } from './load/problem.ts'
import { withNewNames } from './load/renamed-settings.ts'

export { COOKIE_KEY_VARIABLE } from './load/from-environment.ts'
export { ConfigError } from './load/problem.ts'
export { CONFIG_FILE, IMPORT_LINE } from './load/config-file.ts'
export type { ConfigProblem, ConfigSources } from './load/problem.ts'

/**
 * A check that another part of the program adds. It must skip settings for which `isWrong` is true: they are reported.
 */
export type ConfigCheck = (config: Config, isWrong: (path: string) => boolean) => Promise<readonly ConfigProblem[]>

export interface LoadOptions {
  readonly env: Environment
  readonly workspaceRoot: string
  /** The absolute path of the file, where it is not `mangaassist.config.ts` of the workspace. */
  readonly configFile?: string | undefined
  /** Bounds how long the file may run. */
  readonly clock: ImportClock
  readonly check?: ConfigCheck
}

export interface LoadedConfig {
  /** Frozen, with absolute folders. */
  readonly config: Config
  /** Settings that are allowed but probably mistakes. */
  readonly warnings: readonly ConfigProblem[]
  readonly sources: ConfigSources
}

/** Throws a `ConfigError` that lists every problem. */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  return (await loadConfigWithSources(options)).config
}

/** The same, with its sources and warnings. */
export async function loadConfigWithSources(options: LoadOptions): Promise<LoadedConfig> {
  const file = await readConfigFile(options)
  const renamed = withNewNames(file.value)
  const withFile = merge(defaults, renamed.value)
  const environment = fromEnvironment(options.env, ConfigSchema, withFile)
  const merged = withDefaultModels(environment.settings.reduce(assign, withFile))
  const found = [
    ...file.problems,
    ...renamed.warnings,
    ...environment.problems,
    ...lookalikes(options.env, ConfigSchema, withFile),
    ...(await check(merged, { settings: environment.settings, file, further: options.check })),
  ].map(withoutSecret)
  const sources = { file: file.path, variables: environment.settings.map(({ variable }) => variable) }
  const warnings = found.filter(({ isWarning }) => isWarning === true)
  const problems = found.filter(({ isWarning }) => isWarning !== true)
  if (problems.length > 0) throw new ConfigError(problems, warnings, sources)
  const config = merged as Config
  const { backupDir, dataDir } = config.server
  const folders = {
    dataDir: resolve(options.workspaceRoot, dataDir),
    ...(backupDir === undefined ? {} : { backupDir: resolve(options.workspaceRoot, backupDir) }),
  }
  const { prompts } = config.store
  const store =
    prompts === undefined ? config.store : { ...config.store, prompts: resolve(options.workspaceRoot, prompts) }
  const experiments = withFolders(config.experiments, (folder) => resolve(options.workspaceRoot, folder))
  const absolute = { ...config, server: { ...config.server, ...folders }, store, experiments }
  return { config: deepFreeze(absolute), warnings, sources }
}

interface CheckedParts {
  readonly settings: readonly EnvironmentSetting[]
  readonly file: ConfigFile
  readonly further: ConfigCheck | undefined
}

async function check(merged: unknown, { settings, file, further }: CheckedParts): Promise<ConfigProblem[]> {
  const variables = new Map(settings.map(({ path, variable }) => [path.join('.'), variable]))
  // An item of a list, `path[0]`, has the source of the list.
  const sourceOf = (path: string) => variables.get(path.replace(/\[.*/, '')) ?? `${path} in ${placeOf(file, path)}`
  const problems = checkShape(ConfigSchema, merged, { path: '', sourceOf })
  const isWrong = (path: string) => problems.some((problem) => `${path}.`.startsWith(`${problem.path}.`))
  const config = withContainers(ConfigSchema, merged, defaults) as Config
  const related = [
    ...checkRelations(config, isWrong, sourceOf),
    ...checkStores(config, isWrong, sourceOf),
    ...checkExperiments(config, isWrong),
    ...checkRouting(config, isWrong),
    ...checkDoubts(config, isWrong),
  ]
  return [...problems, ...related, ...((await further?.(config, isWrong)) ?? [])]
}

function placeOf({ source }: ConfigFile, path: string): string {
  const position = locateSetting(source, path)
  return position === undefined ? CONFIG_FILE : `${CONFIG_FILE}:${position}`
}

// Without models the built-in responder answers; models without a ladder are asked in the order primary, economy.
function withDefaultModels(merged: Record<string, unknown>): Record<string, unknown> {
  const { models, ladder } = merged
  if (!isObject(models) || !Array.isArray(ladder)) return merged
  const names = Object.keys(models)
  const filled = names.length === 0 ? { embedded: { provider: 'embedded' } } : models
  const order = 'primary' in filled ? ['primary', 'economy'].filter((name) => name in filled) : Object.keys(filled)
  return { ...merged, models: filled, ladder: ladder.length === 0 ? order : ladder }
}

// Absent and undefined values do not override; a list replaces a list.
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

/** A key that was set instead of the name of its variable must not be printed to a terminal or a log. */
function withoutSecret(problem: ConfigProblem): ConfigProblem {
  const isName = /^"?[A-Z][A-Z0-9_]{0,63}"?(?:,|$)/u.test(problem.given)
  if (!/\.(?:apiKeyEnv|secretEnv|tokenEnv)$/.test(problem.path) || isName || problem.given === 'nothing') return problem
  return { ...problem, given: 'something that is not the name of a variable (not shown: it may be a key)' }
}
