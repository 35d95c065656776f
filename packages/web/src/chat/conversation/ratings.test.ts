// The reader's thumbs in the conversation: shown at once, sent in order, taken back when they could not be saved.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ChatPart } from '@mangaassist/client'
import type { DoneFrame } from '@mangaassist/protocol'
import type { LoadSession } from './sessions.ts'
import { accepted, answering, done, failing, lost, setUp } from './testing/scripted-conversation.ts'

async function answered() {
  const set = setUp()
  set.scripts.push(answering(accepted, done('はい。')))
  set.conversation.ask('a')
  await set.settled()
  const { id } = set.last()
  return { ...set, id, rating: () => set.last().rating }
}

test('a thumb is shown at once, changed and taken back', async () => {
  const { conversation, id, rating, thumbs } = await answered()
  assert.deepEqual(rating(), { value: null, asks: false })
  conversation.rate(id, 'up')
  assert.deepEqual(rating(), { value: 'up', asks: false, note: 'thanks' })
  conversation.rate(id, 'down')
  assert.deepEqual(rating(), { value: 'down', asks: true })
  conversation.rate(id, 'down')
  assert.deepEqual(rating(), { value: null, asks: false })
  await setImmediate()
  assert.deepEqual(thumbs, [
    ['t1', 'up'],
    ['t1', 'down'],
    ['t1', null],
  ])
})

test('a reason is sent with the thumb down, and the field closes with thanks', async () => {
  const { conversation, id, rating, thumbs } = await answered()
  conversation.rate(id, 'down')
  conversation.explain(id, '  長すぎる ')
  await setImmediate()
  assert.deepEqual(thumbs.at(-1), ['t1', 'down', '長すぎる'])
  assert.deepEqual(rating(), { value: 'down', asks: false, note: 'thanks' })
  conversation.explain(id, 'again')
  await setImmediate()
  assert.equal(thumbs.length, 2, 'there is no field any more')
})

test('an empty reason only closes the field', async () => {
  const { conversation, id, rating, thumbs } = await answered()
  conversation.rate(id, 'down')
  conversation.explain(id, ' ')
  await setImmediate()
  assert.deepEqual([thumbs.length, rating()], [1, { value: 'down', asks: false, note: 'thanks' }])
})

test('a thumb that cannot be saved returns to the saved one, and can be tried again', async () => {
  const { conversation, id, rating, refusals } = await answered()
  conversation.rate(id, 'up')
  await setImmediate()
  refusals.push(lost)
  conversation.rate(id, 'down')
  await setImmediate()
  assert.deepEqual(rating(), { value: 'up', asks: false, note: 'failed' })
  conversation.rate(id, 'down')
  await setImmediate()
  assert.deepEqual(rating(), { value: 'down', asks: true })
})

test('a reason that cannot be saved stays in its field', async () => {
  const { conversation, id, rating, refusals } = await answered()
  conversation.rate(id, 'down')
  await setImmediate()
  refusals.push(lost)
  conversation.explain(id, 'x')
  await setImmediate()
  assert.deepEqual(rating(), { value: 'down', asks: true, note: 'failed' })
})

test('a failure before the last choice is not shown', async () => {
  const { conversation, id, rating, refusals } = await answered()
  refusals.push(lost)
  conversation.rate(id, 'up')
  conversation.rate(id, 'down')
  await setImmediate()
  assert.deepEqual(rating(), { value: 'down', asks: true })
})

test('notices, refusals, promises, empty and damaged answers have no thumbs', async () => {
  const notice = {
    ...done('混雑しています。'),
    done: { finishReason: 'stop', tier: 'message' } as DoneFrame,
  } as ChatPart
  for (const end of [
    notice,
    done('無理です', 'blocked'),
    done('後で', 'deferred'),
    done(''),
    done('?', 'stop', false),
  ]) {
    const { conversation, scripts, settled, last } = setUp()
    scripts.push(answering(accepted, end))
    conversation.ask('a')
    await settled()
    assert.equal(last().rating, undefined)
  }
  const { conversation, scripts, settled, last, thumbs } = setUp()
  scripts.push(failing(lost, accepted))
  conversation.ask('a')
  await settled()
  conversation.rate(last().id, 'up')
  assert.deepEqual([last().rating, thumbs], [undefined, []])
})

test('stored thumbs are restored, and a thumb of an earlier visit can be taken back', async () => {
  const turn = { question: 'a', answer: 'b', finishReason: 'stop', tier: 'primary', products: [] } as const
  const load: LoadSession = async () => ({
    turns: [
      { ...turn, turnId: 't1', feedback: { value: 'down' } },
      { ...turn, turnId: 't2' },
      { ...turn, turnId: 't3', tier: 'message' },
    ],
    running: undefined,
  })
  const { conversation, refusals, thumbs } = setUp({ remembered: { sessionId: 's1' }, load })
  await conversation.restore()
  const ratings = () => conversation.state.exchanges.map(({ rating }) => rating?.value)
  assert.deepEqual(ratings(), ['down', null, undefined])
  refusals.push(lost)
  const id = conversation.state.exchanges[0]?.id ?? 0
  conversation.rate(id, 'down')
  await setImmediate()
  assert.deepEqual([thumbs, ratings()[0]], [[['t1', null]], 'down'])
})

test('each opened card is reported once', async () => {
  const { conversation, id, opened } = await answered()
  conversation.opened(id, 'akira')
  conversation.opened(id, 'akira')
  conversation.opened(id, 'berserk')
  assert.deepEqual(opened, [
    ['t1', 'akira'],
    ['t1', 'berserk'],
  ])
})
