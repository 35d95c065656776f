// What `doctor --live` says of models that are all slower than the first word is promised.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { openDatabase } from '#adapters/sqlite/files/database.ts'
import { sqliteModelHistory } from '#adapters/sqlite/model-history/model-history.ts'
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { ModelMeter } from '#domain/model-history/model-meter.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import type { FakeTerminal } from '../testing/fake-terminal.ts'

const HERE = { provider: 'openai-compatible', baseURL: 'http://127.0.0.1:1/v1' }
const MODELS = {
  primary: { ...HERE, id: 'big-1', price: [3, 15] },
  economy: { ...HERE, id: 'small-1', price: [0.25, 1.25] },
}

/** As a server would have left them. */
async function storeSteps({ env }: FakeTerminal, meter: ModelMeter): Promise<void> {
  using dataDir = openDataDir({ path: env['DATA_DIR'] ?? '', random: systemRandom() })
  const clock = systemClock()
  const database = openDatabase({ path: dataDir.databasePath, clock, sync: 'aside' })
  const history = sqliteModelHistory({ clock, database })
  for (const [index, step] of meter.take().entries()) await history.add({ ...step, id: `batch-${index}` })
  database.close()
}

/** What doctor prints where the calls of each model had their first words after these times. */
async function words(context: TestContext, firstWordsMs: Readonly<Record<string, number>>, args: readonly string[]) {
  const terminal = fakeTerminal(context)
  const config = `export default ${JSON.stringify({ models: MODELS })}`
  writeFileSync(join(terminal.workspaceRoot, 'mangaassist.config.ts'), config)
  const clock = systemClock()
  const meter = new ModelMeter()
  for (const [name, firstTokenMs] of Object.entries(firstWordsMs)) {
    const tokens = { inputTokens: 100, outputTokens: 50, costMicroUsd: 1 }
    const ended = { attempt: 1, model: `${name}-id`, name, tier: 'primary', outcome: 'end', ...tokens } as const
    const call = { ...ended, firstTokenMs, tookMs: firstTokenMs + 500 }
    for (let calls = 0; calls < 30; calls += 1)
      meter.turnEnded(sampleTurnRecord({ at: clock.now() - 60_000, calls: [call] }))
  }
  await storeSteps(terminal, meter)
  await main(['doctor', ...args], terminal)
  return terminal.printed.out
}

const SLOW = { primary: 6000, economy: 4000 }

test('all models slow: how long a question waits, and by which model', async (context) => {
  const out = await words(context, SLOW, ['--live'])
  assert.match(
    out,
    /^! first word: all models need longer than 3\.0 s \(economy, the quickest, has a p95 of \d\.\d s in the last day\): a question waits up to \d\.\d s for its first word\n/m,
  )
})

test('nothing without --live, nor where one model is quick or not known', async (context) => {
  assert.doesNotMatch(await words(context, SLOW, []), /first word/)
  assert.doesNotMatch(await words(context, { primary: 6000, economy: 700 }, ['--live']), /first word/)
  assert.doesNotMatch(await words(context, { primary: 6000 }, ['--live']), /first word/)
})
