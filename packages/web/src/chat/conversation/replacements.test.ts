// A turn in place of an earlier one: asked again, edited, and continued after a stop.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '@mangaassist/client'
import type { ChatPart } from '@mangaassist/client'
import { folded } from './exchange-list.ts'
import { newExchange } from './exchange.ts'
import { accepted, answering, done, failing, lost, setUp } from './testing/scripted-conversation.ts'

const acceptedAs = (turnId: string): ChatPart => ({ type: 'accepted', turnId, sessionId: 's1', duplicate: false })

test('an interrupted answer is folded into the one that is asked in its place', async () => {
  const { conversation, scripts, asked, settled, last } = setUp()
  scripts.push(answering(accepted, done('half', 'interrupted')), answering(acceptedAs('t2'), done('whole')))
  conversation.ask('a')
  await settled()
  assert.deepEqual(last().end, { word: 'endInterrupted', remedy: 'ask', goesOn: true })
  conversation.retry(last().id)
  await settled()
  const { exchanges } = conversation.state
  assert.deepEqual([exchanges.length, last().text, last().earlier.map(({ text }) => text)], [1, 'whole', ['half']])
  assert.notEqual(asked[0]?.idempotencyKey, asked[1]?.idempotencyKey)
  assert.deepEqual(asked.map(linksOf), [{}, { replaces: 't1' }])
})

test('an edited question replaces the pair, and a chain of edits folds into the last', async () => {
  const { conversation, scripts, asked, settled, last } = setUp()
  scripts.push(
    answering(accepted, done('one')),
    answering(acceptedAs('t2'), done('two')),
    answering(acceptedAs('t3'), done('three')),
  )
  conversation.ask('a')
  await settled()
  assert.ok(conversation.askInstead(last().id, 'b'))
  await settled()
  assert.ok(conversation.askInstead(last().id, 'c'))
  await settled()
  assert.deepEqual(
    [last().question, last().earlier.map(({ question }) => question), conversation.state.exchanges.length],
    ['c', ['a', 'b'], 1],
  )
  assert.deepEqual(asked.map(linksOf), [{}, { replaces: 't1' }, { replaces: 't2' }])
})

test('a question that was never accepted has nothing to replace', async () => {
  const { conversation, scripts, asked, settled, last } = setUp()
  scripts.push(failing(lost), answering(accepted, done('answer')))
  conversation.ask('a')
  await settled()
  conversation.askInstead(last().id, 'b')
  await settled()
  assert.deepEqual(asked.map(linksOf), [{}, {}])
})

test('a stopped answer is continued in its place, and asked again as a whole', async () => {
  const { conversation, scripts, asked, settled, last } = setUp()
  scripts.push(
    answering(accepted, done('first half', 'stopped')),
    answering(acceptedAs('t2'), done('first half, second half')),
    answering(acceptedAs('t3'), done('both')),
  )
  conversation.ask('a')
  await settled()
  assert.ok(conversation.goOn(last().id))
  assert.equal(last().text, 'first half', 'nothing disappears until the rest arrives')
  await settled()
  assert.deepEqual([conversation.state.exchanges.length, last().earlier], [1, []])
  conversation.askInstead(last().id)
  await settled()
  assert.deepEqual(asked.map(linksOf), [{}, { continues: 't1' }, { replaces: 't2' }])
  assert.deepEqual(
    last().earlier.map(({ text }) => text),
    ['first half, second half'],
  )
  assert.deepEqual([...new Set(asked.map(({ message }) => message))], ['a'])
})

test('a refused continuation shows the cut answer again, and puts nothing into the field', async () => {
  const { conversation, scripts, settled, last, givenBack } = setUp()
  scripts.push(
    answering(accepted, done('half', 'stopped')),
    failing(new ChatError({ code: 'RATE_LIMITED', message: 'slow down' })),
  )
  conversation.ask('a')
  await settled()
  conversation.goOn(last().id)
  await settled()
  assert.deepEqual([last().text, last().end?.goesOn, givenBack], ['half', true, []])
  assert.equal(conversation.state.limit?.text, 'slow down')
})

test('nothing is replaced or continued while an answer is in flight', async () => {
  const { conversation, scripts, settled, last } = setUp()
  const end = Promise.withResolvers<void>()
  scripts.push(async function* () {
    yield accepted
    await end.promise
    yield done('x', 'stopped')
  })
  conversation.ask('a')
  assert.equal(conversation.askInstead(last().id), false)
  assert.equal(conversation.goOn(last().id), false)
  end.resolve()
  await settled()
})

test('a refused edit leaves the pair as it was, and still replaces it when it is sent later', async () => {
  const { conversation, scripts, asked, settled, last, givenBack } = setUp()
  scripts.push(
    answering(accepted, done('one')),
    failing(new ChatError({ code: 'RATE_LIMITED', message: 'slow down' })),
    answering(acceptedAs('t2'), done('two')),
  )
  conversation.ask('a')
  await settled()
  conversation.askInstead(last().id, 'b')
  await settled()
  assert.deepEqual([givenBack, last().text, last().earlier], [['b'], 'one', []])
  conversation.ask('b')
  await settled()
  assert.deepEqual([last().text, last().earlier.length], ['two', 1])
  assert.deepEqual(asked.map(linksOf), [{}, { replaces: 't1' }, { replaces: 't1' }])
})

test('a turn that was replaced elsewhere stays, and the question can be asked by itself', async () => {
  const { conversation, scripts, asked, settled, last, remembered } = setUp()
  scripts.push(
    answering(accepted, done('one')),
    failing(new ChatError({ code: 'NOT_FOUND', message: 'x', details: { field: 'replaces' } })),
    answering(acceptedAs('t2'), done('two')),
  )
  conversation.ask('a')
  await settled()
  conversation.askInstead(last().id)
  await settled()
  assert.deepEqual(last().end, { word: 'replacedElsewhere', remedy: 'ask' })
  assert.deepEqual([conversation.state.exchanges.length, remembered().sessionId], [2, 's1'])
  conversation.retry(last().id)
  await settled()
  assert.deepEqual([last().text, asked.map(linksOf)], ['two', [{}, { replaces: 't1' }, {}]])
})

test('an answer that is too long to be continued is offered to be asked again instead', async () => {
  const stopped = { finishReason: 'stopped', tier: 'embedded', products: [], question: 'a', answer: 'long' } as const
  const turns = [{ ...stopped, turnId: 't1', continuable: false as const }]
  const load = () => Promise.resolve({ turns, running: undefined })
  const { conversation, scripts, settled, last } = setUp({ remembered: { sessionId: 's1' }, load })
  await conversation.restore()
  assert.deepEqual(last().end, { word: 'endStopped', remedy: 'ask', goesOn: false })
  const end = { type: 'done', text: 'longer', verified: true, done: { finishReason: 'length', continuable: false } }
  scripts.push(
    answering(acceptedAs('t2'), end as ChatPart),
    failing(
      new ChatError({ code: 'INVALID_REQUEST', message: 'x', details: { field: 'continues', reason: 'too-long' } }),
    ),
  )
  conversation.ask('b')
  await settled()
  assert.deepEqual(last().end, { word: 'endLength', remedy: 'ask', goesOn: false })
  conversation.goOn(last().id)
  await settled()
  assert.deepEqual(last().end, { word: 'endLength', remedy: 'ask' }, 'asked to go on by a page that did not know')
})

test('a reload folds what the server says was replaced', async () => {
  const turn = { finishReason: 'stop', tier: 'embedded', products: [], at: '2026-11-18T05:02:00.000Z' } as const
  const turns = [
    { ...turn, turnId: 't1', question: 'a', answer: 'one' },
    { ...turn, turnId: 't2', question: 'b', answer: 'two' },
    { ...turn, turnId: 't3', question: 'c', answer: 'three', replaces: 't1' },
    { ...turn, turnId: 't4', question: 'b', answer: 'two and more', replaces: 't2', continues: true },
  ]
  const { conversation } = setUp({
    remembered: { sessionId: 's1' },
    load: () => Promise.resolve({ turns, running: undefined }),
  })
  await conversation.restore()
  assert.deepEqual(
    conversation.state.exchanges.map(({ question, earlier, atMs }) => [question, earlier.length, atMs]),
    [
      ['c', 1, Date.parse(turn.at)],
      ['b', 0, Date.parse(turn.at)],
    ],
  )
})

test('turns that name each other do not loop', () => {
  const pair = [1, 2].map((id) => ({
    ...newExchange(id, 'q', `t${id}`),
    link: { replaces: `t${3 - id}` },
  }))
  assert.deepEqual(folded(pair), [])
})

/** The fields of a question that name another turn; undefined ones are not sent. */
function linksOf(input: object): object {
  const { replaces, continues } = input as { replaces?: string; continues?: string }
  return { ...(replaces === undefined ? {} : { replaces }), ...(continues === undefined ? {} : { continues }) }
}
