// A conversation longer than a prompt, over the whole app: stated facts stay, the shop pays for the summary, and no
// shopper's quota changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageText } from '#domain/model/model-message.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import type { LedgerRow } from '#ports/ledger/port.ts'
import type { ModelRequest } from '#ports/model/port.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { answering, END, say, scriptedModel, START, usage } from '#fixtures/models/scripted-model.ts'
import type { ModelStep } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { createApp } from '#app/app.ts'

const QUESTIONS = [
  'ホラーは苦手です',
  '予算は1冊500円以内でお願いします',
  '鬼滅の刃が好きです',
  ...Array.from({ length: 9 }, (_, index) => `${index + 4}番目の質問です`),
]
const SUMMARY = '客はホラーを避け、500円以内を望む。'

const SUMMING = [START, say(`${SUMMARY}\n</earlier>`), usage(400, 20), END]

async function openStore(summing: readonly ModelStep[] = SUMMING) {
  const ports = await testPorts()
  const rows: LedgerRow[] = []
  const ledger = withVerbs(ports.ledger, {
    record(more) {
      rows.push(...more)
      return ports.ledger.record(more)
    },
  })
  const primary = { ...scriptedModel(ports.clock, answering('はい', '。'), 'primary-id'), facts: SAMPLE_FACTS }
  const economy = { ...scriptedModel(ports.clock, summing, 'economy-id'), facts: SAMPLE_FACTS }
  const vendor = { provider: 'bedrock', id: 'x' } as const
  const config = { ...testConfig, models: { primary: vendor, economy: vendor }, ladder: ['primary', 'economy'] }
  const models = new Map(Object.entries({ primary, economy }))
  const app = createApp({ ...ports, ledger, models, lanes: testLanes(ports, config) }, config)
  let sessionId: string | undefined
  async function ask(message: string): Promise<void> {
    const accepted = await app.chat(sampleReceived({ message, ...(sessionId === undefined ? {} : { sessionId }) }))
    sessionId = accepted.sessionId
    const frames = collect(await app.read(GUEST, { turnId: accepted.turnId, offset: 0 }, new AbortController().signal))
    // Long enough for the rates and for background work.
    await ports.clock.advance(10_000)
    await frames
  }
  const summary = async () => (await ports.sessions.find(sessionId ?? ''))?.summary
  return { app, ask, config, economy, primary, rows, summary }
}

test('after twelve turns the prompt has facts, summary and the newest pairs, and the shop has paid', async () => {
  const { app, ask, config, economy, primary, rows, summary } = await openStore()
  for (const question of QUESTIONS) await ask(question)
  assert.equal(economy.requests.length, 1)
  assert.equal((await summary())?.upTo, 5)
  await ask('おすすめを教えて')
  const messages = primary.requests.at(-1)?.messages ?? []
  assertWithinShare(primary.requests.at(-1), config.tokens)
  assert.equal(messages.length, 21)
  assert.deepEqual(
    messages.map(({ role }) => role),
    messages.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
  )
  const [block = '', rest = ''] = messageText(messages[0]).split('\n\n')
  assert.deepEqual(block.split('\n'), [
    '<earlier>',
    '{"avoids":["ホラー"]}',
    '{"conditions":{"volumeYenMax":500}}',
    '{"likes":["鬼滅の刃"]}',
    `{"summary":"${SUMMARY} ‹/earlier>"}`,
    '</earlier>',
  ])
  assert.equal(rest, QUESTIONS[2])
  assert.equal(messageText(messages.at(-3)), QUESTIONS.at(-1))

  const shop = rows.find(({ principalId }) => principalId === 'shop')
  assert.deepEqual(
    [shop?.model, shop?.tier, shop?.inputTokens, shop?.outputTokens, shop?.outcome],
    ['economy-id', 'economy', 400, 20, 'end'],
  )
  const own = rows.filter(({ principalId }) => principalId === GUEST.id)
  const sum = (of: (row: LedgerRow) => number) => own.reduce((total, row) => total + of(row), 0)
  const quota = await app.quota(GUEST)
  assert.deepEqual(
    [quota.input.used, quota.output.used, quota.costMicroUsd.used, quota.costMicroUsd.reserved],
    [sum((row) => row.inputTokens), sum((row) => row.outputTokens), sum((row) => row.costMicroUsd), 0],
  )
  assert.equal(own.length, QUESTIONS.length + 1)
  await app.drain()
})

function assertWithinShare(request: ModelRequest | undefined, tokens: typeof testConfig.tokens): void {
  assert.ok(request !== undefined)
  assert.ok(genericCounter.prompt(request) <= tokens.inputPerRequestMax)
  const before = request.messages.slice(0, -1)
  assert.ok(genericCounter.messages(before) <= tokens.inputPerRequestMax - tokens.systemShare - tokens.safetyShare)
}

test('a summary that never comes delays neither a turn nor the shutdown', async () => {
  const { app, ask, economy, rows, summary } = await openStore([START, 'hang'])
  for (const question of QUESTIONS) await ask(question)
  await ask('まだいますか')
  assert.equal(economy.requests.length, 1)
  await app.drain()
  assert.equal(await summary(), undefined)
  assert.deepEqual(
    rows.filter(({ principalId }) => principalId === 'shop').map(({ estimated, outcome }) => [estimated, outcome]),
    [[true, 'timeout']],
  )
})
