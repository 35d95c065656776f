// `mangaassist route`: the explanation of one question, and the replay of recorded turns or, without any, of conversations.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { sampleJudged } from '#fixtures/turns/routing.ts'
import { sampleTurnRecord } from '#fixtures/turns/samples.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import type { TurnRecord } from '#ports/turn-records/port.ts'
import type { ExplainedRoute } from '../route/explain-route.ts'
import type { ReplayReport } from '../route/print-replay.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import type { FakeTerminal } from '../testing/fake-terminal.ts'
import { storeRecords } from '../testing/store-records.ts'

const PRICES = { provider: 'openai-compatible', baseURL: 'http://127.0.0.1:1/v1' }
const CONFIG = {
  models: {
    primary: { ...PRICES, id: 'big-1', price: [3, 15] },
    economy: { ...PRICES, id: 'small-1', price: [0.25, 1.25] },
  },
}

function configured(context: TestContext, routing: object = {}, env: Record<string, string> = {}): FakeTerminal {
  const terminal = fakeTerminal(context, { env })
  writeFileSync(
    join(terminal.workspaceRoot, 'mangaassist.config.ts'),
    `export default ${JSON.stringify({ ...CONFIG, routing })}`,
  )
  return terminal
}

async function printed<Result>(terminal: FakeTerminal, ...args: readonly string[]): Promise<Result> {
  assert.equal(await main(['route', ...args, '--json'], terminal), 0, terminal.printed.err)
  return JSON.parse(terminal.printed.out) as Result
}

const NOON = 1_794_798_000_000 // 2026-11-16T03:00Z, noon in Tokyo

function record(position: number, over: Partial<TurnRecord> = {}): TurnRecord {
  return sampleTurnRecord({
    turnId: `turn_${position}`,
    at: NOON + position,
    language: 'en',
    position,
    weighed: { judged: sampleJudged('simple', 0.95), plain: [], promptTokens: 900 },
    model: 'big-1',
    inputTokens: 1000,
    outputTokens: 100,
    costMicroUsd: 4500,
    ...over,
  })
}

test('a question is explained with its level, floor, rule and what needs no model', async (context) => {
  const simple = await printed<ExplainedRoute>(configured(context, { withoutModel: ['price'] }), 'How much is Berserk?')
  assert.deepEqual([simple.first, simple.rule, simple.plain], ['embedded', 'no-model', ['price']])
  const long = `Compare Berserk and Vinland Saga and explain why one is better for a reader who ${'likes history '.repeat(30)}`
  const terminal = configured(context)
  assert.equal(await main(['route', long], terminal), 0)
  assert.match(terminal.printed.out, /^primary: complex[^]*level +complex[^]*floor +complex[^]*Routing is off/)
})

test('a replay reads the recorded turns of the data folder, of the days that are asked for', async (context) => {
  const terminal = configured(context)
  const complex = { judged: sampleJudged('complex', 0.95), plain: [], promptTokens: 900 }
  const records = [record(0), record(1, { weighed: complex }), record(2, { at: NOON + 86_400_000 })]
  await storeRecords(terminal, records)
  const report = await printed<ReplayReport>(terminal, '--replay', '--from', '2026-11-16', '--to', '2026-11-16')
  assert.deepEqual([report.source, report.turns, report.routed], ['data folder', 2, 2])
  assert.deepEqual(report.byModel, {
    primary: { turns: 1, costMicroUsd: 4500 },
    economy: { turns: 1, costMicroUsd: 375 },
  })
  assert.equal(report.savedOfRecorded, 1 - 4875 / 9000)
  assert.equal(report.quality.unknownTurns, 1)
  const people = configured(context)
  await storeRecords(people, records)
  assert.equal(await main(['route', '--replay', '--from', '2026-11-16'], people), 0)
  assert.match(people.printed.out, /turns of the data folder: 3[^]*saves[^]*not known yet: 2 turns/)
})

test('a model that another names as its fallback is on the ladder', async (context) => {
  const terminal = fakeTerminal(context)
  const { primary, economy } = CONFIG.models
  const mid = { ...PRICES, id: 'mid-1', price: [1, 5] }
  const models = { primary: { ...primary, fallbacks: ['mid'] }, mid, economy }
  const config = { models, ladder: ['primary', 'economy'], routing: { enabled: true, levels: { simple: 'mid' } } }
  writeFileSync(join(terminal.workspaceRoot, 'mangaassist.config.ts'), `export default ${JSON.stringify(config)}`)
  await storeRecords(terminal, [record(0)])
  const { byModel } = await printed<ReplayReport>(terminal, '--replay')
  assert.deepEqual(byModel, { mid: { turns: 1, costMicroUsd: 1500 } })
})

test('the turns of a server are read over its admin API, page by page', async (context) => {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash('maa_cli') }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const records = Array.from({ length: 1001 }, (_, position) => record(position, { sessionId: `sess_${position}` }))
  const down = { feedback: { value: 'down', at: NOON } } as const
  await doors.app.operators.turnRecords.add([
    ...records,
    record(0, { turnId: 'first', sessionId: 'sess_x', received: down }),
    record(1, { turnId: 'second', sessionId: 'sess_x' }),
  ])
  const terminal = configured(context, {}, { MANGAASSIST_ADMIN_TOKEN: 'maa_cli' })
  const report = await printed<ReplayReport>(
    terminal,
    '--replay',
    '--url',
    await doors.listen(),
    '--from',
    '2026-11-16',
  )
  assert.deepEqual([report.source, report.turns, report.routed], ['server', 1003, 1003])
  assert.deepEqual(report.byRule, { complexity: 1002, escalated: 1 })
  const parts = report.quality.parts.map(({ model, thumbsUp }) => [model, thumbsUp.of])
  assert.deepEqual(parts, [['primary', 1]])
})

test('without recorded turns the bundled ones are routed, with the reference prices where no model is configured', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['route', '--replay'], terminal), 0, terminal.printed.err)
  assert.match(terminal.printed.out, /No turns are recorded: these are bundled ones[^]*: 755\n/)
  assert.match(terminal.printed.out, /reference pair[^]*claude-3-haiku[^]*not known yet for all 755 turns/)
})

test('wrong calls are explained', async (context) => {
  const cases = [
    [[], 2, /A question, or --replay, is missing/],
    [['hello', '--replay'], 2, /takes no question/],
    [['hello', '--tier', 'nope'], 2, /--tier must be one of [^]*free/],
    [['--replay', '--from', '2026-02-30'], 2, /--from must be a day/],
    [['--replay', '--config', 'missing.ts'], 1, /no such file/],
  ] as const
  for (const [args, code, message] of cases) {
    const terminal = configured(context)
    assert.equal(await main(['route', ...args], terminal), code)
    assert.match(terminal.printed.err, message)
  }
  const terminal = fakeTerminal(context)
  const only = JSON.stringify({ models: { primary: CONFIG.models.primary } })
  writeFileSync(join(terminal.workspaceRoot, 'mangaassist.config.ts'), `export default ${only}`)
  assert.equal(await main(['route', '--replay'], terminal), 1)
  assert.match(terminal.printed.err, /economy, which is not on the ladder \(primary\)/)
})
