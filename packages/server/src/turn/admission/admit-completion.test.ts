// Admits a caller's own prompt: what is refused before anything is spent, and what becomes durable.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textMessage } from '#domain/model/model-message.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { plainLimits } from '#fixtures/budgets/plain-limits.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { GUEST } from '#fixtures/turns/turns.ts'
import type { CompletionAsked } from '../turn.ts'
import { createAdmitCompletion } from './admit-completion.ts'
import { NO_SCOPE } from '#ports/telemetry/plain-scope.ts'

const asked = (over: Partial<CompletionAsked> = {}): CompletionAsked => ({
  principal: GUEST,
  requestId: 'r1',
  route: 'stream',
  model: 'primary',
  system: 'Be brief.',
  messages: [textMessage('user', 'こんにちは')],
  scope: NO_SCOPE,
  ...over,
})

async function setUp() {
  const ports = await testPorts()
  const admit = createAdmitCompletion({
    estimates: plainEstimates,
    principalLimits: plainLimits(),
    ...ports,
    config: testConfig,
    modelsFor: (model) => (model === 'primary' ? ['primary', 'economy'] : []),
    inputTokensMax: () => 1000,
    ceilingMicroUsd: (input, output) => input + output,
  })
  return { ports, admit }
}

test('a completion is held, logged with its whole prompt, and belongs to no conversation', async () => {
  const { ports, admit } = await setUp()
  const { start } = await admit(asked({ maxTokens: 100, temperature: 0.9 }))
  assert.ok(start.kind === 'completion')
  assert.deepEqual(start.completion, {
    system: 'Be brief.',
    messages: asked().messages,
    models: ['primary', 'economy'],
    temperature: 0.9,
  })
  assert.equal(start.hold.granted.outputTokens, 100)
  assert.equal((await ports.turnLog.read(start.turnId, -1))?.length, 1)
  assert.deepEqual(await ports.sessions.listOf(GUEST.id, 10), [])
})

test('the same prompt sent again is another request', async () => {
  const { admit } = await setUp()
  const [one, two] = [await admit(asked()), await admit(asked())]
  assert.notEqual(one.start.turnId, two.start.turnId)
})

test('no more output is granted than the tier allows', async () => {
  const { admit } = await setUp()
  const { start } = await admit(asked({ maxTokens: 1_000_000 }))
  assert.equal(start.hold.granted.outputTokens, testConfig.tiers['free']?.outputTokensPerRequest)
})

test('an unknown model, roles out of order, an empty prompt and lone surrogates are refused at no cost', async () => {
  const { ports, admit } = await setUp()
  const user = textMessage('user', 'a')
  const assistant = textMessage('assistant', 'b')
  await assert.rejects(admit(asked({ model: 'nobody' })), { code: 'NOT_FOUND' })
  for (const messages of [
    [],
    [assistant],
    [user, user, user],
    [user, assistant],
    [textMessage('user', ' ')],
    [textMessage('user', '\ud800')],
  ]) {
    await assert.rejects(admit(asked({ messages })), { code: 'INVALID_REQUEST' }, JSON.stringify(messages))
  }
  await assert.rejects(admit(asked({ messages: [textMessage('user', '漫画'.repeat(1000))] })), (error: unknown) => {
    assert.deepEqual((error as { details: { reason: string } }).details.reason, 'context-too-long')
    return true
  })
  const { totals } = ports.ledger
  assert.equal((await totals({})).rows, 0)
})

test('the hold is released when the log cannot be opened', async () => {
  const { ports } = await setUp()
  const admit = createAdmitCompletion({
    estimates: plainEstimates,
    principalLimits: plainLimits(),
    ...ports,
    turnLog: { ...ports.turnLog, open: () => Promise.reject(new Error('the disk is full')) },
    config: testConfig,
    modelsFor: () => ['primary'],
    inputTokensMax: () => 1000,
    ceilingMicroUsd: () => 0,
  })
  await assert.rejects(admit(asked()), /disk is full/)
  const ask = await createAdmitCompletion({
    estimates: plainEstimates,
    principalLimits: plainLimits(),
    ...ports,
    config: testConfig,
    modelsFor: () => ['primary'],
    inputTokensMax: () => 1000,
    ceilingMicroUsd: () => 0,
  })(asked())
  assert.equal(ask.quota.reserved.outputTokens, ask.start.hold.granted.outputTokens)
})

test('symbols that cost many tokens do not exceed a model’s window', async () => {
  const ports = await testPorts()
  const admit = createAdmitCompletion({
    estimates: plainEstimates,
    principalLimits: plainLimits(),
    ...ports,
    config: testConfig,
    modelsFor: () => ['primary'],
    inputTokensMax: () => 128_000,
    ceilingMicroUsd: (input, output) => input + output,
  })
  for (const symbol of ['\u283f', '\u3316', '\ufdfa', '\ue000']) {
    await assert.rejects(admit(asked({ messages: [textMessage('user', symbol.repeat(340_000))] })), {
      code: 'INVALID_REQUEST',
    })
  }
})
