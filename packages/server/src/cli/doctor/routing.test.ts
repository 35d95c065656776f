// What doctor says of routing while it is off: a sentence with its figure where it would pay, else nothing.
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { databasePathIn } from '#adapters/sqlite/files/data-dir.ts'
import { sampleJudged } from '#fixtures/turns/routing.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import type { FakeTerminal } from '../testing/fake-terminal.ts'
import { storeRecords } from '../testing/store-records.ts'
import { tempWorkspace } from '../testing/temp-workspace.ts'

const HERE = { provider: 'openai-compatible', baseURL: 'http://127.0.0.1:1/v1' }
const MODELS = {
  primary: { ...HERE, id: 'big-1', price: [3, 15] },
  economy: { ...HERE, id: 'small-1', price: [0.25, 1.25] },
}

function shop(context: TestContext, config: object = { models: MODELS }): FakeTerminal {
  const terminal = fakeTerminal(context)
  writeFileSync(join(terminal.workspaceRoot, 'mangaassist.config.ts'), `export default ${JSON.stringify(config)}`)
  return terminal
}

async function doctorsWords(terminal: FakeTerminal): Promise<string> {
  terminal.printed.out = ''
  await main(['doctor'], terminal)
  return terminal.printed.out
}

const TURNS = Array.from({ length: 250 }, (_, position) =>
  sampleTurnRecord({
    turnId: `turn_${position}`,
    sessionId: `sess_${position}`,
    position: 0,
    weighed: { judged: sampleJudged(position % 5 === 0 ? 'complex' : 'simple', 0.98), plain: [], promptTokens: 900 },
    model: 'big-1',
    isCached: false,
    inputTokens: 1000,
    outputTokens: 100,
  }),
)

test('a new shop sees the saving of the bundled turns, and what to set', async (context) => {
  const out = await doctorsWords(shop(context))
  assert.match(
    out,
    /^✓ routing: off; it would save \d\d % over 755 bundled turns, with economy for simple and moderate questions and primary for complex questions\n {4}Set routing: \{ enabled: true \}; npx mangaassist route --replay then/m,
  )
})

test('a shop with turns of its own sees theirs, in money too', async (context) => {
  const terminal = shop(context)
  await storeRecords(terminal, TURNS)
  // A turn costs 4,500 microdollars, or 375: a fifth of them stays.
  assert.match(
    await doctorsWords(terminal),
    /would save 73 % over the last 250 turns of this shop \(\$0\.300000 instead of \$1\.125000\)/,
  )
})

test('turns that cannot be read are no reason for doctor to fail', async (context) => {
  const terminal = shop(context)
  await storeRecords(terminal, TURNS)
  writeFileSync(databasePathIn(terminal.env['DATA_DIR'] ?? ''), 'not a database')
  const out = await doctorsWords(terminal)
  assert.match(out, /^✗ data: /m)
  assert.match(out, /^✓ routing: off; .* bundled turns/m)
})

test('nothing is said where it is on, or would not pay', async (context) => {
  const { economy, primary } = MODELS
  for (const config of [
    {},
    { models: { primary } },
    { models: MODELS, routing: { enabled: true } },
    { models: { primary, economy: { ...economy, price: [2, 10] } } },
  ])
    assert.doesNotMatch(await doctorsWords(shop(context, config)), /^. routing/m)
})

test('a program without its bundled turns is a warning', async (context) => {
  const workspace = tempWorkspace(context)
  rmSync(join(workspace, 'data/bundled-turns.csv'))
  assert.match(await doctorsWords(shop(context)), /^! routing: .*bundled-turns\.csv: ENOENT/m)
})
