// `npm run chaos`: its plan follows from the seed and leaves the outages of Redis free of kills, and its checks find what they are for.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { DoneFrame } from '@mangaassist/protocol'
import { seededFloats } from '#lib/collections/seeded-floats.ts'
import { checkAnswers } from '../../../bench/chaos/checks/answers.ts'
import { rowsAgainstCalls } from '../../../bench/chaos/checks/books.ts'
import { violationsIn } from '../../../bench/chaos/checks/conversations.ts'
import { planFaults } from '../../../bench/chaos/plan.ts'
import { TurnText } from '../../../bench/chaos/reader.ts'
import { Seen } from '../../../bench/chaos/record.ts'
import type { Question } from '../../../bench/chaos/record.ts'
import { answerOf, marked } from '../../../bench/cluster/marker.ts'

const plan = (seed: string, mayOverlap = false) =>
  planFaults({
    minutes: 10,
    nodes: 4,
    killEveryS: 20,
    stores: ['redis', 'dynamodb'],
    mayOverlap,
    float: seededFloats(seed),
  })

test('the plan is the same for the same seed, and each store is paused twice and restarted once', () => {
  assert.deepEqual(plan('7'), plan('7'))
  assert.notDeepEqual(plan('7'), plan('8'))
  const ofStores = plan('7').filter((fault) => 'store' in fault)
  for (const name of ['redis', 'dynamodb'])
    assert.deepEqual(
      ofStores.filter(({ store }) => store === name).map(({ kind }) => kind),
      ['pause', 'pause', 'restart'],
    )
})

test('a node is killed about every twenty seconds, and none while Redis is unavailable unless that is wanted', () => {
  for (const seed of ['1', '2', '3', '4', '5', '6', '7', '8']) {
    const kills = plan(seed).filter(({ kind }) => kind === 'kill')
    assert.ok(kills.length >= 18 && kills.length <= 30, `${kills.length} kills of seed ${seed}`)
    const outages = plan(seed).filter((fault) => 'store' in fault && fault.store === 'redis')
    for (const { atMs } of kills)
      assert.ok(!outages.some((outage) => atMs >= outage.atMs && atMs <= outage.atMs + outage.forMs))
    assert.equal(plan(seed, true).filter(({ kind }) => kind === 'kill').length, 29)
  }
})

test('some nodes are killed while DynamoDB is unavailable', () => {
  const inOutage = ['1', '2', '3', '4', '5', '6', '7', '8'].filter((seed) => {
    const outages = plan(seed).filter((fault) => 'store' in fault && fault.store === 'dynamodb')
    const nodes = plan(seed).filter(({ kind }) => kind === 'kill' || kind === 'stop')
    return nodes.some(({ atMs }) => outages.some((outage) => atMs > outage.atMs && atMs < outage.atMs + outage.forMs))
  })
  assert.ok(inOutage.length >= 4, inOutage.join())
})

function done(over: Partial<DoneFrame>): DoneFrame {
  return {
    type: 'done',
    turnId: 'turn_1',
    finishReason: 'stop',
    length: 0,
    sha256: '',
    usage: { inputTokens: 1, outputTokens: 1, estimated: false },
    costMicroUsd: 1,
    timings: { ttftMs: 1, totalMs: 1, tokensPerSecond: 1 },
    tier: 'primary',
    model: 'm',
    sessionVersion: 1,
    ...over,
  }
}

function question(over: Partial<Question> = {}): Question {
  const text = answerOf('1-1')
  return {
    key: 'key-1-1',
    marker: '1-1',
    message: marked('Why?', '1-1'),
    sent: 1,
    turns: new Map([['turn_1', 'sess_1']]),
    readings: [{ by: 'asker', text, done: done({ length: text.length }) }],
    lost: new Set(),
    askedAt: 0,
    ...over,
  }
}

function seenWith(...questions: Question[]): Seen {
  const seen = new Seen()
  seen.conversations.push({ cookie: 'c', sessionId: 'sess_1', questions })
  return seen
}

test('a gap, a changed text, a wrong length and a wrong hash are found as the text is read', () => {
  const seen = new Seen()
  const text = new TurnText(seen, 'key')
  const chunk = (offset: number, said: string) =>
    text.apply({ type: 'chunk', turnId: 'turn_1', epoch: 1, seq: 1, offset, text: said })
  chunk(0, 'abc')
  chunk(2, 'cd')
  assert.equal(text.text, 'abcd')
  const sha256 = createHash('sha256').update('abcd').digest('hex')
  text.reading(done({ length: 4, sha256 }), 'asker')
  assert.deepEqual(seen.violations, [])
  chunk(1, 'xx')
  chunk(9, 'z')
  text.reading(done({ length: 5, sha256 }), 'asker')
  text.reading(done({ length: 4, sha256: 'other' }), 'asker')
  assert.deepEqual(
    seen.violations.map((line) => /changed text|a gap|4 units of 5|wrong hash/.exec(line)?.[0]),
    ['changed text', 'a gap', '4 units of 5', 'wrong hash'],
  )
})

test('two ends of one turn, and a text that is not the model’s, are found', () => {
  assert.deepEqual(checkAnswers(seenWith(question())), [])
  const { readings } = question()
  const stopped = { by: 'second' as const, text: 'x', done: done({ finishReason: 'stopped' }) }
  assert.match(
    checkAnswers(seenWith(question({ readings: [...readings, stopped] }))).join(),
    /2 different ends.*not the model/s,
  )
  const cut = { by: 'asker' as const, text: answerOf('1-1').slice(0, 9), done: done({}) }
  assert.match(checkAnswers(seenWith(question({ readings: [cut] }))).join(), /ended as complete with 9 of/)
})

test('a call without a row, and a row without a call, are found', () => {
  const seen = seenWith(question())
  const figures = { inputTokens: 9, outputTokens: 3, costMicroUsd: 9, estimated: false }
  const row = { turnId: 'turn_1', attempt: 1, outcome: 'stop', ...figures }
  const unconnected = { ...row, attempt: 2, outcome: 'connection', inputTokens: 0, costMicroUsd: 0 }
  const call = { number: 1, outcome: 'answered', model: 'm', marker: '1-1', promptTokens: 9, tokensSent: 3 }
  assert.deepEqual(rowsAgainstCalls(seen, [row], [call]), [])
  assert.deepEqual(rowsAgainstCalls(seen, [unconnected, row], [call]), [])
  assert.match(rowsAgainstCalls(seen, [unconnected], [call, call]).join(), /1 rows/)
  assert.match(rowsAgainstCalls(seen, [], [call]).join(), /1-1: 0 rows \(\) for 1 calls/)
  assert.match(
    rowsAgainstCalls(seen, [row, { ...row, turnId: 'turn_9' }], [call]).join(),
    /unknown turn turn_9: 1 rows/,
  )
})

test('a row whose figures no call has is found, unless it is an estimate', () => {
  const figures = { inputTokens: 9, outputTokens: 4, costMicroUsd: 9, estimated: false }
  const row = { turnId: 'turn_1', attempt: 1, outcome: 'stop', ...figures }
  const call = { number: 1, outcome: 'answered', model: 'm', marker: '1-1', promptTokens: 9, tokensSent: 3 }
  assert.match(rowsAgainstCalls(seenWith(question()), [row], [call]).join(), /row 1 has 9 in, 4 out/)
  assert.deepEqual(rowsAgainstCalls(seenWith(question()), [{ ...row, estimated: true }], [call]), [])
})

test('a run in which few questions are accepted, or few are answered by a model, shows nothing', () => {
  const refused = question({ readings: [], turns: new Map() })
  assert.match(checkAnswers(seenWith(refused)).join(), /only 0 of 1 questions were accepted/)
  assert.match(checkAnswers(new Seen()).join(), /only 0 of 0 questions/)
  const [reading] = question().readings
  assert.ok(reading)
  const byNone = { ...reading, done: { ...reading.done, tier: 'message' as const } }
  assert.match(checkAnswers(seenWith(question({ readings: [byNone] }))).join(), /only 0 of 1 questions were answered/)
})

test('a turn that is missing, doubled, out of order or stored with another text is found', () => {
  const [first, second] = [
    question(),
    question({ key: 'key-1-2', marker: '1-2', turns: new Map([['turn_2', 'sess_1']]) }),
  ]
  const stored = (turnId: string, marker: string, answer = answerOf('1-1')) => ({
    turnId,
    question: marked('Why?', marker),
    answer,
    finishReason: 'stop' as const,
  })
  const found = (...turns: ReturnType<typeof stored>[]) =>
    violationsIn({ cookie: 'c', sessionId: 'sess_1', questions: [first, second] }, { turns }).join('\n')
  assert.equal(found(stored('turn_1', '1-1'), stored('turn_2', '1-2')), '')
  assert.match(found(stored('turn_2', '1-2'), stored('turn_1', '1-1')), /stored are 1-2, 1-1, asked were 1-1, 1-2/)
  assert.match(found(stored('turn_1', '1-1')), /key-1-2: not stored/)
  assert.match(found(stored('turn_1', '1-1'), stored('turn_2', '1-2'), stored('turn_3', '1-2')), /1-1, 1-2, 1-2, asked/)
  assert.match(found(stored('turn_1', '1-1', 'other'), stored('turn_2', '1-2')), /key-1-1: stored as stop with 5 units/)
})
