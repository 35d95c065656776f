// Loads the configuration of a process, with every check that is possible before it starts, including those of the models.
import { systemClock } from '#adapters/system/clock.ts'
import type { Config } from '#config/config.ts'
import { loadConfigWithSources } from '#config/load-config.ts'
import type { ConfigCheck, ConfigProblem, ConfigSources } from '#config/load-config.ts'
import { checkCluster } from './checks/check-cluster.ts'
import { checkEmbedder } from './checks/check-embedder.ts'
import { checkHandover } from './checks/check-handover.ts'
import { checkIdentity } from './checks/check-identity.ts'
import { checkModels } from './checks/check-models.ts'
import { checkOpenSearch } from './checks/check-opensearch.ts'
import { checkTelemetry } from './checks/check-telemetry.ts'
import { checkPrompts } from './checks/check-prompts.ts'
import { readModelBook } from './models/model-facts.ts'
import type { ModelBook } from './models/model-facts.ts'
import type { Environment } from './models/model-secrets.ts'

export interface Configured {
  readonly config: Config
  readonly readBook: () => Promise<ModelBook>
  /** Settings that are allowed but probably not intended. */
  readonly warnings: readonly ConfigProblem[]
  readonly sources: ConfigSources
}

export interface ConfigureOptions {
  readonly env: Environment
  readonly workspaceRoot: string
  /** The absolute path of the file, where it is not `mangaassist.config.ts` of the workspace. */
  readonly configFile?: string | undefined
}

/** Throws a `ConfigError` that lists every problem. */
export async function configure(options: ConfigureOptions): Promise<Configured> {
  let book: Promise<ModelBook> | undefined
  const readBook = () => (book ??= readModelBook())
  const checks = [
    checkModels({ env: options.env, readBook }),
    checkCluster({ env: options.env }),
    checkIdentity({ env: options.env }),
    checkHandover({ env: options.env }),
    checkPrompts(options),
    checkEmbedder({ env: options.env }),
    checkOpenSearch({ env: options.env }),
    checkTelemetry({ env: options.env }),
  ]
  const check: ConfigCheck = async (config, isWrong) =>
    (await Promise.all(checks.map((one) => one(config, isWrong)))).flat()
  return { ...(await loadConfigWithSources({ ...options, clock: systemClock(), check })), readBook }
}
