// The quality of the search does not depend on what chooses the products: the questions for tuning, with the stand-in for OpenSearch and
// with the node's own index.
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { startSearchEngine } from '@mangaassist/simulation/search-engine/start-search-engine'
import { systemClock } from '#adapters/system/clock.ts'
import { measureQuestions } from '#cli/evaluate/questions.ts'
import { defaults } from '#config/config.ts'
import { wireSearches } from '#wiring/profiles/look-up.ts'
import { openTrialEngine } from '#wiring/search/trial-engine.ts'

const FILE = resolve(import.meta.dirname, '../../../bookseller/evaluation/questions/tuning.jsonl')
/** The share of a question among all of them is 0.004. */
const LOSS_MAX = 0.005

test('with OpenSearch choosing, recall and MRR are those of the own index', async () => {
  await using standIn = await startSearchEngine({ clock: systemClock() })
  const config = { ...defaults, opensearch: { ...defaults.opensearch, node: standIn.url } }
  await using trial = await openTrialEngine(config, {})
  using own = await wireSearches()
  using shared = await wireSearches({ openEngine: trial.open })
  const [alone, chosen] = [await measureQuestions(own, FILE), await measureQuestions(shared, FILE)]
  assert.equal(trial.answers().others, 0)
  for (const engine of ['search', 'chat'] as const)
    for (const mark of ['recallAt5', 'meanReciprocalRank'] as const) {
      const [before, after] = [alone, chosen].map(({ engines }) => engines[engine].overall[mark])
      assert.ok(after! >= before! - LOSS_MAX, `${engine} ${mark}: ${after} instead of ${before}`)
    }
})
