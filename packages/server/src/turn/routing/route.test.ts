// Builds the prompt and chooses the models: pure, within the shares of tokens and within the hold.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { defaults } from '#config/config.ts'
import { genericCounter } from '#domain/estimator/token-counter.ts'
import { NO_CONDITIONS } from '@mangaassist/bookseller/dialogue/conditions'
import { NO_STATE } from '@mangaassist/bookseller/dialogue/state'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { messageText, textMessage } from '#domain/model/model-message.ts'
import { costMicroUsd, FREE } from '#domain/budget/money.ts'
import type { Amounts } from '#domain/budget/quota.ts'
import { plainEstimates } from '#fixtures/turns/estimates.ts'
import { sampleJudged, sampleRouting } from '#fixtures/turns/routing.ts'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleShelves, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { scriptedModel } from '#fixtures/models/scripted-model.ts'
import { PRICED, sampleAdmitted, sampleGrounded, sampleRung } from '#fixtures/turns/turns.ts'
import { readPrompts } from '#wiring/prompts.ts'
import type { Grounded, Rung } from '../turn.ts'
import { createRoute } from './route.ts'
import { createRouter } from './router.ts'

const { tokens } = defaults
const prompts = await readPrompts()
const model = scriptedModel(manualClock(), [])
const priced = sampleRung(model, { name: 'priced', price: PRICED })
const free = sampleRung(model, { name: 'free', tier: 'embedded', price: FREE })
const routeWith = (rungs: readonly Rung[], isPressed = () => false) =>
  createRoute({
    isPressed,
    config: defaults,
    prompts,
    rungs: new Map(rungs.map((rung) => [rung.name, rung])),
    ladder: rungs.map((rung) => rung.name),
    estimates: plainEstimates,
  })
const route = routeWith([priced, free])

function grounded(granted: Partial<Amounts>, over: Partial<Grounded> = {}, message = '泣ける漫画'): Grounded {
  const { start } = sampleAdmitted({ message })
  const amounts = { inputTokens: 4000, outputTokens: 512, costMicroUsd: 100_000, ...granted }
  return sampleGrounded({ start: { ...start, hold: { ...start.hold, granted: amounts } }, ...over })
}
const shelved = { grounding: { ...UNGROUNDED, products: sampleShelves() } }
const longHistory = Array.from({ length: 10 }, (_, index) =>
  sampleStoredTurn({ question: `問${index}`.repeat(60), answer: '答'.repeat(200) }),
)

test('the same Grounded gives the same Routed, and is left as it was', () => {
  const { scope, ...input } = grounded({}, { ...shelved, history: longHistory })
  const before = structuredClone(input)
  assert.deepEqual(route({ ...input, scope }), route({ ...input, scope }))
  assert.deepEqual(input, before)
})

test('the question comes last, complete, after history and its data', () => {
  const { messages } = route(grounded({}, { ...shelved, history: [sampleStoredTurn()] }))
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
  assert.match(messageText(messages.at(-1)), /^<data>\n[^]*\n<\/data>\n\n泣ける漫画$/u)
})

test('the prompt’s estimate is given by part', () => {
  const { estimate, estimatedInputTokens } = route(grounded({}, { ...shelved, history: [sampleStoredTurn()] }))
  assert.ok(estimate !== undefined)
  const { system, retrieval, history, message, total } = estimate
  assert.equal(total, estimatedInputTokens)
  assert.equal(message, plainEstimates.counterFor([]).text('泣ける漫画'))
  assert.ok([system, retrieval, history].every((part) => part > 0))
  // Only the cost of a message besides its text is left out.
  assert.ok(Math.abs(system + retrieval + history + message - total) <= 8)
  const bare = route(grounded({})).estimate
  assert.deepEqual([bare?.retrieval, bare?.history], [0, 0])
})

test('in a caller’s own prompt the messages before the last are its history', () => {
  const messages = (['user', 'assistant', 'user'] as const).map((role) => textMessage(role, 'how are you'))
  const { start } = grounded({})
  const completion = { system: 'Be brief.', messages, models: ['priced'] }
  const { estimate, estimatedInputTokens } = route(
    sampleGrounded({ start: { ...start, kind: 'completion', completion } }),
  )
  assert.ok(estimate !== undefined)
  assert.deepEqual([estimate.total, estimate.retrieval], [estimatedInputTokens, 0])
  assert.ok(estimate.history >= 2 * estimate.message)
  assert.equal(estimate.system + estimate.history + estimate.message, estimate.total)
})

test('a valid prompt fits the request and the hold, or no model is asked', () => {
  const message = fc
    .tuple(fc.constantFrom('漫', 'a ', '😭'), fc.integer({ min: 1, max: 3300 }))
    .map(([unit, count]) => unit.repeat(count))
  fc.assert(
    fc.property(message, fc.integer({ min: 1, max: 4000 }), fc.boolean(), (text, inputTokens, hasHistory) => {
      fc.pre(genericCounter.text(text) <= tokens.inputPerRequestMax - tokens.systemShare - tokens.safetyShare)
      const routed = route(grounded({ inputTokens }, { ...shelved, history: hasHistory ? longHistory : [] }, text))
      assert.ok(routed.estimatedInputTokens <= tokens.inputPerRequestMax)
      assert.ok(messageText(routed.messages.at(-1)).endsWith(text))
      assert.ok(routed.ladder.length === 0 || routed.estimatedInputTokens <= inputTokens)
    }),
    { numRuns: 60 },
  )
})

test('a long message takes the room of history first, then of retrieval', () => {
  const tokensEach = genericCounter.text('漫'.repeat(1000)) / 1000
  const parts = (tokens: number) => {
    const message = '漫'.repeat(Math.floor(tokens / tokensEach))
    const { messages } = route(grounded({}, { ...shelved, history: longHistory }, message))
    return { history: messages.length - 1, data: messageText(messages.at(-1)).startsWith('<data>') }
  }
  assert.ok(parts(10).history > parts(1500).history)
  assert.equal(parts(2600).data, true)
  assert.deepEqual(parts(3180), { history: 0, data: false })
})

test('facts and a summary lead, fitting pairs follow, and the version of the last trimmed turn is returned', () => {
  const past = { history: longHistory, facts: ['{"avoids":["ホラー"]}'], summary: { text: '要約', upTo: 20, at: 0 } }
  const input = grounded({ inputTokens: 2800 }, { ...shelved, ...past })
  const routed = route({ ...input, start: { ...input.start, sessionVersion: 30 } })
  const kept = (routed.messages.length - 1) / 2
  assert.ok(kept > 0 && kept < longHistory.length)
  assert.equal(routed.forgottenUpTo, 30 - kept)
  assert.match(messageText(routed.messages[0]), /^<earlier>\n\{"avoids":\["ホラー"\]\}\n\{"summary":"要約"\}\n/u)
  assert.equal(route(grounded({}, { history: [sampleStoredTurn()] })).forgottenUpTo, 0)
})

test('a small input budget is used for the question before history', () => {
  const { ladder, messages } = route(grounded({ inputTokens: 1200 }, { history: longHistory }))
  assert.equal(ladder.length, 2)
  assert.ok(messages.length < 1 + 2 * longHistory.length)
})

test('each rung’s output limit follows from its price and the hold, and one too expensive is left out', () => {
  const budget = { costMicroUsd: 4000 }
  const routed = route(grounded(budget))
  assert.deepEqual(
    routed.ladder.map(({ name }) => name),
    ['priced', 'free'],
  )
  const [dear, cheap] = routed.ladder
  assert.ok(dear !== undefined && dear.maxOutputTokens < 512)
  assert.ok(costMicroUsd(PRICED, routed.estimatedInputTokens, dear.maxOutputTokens) <= budget.costMicroUsd)
  assert.equal(cheap?.maxOutputTokens, 512)
  assert.deepEqual(
    route(grounded({ costMicroUsd: 100 })).ladder.map(({ name }) => name),
    ['free'],
  )
})

test('a model’s output limit follows from its own limits, and one with too small a window is left out', () => {
  const facts = { price: FREE, trailingAssistant: true, temperature: true, tokenizer: 'any' }
  const laddered = (contextTokensMax: number, outputTokensMax: number) => {
    const model = { ...scriptedModel(manualClock(), []), facts: { ...facts, contextTokensMax, outputTokensMax } }
    return routeWith([sampleRung(model, { price: FREE })])(grounded({})).ladder
  }
  assert.equal(laddered(200_000, 100)[0]?.maxOutputTokens, 100)
  assert.deepEqual(laddered(900, 4096), [])
})

test('a caller’s own prompt is sent unchanged, to the models it names', () => {
  const completion = {
    system: 'Be brief.',
    messages: [textMessage('user', '<data>hi')],
    models: ['free'],
  } as const
  const own = grounded({})
  const routed = route({ ...own, start: { ...own.start, kind: 'completion', completion } })
  assert.deepEqual([routed.system, routed.messages], [completion.system, completion.messages])
  assert.deepEqual(
    routed.ladder.map(({ name }) => name),
    ['free'],
  )
})

test('a turn of ours has the configured temperature, a caller’s own prompt the one that it names or none', () => {
  const { start } = grounded({})
  const completion = { system: '', messages: [textMessage('user', 'hi')], models: ['free'] }
  const own = (temperature: object) =>
    route(sampleGrounded({ start: { ...start, kind: 'completion', completion: { ...completion, ...temperature } } }))
  assert.equal(route(grounded({})).temperature, tokens.temperature)
  assert.equal(own({ temperature: 0 }).temperature, 0)
  assert.ok(!('temperature' in own({})))
})

test('when nothing is affordable the ladder is empty', () => {
  const onlyPriced = routeWith([priced])
  assert.deepEqual(onlyPriced(grounded({ costMicroUsd: 0 })).ladder, [])
})

test('a request for few tokens is not refused for being below the useful minimum', () => {
  assert.equal(route(grounded({ outputTokens: 10 })).ladder[0]?.maxOutputTokens, 10)
})

test('the cards are those of the products in the prompt', () => {
  assert.deepEqual(route(grounded({}, shelved)).productIds, ['kimetsu-no-yaiba', 'one-piece', 'yotsuba-to'])
})

const long = '某古書店絶版漫画全巻捜索願。'.repeat(400).slice(0, 5000)

test('a long message is sent complete, without history and retrieval, and that is recorded', () => {
  const asked = genericCounter.text(long)
  const inputTokens = asked + tokens.systemShare + tokens.safetyShare
  const routed = route(grounded({ inputTokens }, { ...shelved, history: [sampleStoredTurn()] }, long))
  assert.deepEqual(routed.messages, [textMessage('user', long)])
  assert.ok(routed.estimatedInputTokens > tokens.inputPerRequestMax && routed.estimatedInputTokens <= inputTokens)
  assert.deepEqual(routed.cutShort, ['history', 'retrieval'])
  assert.equal(routed.ladder.length, 2)
})

test('a message of medium length costs history before retrieval', () => {
  const medium = long.slice(0, Math.floor((5000 * 2000) / genericCounter.text(long)))
  const routed = route(grounded({}, { ...shelved, history: longHistory }, medium))
  assert.deepEqual(routed.cutShort, ['history'])
  assert.match(messageText(routed.messages.at(-1)), /^<data>/u)
})

test('the last tokens of a budget leave less history and retrieval, and that is recorded', () => {
  const input = { ...shelved, history: [sampleStoredTurn({ answer: '答'.repeat(200) })] }
  assert.deepEqual(route(grounded({ inputTokens: 830 }, input)).cutShort, ['history', 'retrieval'])
  assert.deepEqual(route(grounded({}, input)).cutShort, [])
  assert.deepEqual(route(grounded({ inputTokens: 830 })).cutShort, [], 'nothing was there to be left out')
})

test('while every model refuses calls for load a prompt is brief, so that a quota of tokens serves more shoppers, and that is recorded', () => {
  let isPressed = false
  const pressed = routeWith([priced, free], () => isPressed)
  const input = grounded({}, { ...shelved, history: longHistory })
  const whole = pressed(input)
  isPressed = true
  const brief = pressed(input)
  assert.deepEqual([whole.cutShort, brief.cutShort], [[], ['history', 'retrieval']])
  assert.ok(brief.estimatedInputTokens < whole.estimatedInputTokens * 0.7, `${brief.estimatedInputTokens}`)
  assert.deepEqual(brief.messages.length, 3)
  assert.deepEqual(brief.productIds, whole.productIds)
  assert.deepEqual(pressed(grounded({})).cutShort, [])
})

test('a conversation longer than any prompt is not reported as cut short', () => {
  const older = Array.from({ length: 30 }, () => sampleStoredTurn({ answer: '答'.repeat(300) }))
  assert.deepEqual(route(grounded({}, { ...shelved, history: older })).cutShort, [])
})

test('a chat has the version of its prompt; a prompt of the caller’s own has none', () => {
  assert.equal(route(grounded({})).promptVersion, prompts.version)
  const completion = { system: '', messages: [textMessage('user', 'hi')], models: ['free'] }
  const { start } = sampleAdmitted({ completion })
  assert.equal(route(sampleGrounded({ start })).promptVersion, undefined)
})

test('the standing wishes come before the data, within the share of retrieval', () => {
  const avoid = [{ text: 'horror', genres: [], moods: [], content: [] }]
  const state = { ...NO_STATE, conditions: { ...NO_CONDITIONS, avoid } }
  const grounding = { ...UNGROUNDED, products: sampleShelves(), state }
  const { messages } = route(grounded({}, { grounding }))
  assert.match(messageText(messages.at(-1)), /^<state>\n\{"avoids":\["horror"\]\}\n<\/state>\n\n<data>\n/u)
})

const LADDER = ['dear', 'cheap', 'free']
const dear = sampleRung(model, { name: 'dear', price: PRICED })
const cheap = sampleRung(model, {
  name: 'cheap',
  tier: 'economy',
  price: { inputMicroUsdPerMillion: 1_000_000, outputMicroUsdPerMillion: 5_000_000 },
})
const routedBy = (first: string) =>
  createRoute({
    config: defaults,
    prompts,
    rungs: new Map([dear, cheap, free].map((rung) => [rung.name, rung])),
    ladder: LADDER,
    estimates: plainEstimates,
    router: createRouter({
      settingsFor: ({ start }) => ({
        routing: sampleRouting({ levels: { simple: first, moderate: first, complex: first } }),
        exposures: [],
        unit: start.principal.id,
      }),
      judge: () => sampleJudged('simple'),
      stateOf: () => ({ timeLeftMs: 15_000, budgetLeft: 1, lanesDown: [] }),
      hasResponder: false,
    }),
  })

test('the ladder of a routed turn is a permutation of the models that the hold can pay for, the first choice first', () => {
  const plain = createRoute({
    config: defaults,
    prompts,
    rungs: new Map([dear, cheap, free].map((rung) => [rung.name, rung])),
    ladder: LADDER,
    estimates: plainEstimates,
  })
  fc.assert(
    fc.property(fc.constantFrom(...LADDER), fc.integer({ min: 0, max: 20_000 }), (first, costMicroUsd) => {
      const asked = grounded({ costMicroUsd }, shelved)
      const affordable = plain(asked).ladder
      const { ladder, routing, ...rest } = routedBy(first)(asked)
      assert.deepEqual(new Set(ladder), new Set(affordable))
      assert.equal(ladder.length, affordable.length)
      if (affordable.some(({ name }) => name === first)) assert.equal(ladder[0]?.name, first)
      assert.ok(routing?.choice?.why.startsWith(`${first}: `))
      // The prompt does not depend on the route.
      const { system, messages } = plain(asked)
      assert.deepEqual([rest.system, rest.messages], [system, messages])
    }),
  )
})

test('a caller’s own prompt is not routed', () => {
  const { start } = grounded({})
  const completion = { system: '', messages: [textMessage('user', 'hi')], models: LADDER }
  const routed = routedBy('free')(sampleGrounded({ start: { ...start, kind: 'completion', completion } }))
  assert.deepEqual(
    routed.ladder.map(({ name }) => name),
    LADDER,
  )
  assert.deepEqual(['routing' in routed, 'plan' in routed], [false, false])
})
