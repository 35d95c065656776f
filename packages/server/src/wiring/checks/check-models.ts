// Checks of the configured models that a schema cannot make, by the checks of each vendor. Problems are reported at start-up with
// all others, each with its fix.
import type { Config } from '#config/config.ts'
import type { ConfigCheck, ConfigProblem } from '#config/load-config.ts'
import type { ModelBook } from '../models/model-facts.ts'
import type { Environment } from '../models/model-secrets.ts'
import type { ModelConfig } from '../models/vendor.ts'
import { VENDORS } from '../models/vendors.ts'

export interface CheckModelsParts {
  readonly env: Environment
  /** Read only when a configured model needs it. */
  readonly readBook: () => Promise<ModelBook>
}

export function checkModels({ env, readBook }: CheckModelsParts): ConfigCheck {
  return async (config, isWrong) => {
    if (isWrong('models')) return []
    const models = soundModels(config, isWrong)
    const remote = models.flatMap(({ path, model }) => {
      const vendor = VENDORS[model.provider]
      return vendor.kind === 'remote' ? [{ path, model, vendor }] : []
    })
    const { book, problems } = remote.length === 0 ? { book: undefined, problems: [] } : await opened(readBook)
    return [
      ...problems,
      ...models.flatMap(({ path, model }) => misplacedSettings(path, model)),
      ...remote.flatMap((checked) => checked.vendor.checks.flatMap((check) => check({ ...checked, env, book }))),
    ]
  }
}

/** The models whose settings have a valid shape. */
function soundModels(config: Config, isWrong: (path: string) => boolean) {
  return Object.entries(config.models)
    .map(([name, model]) => ({ path: `models.${name}`, model }))
    .filter(({ path, model }) => {
      const paths = [path, `${path}.provider`, ...Object.keys(model).map((field) => `${path}.${field}`)]
      return !paths.some(isWrong)
    })
}

/** Reads the book; a file that cannot be read becomes a problem in the list. */
async function opened(
  readBook: CheckModelsParts['readBook'],
): Promise<{ readonly book: ModelBook | undefined; readonly problems: readonly ConfigProblem[] }> {
  try {
    return { book: await readBook(), problems: [] }
  } catch (error) {
    // An error with a code is explained; one without is a defect of ours, and its stack is needed.
    if (!(error instanceof Error && 'code' in error)) throw error
    const allowed = 'the list of models that comes with the program'
    const fix = 'Restore data/models.yaml, or install the program again.'
    const problem = { path: 'data/models.yaml', given: `an error: ${error.message}`, allowed, fix }
    return { book: undefined, problems: [problem] }
  }
}

const SPECIAL_SETTINGS = [...new Set(Object.values(VENDORS).flatMap(({ settings }) => settings))]

function misplacedSettings(path: string, model: ModelConfig): ConfigProblem[] {
  return SPECIAL_SETTINGS.filter(
    (setting) => model[setting] !== undefined && !VENDORS[model.provider].settings.includes(setting),
  ).map((setting) => {
    const owners = Object.entries(VENDORS).flatMap(([name, { settings }]) => (settings.includes(setting) ? [name] : []))
    const allowed = `nothing here: only ${owners.join(' and ')} models have it`
    return { path: `${path}.${setting}`, given: 'a value', allowed, fix: 'Remove it, or change the provider.' }
  })
}
