// Refreshes stale answers after they were given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryAnswerCache } from '#adapters/memory/answer-cache.ts'
import { memoryProductStore } from '#adapters/memory/product-store.ts'
import { memoryTelemetry } from '#adapters/memory/telemetry.ts'
import { defaults } from '#config/config.ts'
import { introducing } from '@mangaassist/bookseller/fixtures/dialogue'
import { manualClock } from '#fixtures/time/manual-clock.ts'
import { sampleAttempt, sampleOutcome, sampleStart } from '#fixtures/turns/samples.ts'
import { answering, scriptedModel } from '#fixtures/models/scripted-model.ts'
import { sampleRouted, sampleRung } from '#fixtures/turns/turns.ts'
import { NORMAL } from '#fixtures/turns/normal-settings.ts'
import { createCachedAnswers } from './cached-answers.ts'
import { createRefreshAnswers } from './refresh-answers.ts'
import type { RefreshAnswersParts } from './refresh-answers.ts'

const MADE = {
  outcome: sampleOutcome({ tier: 'primary', model: 'model-1', attempts: [sampleAttempt()] }),
  text: '新しい答え',
}
const HOUR_MS = 3_600_000

function opened(over: Partial<RefreshAnswersParts> = {}) {
  const clock = manualClock()
  const telemetry = memoryTelemetry()
  const cache = memoryAnswerCache({ clock, limits: defaults.answers })
  const shared = { cache, clock, telemetry, config: defaults }
  const ladder = [sampleRung(scriptedModel(clock, answering('x'), 'model-1'))]
  const answers = createCachedAnswers({
    ...shared,
    products: memoryProductStore(),
    faq: [],
    routeOf: () => ({ name: 'primary', first: ladder[0] }),
    settings: NORMAL,
  })
  const asked: string[] = []
  const make: RefreshAnswersParts['make'] = async ({ start }) => {
    asked.push(start.message)
    return MADE
  }
  const node = () => createRefreshAnswers({ ...shared, answers, isReady: () => true, make, ...over })
  const routed = (message = '鬼滅の刃とは？') =>
    sampleRouted({
      start: sampleStart({ message }),
      ladder,
      grounding: introducing({ products: [] }),
    })
  return { answers, asked, clock, node, routed, telemetry }
}

async function stale(parts: ReturnType<typeof opened>) {
  await parts.answers.keep(parts.routed(), MADE.outcome, '古い答え')
  await parts.clock.advance(HOUR_MS)
  const lookup = await parts.answers.lookUp(parts.routed())
  assert.ok(lookup.kind === 'stale')
  return lookup.key
}

test('a stale answer is refreshed once, and is fresh then', async () => {
  const parts = opened()
  const key = await stale(parts)
  const refresh = parts.node()
  refresh.due(key, parts.routed())
  refresh.due(key, parts.routed())
  assert.equal(await refresh.round(), 1)
  assert.equal(await refresh.round(), 0)
  const lookup = await parts.answers.lookUp(parts.routed())
  assert.deepEqual(
    [lookup.kind, lookup.kind === 'fresh' && lookup.answer.text, parts.asked.length],
    ['fresh', '新しい答え', 1],
  )
})

test('a refresh waits until a model is available, and one of several nodes makes it', async () => {
  let isBack = false
  const parts = opened({ isReady: () => isBack })
  const key = await stale(parts)
  const nodes = [parts.node(), parts.node()]
  for (const one of nodes) one.due(key, parts.routed())
  assert.deepEqual(await Promise.all(nodes.map((one) => one.round())), [0, 0])
  isBack = true
  const made = await Promise.all(nodes.map((one) => one.round()))
  assert.deepEqual([made.toSorted((a, b) => a - b), parts.asked.length], [[0, 1], 1])
})

test('a failed or useless refresh is dropped, and the next round continues', async () => {
  const failing = opened({ make: () => Promise.reject(new Error('unavailable')) })
  const key = await stale(failing)
  const refresh = failing.node()
  refresh.due(key, failing.routed())
  assert.deepEqual([await refresh.round(), await refresh.round()], [0, 0])
  assert.equal(failing.telemetry.logged.at(-1)?.event, 'answer-cache.refresh-failed')
})

test('the number of waiting refreshes is limited, and each round makes only a few', async () => {
  const { refreshMax, refreshPerRound } = defaults.answers
  const { asked, node, routed } = opened()
  const refresh = node()
  for (let number = 0; number < refreshMax + 5; number += 1) refresh.due(`key ${number}`, routed(`第${number}話とは`))
  await refresh.round()
  assert.equal(asked.length, refreshPerRound)
  assert.equal(asked[0], '第5話とは')
  for (let rounds = 0; rounds < refreshMax; rounds += 1) await refresh.round()
  assert.equal(asked.length, refreshMax)
})
