// While search is down and no model answers, a cached answer is found by its words, marked as cached with the reason, and
// never has a wrong price.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import { answering, failure, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { createApp } from '#app/app.ts'

const WISH = '鬼滅の刃みたいな漫画'
const OPERATOR = { by: 'aki', reason: 'a test' }

async function setUp() {
  const ports = await testPorts()
  const { clock } = ports
  let isDown = false
  const search = withVerbs(ports.search, {
    find: (...asked) => (isDown ? Promise.reject(new Error('down')) : ports.search.find(...asked)),
  })
  // Answers once, then fails.
  const script = { calls: [answering('こちらを', 'どうぞ。'), [failure('invalid')]] }
  const primary = { ...scriptedModel(clock, script, 'p'), facts: SAMPLE_FACTS }
  const config = { ...testConfig, models: { primary: { provider: 'bedrock', id: 'p' } as const }, ladder: ['primary'] }
  const { responder: _, ...others } = ports
  const app = createApp(
    { ...others, search, models: new Map([['primary', primary]]), lanes: testLanes(ports, config) },
    config,
  )
  let asked = 0
  async function ask(message = WISH) {
    asked += 1
    const { turnId } = await app.chat(sampleReceived({ principal: GUEST, message, requestId: `r${asked}` }))
    const frames = collect(await app.read(GUEST, { turnId, offset: 0 }, new AbortController().signal))
    await clock.advance(30_000)
    const all = await frames
    const text = all.map((frame) => (frame.type === 'chunk' ? frame.text : '')).join('')
    const { tier, degraded, reason = '' } = all.findLast((frame) => frame.type === 'meta') ?? {}
    return { tier, degraded, reasons: reason.split(' '), text }
  }
  return { app, ask, ports, breakSearch: () => (isDown = true) }
}

test('with search and model down, the same words get the cached answer, labelled as cached', async () => {
  const { app, ask, breakSearch } = await setUp()
  assert.deepEqual([(await ask()).tier, (await ask()).tier], ['primary', 'cached'])
  breakSearch()
  const { tier, degraded, reasons, text } = await ask()
  assert.deepEqual([tier, degraded, text], ['cached', true, 'こちらをどうぞ。'])
  assert.ok(reasons.includes('no-retrieval'), reasons.join(' '))
  assert.notEqual((await ask('ワンピースみたいな漫画')).tier, 'cached')
  await app.drain()
})

test('a price that changed since makes the answer unusable', async () => {
  const { app, ask, breakSearch, ports } = await setUp()
  await ask()
  const shelf = await ports.products.page('', 100)
  await ports.products.replaceAll(
    shelf.map((product) => ({ ...product, pricePerVolumeYen: product.pricePerVolumeYen + 10 })),
    'dearer',
  )
  breakSearch()
  assert.notEqual((await ask()).tier, 'cached')
  await app.drain()
})

test('with search forced open by an operator the same cached answers are found', async () => {
  const { app, ask } = await setUp()
  await ask()
  await app.admin.operateLane('search', 'force-open', OPERATOR)
  const { tier, reasons } = await ask()
  assert.equal(tier, 'cached')
  assert.ok(reasons.includes('no-retrieval'))
  await app.drain()
})
