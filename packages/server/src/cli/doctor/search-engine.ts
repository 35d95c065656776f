// The checks of `doctor` for OpenSearch: asked live, and nothing is changed. A server starts
// without it and answers from its own index, so nothing here stops it.
import type { Config } from '#config/config.ts'
import { examineSearch } from '#wiring/search/plan-opensearch.ts'
import type { Terminal } from '../command.ts'
import type { Finding } from './checks.ts'

/** No findings where OpenSearch is not chosen. */
export async function checkSearchEngine(config: Config, env: Terminal['env']): Promise<Finding[]> {
  return (await examineSearch(config, env)).map(({ check, detail, fix, state }) => ({
    check,
    detail,
    ok: true,
    ...(state === 'ok' ? {} : { isWarning: true as const }),
    ...(fix === undefined ? {} : { fix }),
  }))
}
