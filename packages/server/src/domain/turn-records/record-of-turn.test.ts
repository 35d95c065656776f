// The record of a turn has everything that its log holds of how it went.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { sampleAttempt, sampleOutcome, sampleStart } from '#fixtures/turns/samples.ts'
import { recordOfTurn } from './record-of-turn.ts'
import { CALLS_MAX } from './turn-record.ts'

const FAULT = { status: 429, message: 'slow down' } as const
const estimate = { system: 4, retrieval: 3, history: 2, message: 1, total: 10 } as const
const first = sampleAttempt({
  outcome: 'throttled',
  name: 'primary',
  began: { why: 'first', lane: 'primary@tokyo' },
  startedAt: NOON + 20,
  tookMs: 40,
  fault: FAULT,
  estimate,
})
const second = sampleAttempt({
  attempt: 2,
  began: { why: 'continuation', lane: 'primary@tokyo', delayMs: 50 },
  firstWordMs: 30,
  cacheReadTokens: 6,
  reasoningTokens: 2,
  usage: { inputTokens: 10, outputTokens: 5, estimated: true },
})

test('a record has the story of its turn', () => {
  const routing = { exposures: [{ experiment: 'prompt', arm: 'short' }], unit: 'guest_1' }
  const story = { stages: { contextMs: 5 }, firstChoice: 'primary', stop: 'unread', quotaWarned: true } as const
  const outcome = sampleOutcome({
    attempts: [first, second],
    routing,
    isDegraded: true,
    promptVersion: 'v1',
    mismatches: [{ kind: 'price', productId: 'berserk' }],
    reason: 'throttled',
    missing: ['history'],
    queuedMs: 30,
    deltas: 40,
    frames: 9,
    story: { ...story, passed: [{ model: 'primary', reason: 'throttled' }], retrieved: { products: ['p'], faq: [] } },
  })
  const used = { inputTokens: 10, outputTokens: 5, costMicroUsd: 3 }
  const model = { model: 'model-1', tier: 'primary', lane: 'primary@tokyo', ...used } as const
  const settled = { epoch: 2, node: 'node_1', settlementMs: 7 }
  assert.deepEqual(recordOfTurn(sampleStart(), outcome, settled), {
    turnId: 'turn_1',
    sessionId: 'sess_1',
    principalId: 'guest_1',
    userTier: 'free',
    at: NOON + 200,
    language: 'ja',
    position: 0,
    routing,
    promptVersion: 'v1',
    tier: 'embedded',
    model: 'embedded',
    finishReason: 'stop',
    isDegraded: true,
    isCached: false,
    attempts: 2,
    inputTokens: 20,
    outputTokens: 10,
    costMicroUsd: 6,
    firstWordMs: 100,
    totalMs: 200,
    mismatches: ['price'],
    kind: 'chat',
    door: 'stream',
    requestId: 'req_1',
    acceptedAt: NOON,
    queueMs: 30,
    reason: 'throttled',
    missing: ['history'],
    prompt: estimate,
    calls: [
      {
        ...model,
        attempt: 1,
        outcome: 'throttled',
        name: 'primary',
        why: 'first',
        startMs: 20,
        tookMs: 40,
        fault: FAULT,
      },
      {
        ...model,
        attempt: 2,
        outcome: 'stop',
        why: 'continuation',
        delayMs: 50,
        firstTokenMs: 30,
        cacheReadTokens: 6,
        reasoningTokens: 2,
        estimated: true,
      },
    ],
    seams: 1,
    deltas: 40,
    frames: 9,
    ...story,
    passed: [{ model: 'primary', reason: 'throttled' }],
    retrieved: { products: ['p'], faq: [] },
    stages: { contextMs: 5, settlementMs: 7 },
    node: 'node_1',
    epoch: 2,
    received: {},
  })
})

test('a turn without a story has none in its record, and calls are bounded', () => {
  const plain = recordOfTurn(sampleStart(), sampleOutcome())
  for (const field of ['calls', 'stages', 'seams', 'reason', 'node', 'passed'] as const)
    assert.ok(!(field in plain), field)
  const many = Array.from({ length: 100 }, (_, index) => sampleAttempt({ attempt: index + 1 }))
  assert.equal(recordOfTurn(sampleStart(), sampleOutcome({ attempts: many })).calls?.length, CALLS_MAX)
})
