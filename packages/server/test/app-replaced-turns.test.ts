// A question that is asked again, edited or continued, over the whole pipeline in memory: the turn in its place counts, the
// replaced one stays stored and is left out of prompts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageText } from '#domain/model/model-message.ts'
import { Refusal } from '#domain/refusal.ts'
import { testConfig, testLanes } from '#fixtures/stores/wire-test.ts'
import { recordsOf, testPorts } from '#fixtures/stores/ports.ts'
import { answering, END, say, scriptedModel, START } from '#fixtures/models/scripted-model.ts'
import type { Script } from '#fixtures/models/scripted-model.ts'
import { collect } from '#fixtures/time/streams.ts'
import { GUEST, sampleReceived, STRANGER } from '#fixtures/turns/turns.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { createApp } from '#app/app.ts'
import type { Received } from '#turn/turn.ts'

const QUESTION = '鬼滅の刃は何巻までありますか？'
const PARTIAL = '『鬼滅の刃』は全23巻で完結しています。人気の'

async function setUp(script: Script, tokens: Partial<typeof testConfig.tokens> = {}) {
  const ports = await testPorts()
  const { clock } = ports
  const model = scriptedModel(clock, script, 'primary-id')
  const models = new Map([['primary', { ...model, facts: { ...SAMPLE_FACTS, trailingAssistant: false } }]])
  const config = {
    ...testConfig,
    models: { primary: { provider: 'bedrock', id: 'p' } as const },
    ladder: ['primary'],
    tokens: { ...testConfig.tokens, ...tokens },
  }
  const severable = { ...ports, lanes: testLanes(ports, config), models }
  const app = createApp(severable, config)
  const ask = (over: Partial<Received> = {}) => app.chat(sampleReceived({ message: QUESTION, ...over }))
  const answered = async (over: Partial<Received> = {}) => {
    const accepted = await ask(over)
    const frames = collect(await app.read(GUEST, { turnId: accepted.turnId, offset: 0 }, new AbortController().signal))
    await clock.advance(1000)
    const read = await frames
    const text = read.map((frame) => (frame.type === 'chunk' ? frame.text : '')).join('')
    return { ...accepted, text, done: read.find((frame) => frame.type === 'done') }
  }
  /** Asks and stops after the first words. */
  const stopped = async () => {
    const accepted = await ask()
    await clock.advance(10)
    await app.stop(GUEST, accepted.turnId)
    await clock.advance(1000)
    return accepted
  }
  return { answered, app, ask, model, ports, stopped }
}

function refused(code: string, details: object) {
  return (error: unknown) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual([error.code, error.details], [code, details])
    return true
  }
}

const prompts = ({ requests }: { readonly requests: readonly { readonly messages: readonly unknown[] }[] }) =>
  requests.map(({ messages }) => messages.map((message) => messageText(message as Parameters<typeof messageText>[0])))

test('asked again within the double tap, it is a new turn, and neither prompt nor cache knows the replaced pair', async () => {
  const { answered, app, model, ports } = await setUp({
    calls: [answering('一回目。'), answering('二回目。'), answering('三回目。'), answering('四回目。')],
  })
  const first = await answered()
  const { sessionId } = first
  const again = await answered({ sessionId, replaces: first.turnId })
  const edited = await answered({ sessionId, message: '進撃の巨人は何巻ですか？', replaces: again.turnId })
  await answered({ sessionId, message: 'それは完結していますか？' })
  assert.deepEqual([again.duplicate, again.text], [false, '二回目。'])
  const [, second, third, fourth] = prompts(model)
  assert.equal(second?.length, 1, 'no history')
  assert.equal(third?.length, 1, 'no history')
  const said = fourth?.join('\n') ?? ''
  assert.match(said, /進撃の巨人/)
  assert.match(said, /三回目/)
  assert.doesNotMatch(said, /鬼滅の刃|一回目|二回目/)
  const { turns, version } = await app.session(GUEST, sessionId)
  assert.equal(version, 4)
  assert.deepEqual(
    turns.map(({ replaces, replacedBy }) => [replaces, replacedBy]),
    [
      [undefined, again.turnId],
      [first.turnId, edited.turnId],
      [again.turnId, undefined],
      [undefined, undefined],
    ],
  )
  await app.drain()
  assert.equal((await ports.turnRecords.find(edited.turnId))?.replaces, again.turnId)
  assert.equal((await ports.turnRecords.find(first.turnId))?.received.askedAgain, true)
  const [start] = await recordsOf(ports.turnLog, again.turnId)
  assert.ok(start?.kind === 'start')
  assert.equal(start.start.replaces, first.turnId, 'a takeover finds it in the first record')
})

test('a repeat of the request joins its turn, though the turn it replaces is replaced by now', async () => {
  const { answered, app } = await setUp(answering('はい。'))
  const first = await answered()
  const request = { sessionId: first.sessionId, replaces: first.turnId, idempotencyKey: 'k' }
  const again = await answered(request)
  const repeat = await answered(request)
  assert.deepEqual([repeat.turnId, repeat.duplicate], [again.turnId, true])
  await app.drain()
})

test('what cannot be replaced is refused with the reason, and nothing stays held', async () => {
  const { answered, app, ask, ports } = await setUp(answering('はい。'))
  const first = await answered()
  const { sessionId } = first
  const other = await answered({ message: '別の会話です。' })
  const again = await answered({ sessionId, replaces: first.turnId })
  // Past the double tap: the same request again would join its turn.
  await ports.clock.advance(10_000)
  const cases: readonly [Partial<Received>, string, object][] = [
    [{ replaces: first.turnId }, 'INVALID_REQUEST', { field: 'replaces', reason: 'no-session' }],
    [{ sessionId, replaces: 'turn_unknown' }, 'NOT_FOUND', { field: 'replaces' }],
    [{ sessionId, replaces: other.turnId }, 'NOT_FOUND', { field: 'replaces' }],
    [
      { sessionId, replaces: first.turnId },
      'INVALID_REQUEST',
      { field: 'replaces', reason: 'already-replaced', replacedBy: again.turnId },
    ],
    [
      { sessionId, replaces: again.turnId, continues: again.turnId },
      'INVALID_REQUEST',
      { field: 'continues', reason: 'also-replaces' },
    ],
    [{ sessionId, continues: again.turnId }, 'INVALID_REQUEST', { field: 'continues', reason: 'complete' }],
    [{ sessionId, principal: STRANGER, replaces: again.turnId }, 'NOT_FOUND', { field: 'sessionId' }],
  ]
  for (const [over, code, details] of cases) await assert.rejects(ask(over), refused(code, details))
  assert.equal(await ports.budgets.runningTurn({ id: sessionId, principalId: GUEST.id }), undefined)
  await app.drain()
})

test('while a turn runs, it cannot be replaced', async () => {
  const { app, ask, ports } = await setUp([START, say('は'), { waitMs: 5000 }, say('い'), END])
  const { sessionId, turnId } = await ask()
  await assert.rejects(ask({ sessionId, replaces: turnId }), refused('SESSION_BUSY', { turnId }))
  await ports.clock.advance(10_000)
  await app.drain()
})

test('a stopped answer is continued from its last word, and takes the place of the stopped one', async () => {
  const { answered, app, model, ports, stopped } = await setUp({
    calls: [
      [START, say(PARTIAL), { waitMs: 60_000 }],
      answering('人気の', '理由は絵の美しさです。'),
      answering('はい、完結しています。'),
    ],
  })
  const { sessionId, turnId } = await stopped()
  const { turns: before } = await app.session(GUEST, sessionId)
  assert.deepEqual([before[0]?.finishReason, before[0]?.answer], ['stopped', PARTIAL])
  const rest = await answered({ sessionId, continues: turnId })
  assert.equal(rest.text, `${PARTIAL}理由は絵の美しさです。`)
  assert.deepEqual([rest.done?.finishReason, rest.done?.length], ['stop', rest.text.length])
  assert.match(prompts(model)[1]?.at(-1) ?? '', /<shown>/)
  const { turns } = await app.session(GUEST, sessionId)
  assert.deepEqual(
    turns.map(({ answer, continues, replaces, replacedBy }) => [answer, continues, replaces, replacedBy]),
    [
      [PARTIAL, undefined, undefined, rest.turnId],
      [rest.text, true, turnId, undefined],
    ],
  )
  await answered({ sessionId, message: 'もう完結していますか？' })
  assert.deepEqual(prompts(model)[2]?.slice(0, 2), [QUESTION, rest.text], 'one pair, whole')
  await app.drain()
  assert.equal((await ports.turnRecords.find(rest.turnId))?.continues, true)
})

test('an answer that no model can continue stays as it was shown, and can be continued again', async () => {
  const { answered, app, stopped } = await setUp({
    calls: [
      [START, say(PARTIAL), { waitMs: 60_000 }],
      answering('まったく別の話をします。'),
      answering('人気の', '秘密です。'),
    ],
  })
  const { sessionId, turnId } = await stopped()
  const broken = await answered({ sessionId, continues: turnId })
  assert.deepEqual([broken.done?.finishReason, broken.text], ['interrupted', PARTIAL])
  const rest = await answered({ sessionId, continues: broken.turnId })
  assert.equal(rest.text, `${PARTIAL}秘密です。`)
  await app.drain()
})

test('a chain of continued answers ends at its bound in characters, and the answer can then only be asked again', async () => {
  const rest = '理由は絵の美しさです。'
  const charactersMax = PARTIAL.length + rest.length
  const { answered, app, ask, stopped } = await setUp(
    {
      calls: [
        [START, say(PARTIAL), { waitMs: 60_000 }],
        [START, say(`人気の${rest}`), { type: 'message-end', stopReason: 'length' }],
        answering('はい。'),
      ],
    },
    { continuedCharactersMax: charactersMax },
  )
  const { sessionId, turnId } = await stopped()
  const long = await answered({ sessionId, continues: turnId })
  assert.deepEqual([long.text, long.done?.finishReason, long.done?.continuable], [PARTIAL + rest, 'length', false])
  const { turns } = await app.session(GUEST, sessionId)
  assert.deepEqual(
    turns.map(({ continuable }) => continuable),
    [undefined, false],
  )
  await assert.rejects(
    ask({ sessionId, continues: long.turnId }),
    refused('INVALID_REQUEST', { field: 'continues', reason: 'too-long', charactersMax }),
  )
  assert.equal((await answered({ sessionId, replaces: long.turnId })).text, 'はい。')
  await app.drain()
})

test('only the question of the stopped answer continues it', async () => {
  const { app, ask, stopped } = await setUp([START, say(PARTIAL), { waitMs: 60_000 }])
  const { sessionId, turnId } = await stopped()
  await assert.rejects(
    ask({ sessionId, continues: turnId, message: '別の質問' }),
    refused('INVALID_REQUEST', { field: 'message', reason: 'another-question' }),
  )
  await app.drain()
})
