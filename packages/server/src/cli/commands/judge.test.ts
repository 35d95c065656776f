// `mangaassist judge`: two configurations over small sets, with scripted answers and verdicts of simulated vendors behind the real
// clients.
import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { startSimulator } from '@mangaassist/simulation/vendor'
import type { Simulator, SimulatorOptions } from '@mangaassist/simulation/vendor'
import { systemClock } from '#adapters/system/clock.ts'
import type { JudgeReport } from '../judge/report.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'
import type { FakeTerminal } from '../testing/fake-terminal.ts'

const PRICE = { acts: ['inform'], facts: [{ of: 'berserk', field: 'price' }] }
const SET = [
  { id: 's-1', language: 'en', shopper: 'x', turns: [{ say: 'How much is Berserk?', expect: PRICE }] },
  { id: 's-2', language: 'ja', shopper: 'x', turns: [{ say: 'ベルセルクはいくら？', expect: PRICE }] },
  {
    id: 's-3',
    language: 'en',
    shopper: 'x',
    turns: [
      { say: 'Hello!', expect: { acts: ['greet'] } },
      { say: 'What does Berserk cost?', expect: PRICE },
    ],
  },
]

async function simulated(context: TestContext, options: Partial<SimulatorOptions>): Promise<Simulator> {
  const simulator = await startSimulator({ clock: systemClock(), ...options })
  context.after(() => simulator.close())
  return simulator
}

/** A workspace with the set, and with configurations by the names of their files. */
function workspace(context: TestContext, configs: Readonly<Record<string, object>>): FakeTerminal {
  const terminal = fakeTerminal(context, {
    isIndexed: true,
    env: {
      AWS_ACCESS_KEY_ID: 'any',
      AWS_SECRET_ACCESS_KEY: 'any',
      // On a busy machine the models must not give way to the built-in responder.
      MANGA_ANSWERS__FIRSTWORDMS: '10000',
      MANGA_DEADLINES__STREAM__FIRSTWORDMS: '110000',
      MANGA_DEADLINES__FIRSTTOKENMS: '19000',
    },
  })
  const write = (name: string, text: string) => writeFileSync(join(terminal.workspaceRoot, name), text)
  write('set.jsonl', SET.map((one) => JSON.stringify(one)).join('\n'))
  for (const [name, config] of Object.entries(configs)) write(name, `export default ${JSON.stringify(config)}`)
  return terminal
}

async function judged(terminal: FakeTerminal, ...args: readonly string[]): Promise<JudgeReport> {
  const set = join(terminal.workspaceRoot, 'set.jsonl')
  const code = await main(['judge', '--a', 'a.ts', '--set', set, '--json', ...args], terminal)
  assert.equal(code, 0, terminal.printed.err)
  return JSON.parse(terminal.printed.out) as JudgeReport
}

const compatible = ({ url }: Simulator, id: string) => ({
  provider: 'openai-compatible',
  id,
  baseURL: `${url}/v1`,
  price: [1, 5],
})

const BUILT_IN = { models: { embedded: { provider: 'embedded' } } }

test('without a judge, an answer that the checks find nothing wrong with beats one with a fault', async (context) => {
  const simulator = await simulated(context, { identicalText: 'I do not know that.' })
  const config = { models: { primary: compatible(simulator, 'plain') } }
  const terminal = workspace(context, { 'a.ts': BUILT_IN, 'mangaassist.config.ts': config })
  const report = await judged(terminal)
  const { wins, ties, losses } = report.overall
  assert.deepEqual([wins, ties, losses], [0, 1, 3])
  assert.equal(report.byLanguage['ja']?.losses, 1)
  assert.equal(report.sides.a.right, 1)
  assert.equal(report.sides.b.right, 0.25)
  assert.ok(report.sides.b.costMicroUsd > 0)
  assert.equal(report.costMicroUsd.judging, 0)
  assert.match(report.clearestLosses[0]?.reasons.join() ?? '', /fact: price of berserk/)
  const [low, high] = report.overall.interval ?? [1, 0]
  assert.ok(low <= 0.125 && high > 0.125 && high < 1)
  // Nothing was written beside the index that was there.
  assert.deepEqual(readdirSync(terminal.env['DATA_DIR'] ?? ''), ['search'])
})

type Scripts = NonNullable<SimulatorOptions['answers']>
const ASKED_TO_JUDGE = 'You compare two answers[^]*'
const answersWith = (verdicts: Scripts): Scripts => [
  ...verdicts,
  { when: 'Berserk|ベルセルク', model: 'good', text: 'Berserk costs 660 yen a volume. GOOD' },
  { when: '', model: 'bad', text: 'Perhaps.' },
]

test('a judge sees every pair in both orders, and its verdicts are counted for the configuration and not the position', async (context) => {
  const simulator = await simulated(context, {
    answers: answersWith([
      {
        when: `${ASKED_TO_JUDGE}<answer-1>[^]*GOOD[^]*</answer-1>`,
        text: '{"better":"1","margin":3,"reason":"price"}',
      },
      { when: `${ASKED_TO_JUDGE}<answer-2>[^]*GOOD[^]*</answer-2>`, text: 'So: {"better": 2, "margin": 2}' },
      { when: ASKED_TO_JUDGE, text: '{"better":"tie","margin":0,"reason":"both greet"}' },
    ]),
  })
  const judge = { provider: 'bedrock', id: 'anthropic.claude-3-haiku-20240307-v1:0', baseURL: simulator.url }
  const terminal = workspace(context, {
    'a.ts': { models: { primary: compatible(simulator, 'bad') } },
    'b.ts': { models: { primary: compatible(simulator, 'good'), judge }, ladder: ['primary'] },
  })
  const report = await judged(terminal, '--b', 'b.ts', '--judge', 'judge')
  const { wins, ties, losses, winShare } = report.overall
  assert.deepEqual([wins, ties, losses, winShare], [3, 1, 0, 0.875])
  assert.deepEqual([report.flipped, report.unjudged], [0, { unparsable: 0, failed: 0, cost: 0 }])
  assert.match(JSON.stringify(report.judge), /judge-1\.[0-9a-f]{8}/)
  const asked = simulator.attempts().filter(({ model }) => model.includes('haiku'))
  assert.equal(asked.length, 8)
  assert.ok(report.costMicroUsd.judging > 0)
  // What others wrote cannot close a mark, and the store's facts are there.
  assert.match(JSON.stringify(asked[0]?.body), /yenPerVolume/)
})

test('a judge that prefers a position gives ties, and one that says nothing usable is counted apart', async (context) => {
  const simulator = await simulated(context, {
    answers: answersWith([
      { when: `${ASKED_TO_JUDGE}"language":"en"`, text: '{"better":"1","margin":3,"reason":"first"}' },
      { when: ASKED_TO_JUDGE, text: 'The first, {"better":"1"} or {"better":"2"}.' },
    ]),
  })
  const models = { primary: compatible(simulator, 'good'), judge: compatible(simulator, 'judge') }
  const terminal = workspace(context, {
    'a.ts': { models: { primary: compatible(simulator, 'bad') } },
    'mangaassist.config.ts': { models, ladder: ['primary'] },
  })
  const { overall, byLanguage, flipped, unjudged, clearestLosses } = await judged(terminal, '--judge', 'judge')
  assert.deepEqual([overall.pairs, overall.ties, flipped, clearestLosses.length], [3, 3, 3, 0])
  assert.deepEqual([unjudged.unparsable, byLanguage['ja']], [1, undefined])
})

test('no call begins after the limit on cost, and the report says what was left out', async (context) => {
  const simulator = await simulated(context, {
    answers: answersWith([{ when: ASKED_TO_JUDGE, text: '{"better":"1"}' }]),
  })
  const models = { primary: compatible(simulator, 'good'), judge: compatible(simulator, 'judge') }
  const terminal = workspace(context, {
    'a.ts': { models: { primary: compatible(simulator, 'bad') } },
    'mangaassist.config.ts': { models, ladder: ['primary'] },
  })
  const report = await judged(terminal, '--judge', 'judge', '--cost-max', '0.000001', '--concurrency', '1')
  assert.equal(report.unjudged.cost + report.leftOut, 3)
  assert.ok(simulator.attempts().length <= 2)
  assert.equal(report.costMicroUsd.judging, 0)
})

test('text for people names the judge, the shares and the clearest losses; wrong calls are explained', async (context) => {
  const simulator = await simulated(context, { identicalText: 'No.' })
  const configs = { 'a.ts': BUILT_IN, 'mangaassist.config.ts': { models: { primary: compatible(simulator, 'x') } } }
  const terminal = workspace(context, configs)
  const args = ['judge', '--a', 'a.ts', '--set', join(terminal.workspaceRoot, 'set.jsonl')]
  assert.equal(await main([...args, '--limit', '2', '--seed', 'x'], terminal), 0)
  assert.match(terminal.printed.out, /judged by the automatic checks; 2 conversations, seed x/)
  assert.match(terminal.printed.out, /win share[^]*the clearest losses of b[^]*fact: price/)
  const wrong = [
    [['judge'], 2, /--a FILE is missing/],
    [[...args, '--limit', '0'], 2, /--limit must be a number above 0/],
    [[...args, '--judge', 'nobody'], 1, /No model is configured as "nobody": primary, embedded/],
    [['judge', '--a', 'missing.ts'], 1, /missing\.ts[^]*no such file/],
  ] as const
  for (const [words, code, message] of wrong) {
    const other = workspace(context, configs)
    assert.equal(
      await main(
        words.map((word) => word.replace(terminal.workspaceRoot, other.workspaceRoot)),
        other,
      ),
      code,
    )
    assert.match(other.printed.err, message)
  }
})
