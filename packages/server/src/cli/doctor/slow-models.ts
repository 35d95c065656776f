// Warns when all models were slower in the last day than the promise of the first word. On a cluster only the console
// can tell, because the history of the models is not in files.
import { existsSync } from 'node:fs'
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'
import { databasePathIn } from '#adapters/sqlite/files/data-dir.ts'
import { openReadOnly } from '#adapters/sqlite/files/read-only.ts'
import { sqliteModelHistory } from '#adapters/sqlite/model-history/model-history.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import { modelsReport } from '#domain/model-history/model-report.ts'
import { slowModels } from '#domain/model-history/slow-models.ts'
import { ladderNames } from '#domain/model/ladder-names.ts'
import type { Finding } from './checks.ts'

const DAY_MS = 86_400_000

export async function checkSlowModels(config: Config): Promise<Finding[]> {
  const { dataDir } = config.server
  if (chosenStores(config).modelHistory !== 'sqlite' || !existsSync(databasePathIn(dataDir))) return []
  try {
    using database = openReadOnly(dataDir)
    const clock = systemClock()
    const to = clock.now()
    const from = to - DAY_MS
    const steps = await sqliteModelHistory({ clock, database }).read(from, to)
    const { models } = modelsReport({ from, to, steps, models: [], lanes: [], estimatorOf: () => undefined })
    const asked = ladderNames(config).filter((name) => config.models[name]?.provider !== 'embedded')
    const slow = slowModels(config.answers.firstWordMs, asked, models)
    if (slow === undefined) return []
    const { model, p95Ms, promisedMs, waitedMs } = slow
    const quickest = `${model}, the quickest, has a p95 of ${seconds(p95Ms)} in the last day`
    return [
      {
        check: 'first word',
        ok: true,
        isWarning: true,
        detail: `all models need longer than ${seconds(promisedMs)} (${quickest}): a question waits up to ${seconds(waitedMs)} for its first word`,
        fix: 'Put a quicker model on the ladder, or turn the thinking of this one off.',
      },
    ]
  } catch (error) {
    // Damaged, or of another version: `doctor` says so under another name.
    if (error instanceof DataDirError) return []
    throw error
  }
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
