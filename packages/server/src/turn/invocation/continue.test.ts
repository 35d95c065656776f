// Continues shown text: once, in the same answer, or ends honestly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { messageText, textMessage } from '#domain/model/model-message.ts'
import { sampleAttempt } from '#fixtures/turns/samples.ts'
import { answering, END, failure, say, START, usage } from '#fixtures/models/scripted-model.ts'
import { SAMPLE_FACTS } from '#fixtures/models/vendor-models.ts'
import { finish, OWN, shownBefore } from '#fixtures/turns/walk.ts'

const FIRST_HALF = 'この作品は、静かな町で暮らす兄妹の物語です。'

test('the same model continues a broken answer, asked in the answer’s language, and nothing is repeated', async () => {
  const broken = {
    calls: [
      [START, say(FIRST_HALF), failure('stream-broken')],
      answering('静かな町で暮らす兄妹の', '物語です。最後に', '泣けます。'),
    ],
  }
  const { models, sources, text, end, types, telemetry, recorded } = await finish([broken, answering('never')], {
    facts: { ...SAMPLE_FACTS, trailingAssistant: false },
  })
  assert.equal(text(), `${FIRST_HALF}最後に泣けます。`)
  assert.deepEqual([sources().length, end().finishReason, end().attempts.length], [1, 'stop', 2])
  assert.deepEqual(
    types().filter((type) => type.startsWith('attempt')),
    ['attempt-start', 'attempt-end', 'attempt-start'],
  )
  const last = models[0]?.requests[1]?.messages.at(-1)
  assert.equal(last?.role, 'user')
  assert.match(messageText(last), /途中で切れて/)
  assert.ok(messageText(last).includes(`<shown>\n${FIRST_HALF}\n</shown>`))
  assert.match(messageText(last), /<last>.*兄妹の物語です。<\/last>/)
  assert.ok(telemetry.counted.some(({ name }) => name === 'turn_continued_total'))
  assert.deepEqual(recorded.reports, ['fault', 'success'])
})

test('a model that accepts a prefilled answer gets the shown text', async () => {
  const broken = { calls: [[START, say(FIRST_HALF), failure('stream-broken')], answering('泣けます。')] }
  const { models } = await finish([broken], { facts: { ...SAMPLE_FACTS, trailingAssistant: true } })
  assert.deepEqual(models[0]?.requests[1]?.messages.at(-1), textMessage('assistant', FIRST_HALF))
})

test('a model that stalls after text is not asked again: the next one continues', async () => {
  const { sources, text, calls, end } = await finish([[START, say(FIRST_HALF), 'hang'], answering('また、泣けます。')])
  assert.deepEqual(
    sources().map(({ model }) => model),
    ['model-1', 'model-2'],
  )
  assert.deepEqual([text(), calls(), end().finishReason], [`${FIRST_HALF}また、泣けます。`, [1, 1], 'stop'])
})

test('a restarted answer is recognised, and a different one is not shown', async () => {
  const restart = { calls: [[START, say(FIRST_HALF), failure('stream-broken')], answering(FIRST_HALF, '泣けます。')] }
  assert.equal((await finish([restart])).text(), `${FIRST_HALF}泣けます。`)
  const other = [START, say(`${FIRST_HALF.slice(0, 16)}犬の冒険です。`), END]
  const next = await finish([[START, say(FIRST_HALF), 'hang'], other, answering('また、泣けます。')])
  assert.deepEqual([next.text(), next.calls()], [`${FIRST_HALF}また、泣けます。`, [1, 1, 1]])
  const none = await finish([[START, say(FIRST_HALF), 'hang'], other])
  assert.deepEqual([none.text(), none.end().finishReason, none.end().failure], [FIRST_HALF, 'interrupted', 'misfit'])
})

test('a new answer in other words is not appended to a finished sentence: the shown part ends as interrupted', async () => {
  const shown = 'Popular series do sell out, so it is worth ordering soon.'
  const other = answering('Ordering early makes sense. ', 'A finished series comes as a set.')
  const { text, end, calls } = await finish([[START, say(shown), 'hang'], other], { message: 'Should I hurry?' })
  assert.deepEqual([text(), end().finishReason, end().failure, calls()], [shown, 'interrupted', 'misfit', [1, 1]])
})

test('text that no model continues ends as interrupted, and no fallback follows it', async () => {
  const { sources, text, end, calls } = await finish([[START, say('はじめは'), 'hang'], [failure('internal')]])
  assert.deepEqual([sources().length, text(), end().finishReason], [1, 'はじめは', 'interrupted'])
  assert.deepEqual([end().failure, calls()], ['internal', [1, 3]])
})

test('an answer whose shown text used up the grant ends as length; with any grant left it is continued', async () => {
  const grant = (tokens: number) => ({ facts: SAMPLE_FACTS, maxOutputTokens: tokens })
  const broken = {
    calls: [[START, say('物語です。'), failure('stream-broken')], answering('物語です。', '泣けます。')],
  }
  const used = await finish([broken], grant(5))
  assert.deepEqual([used.end().finishReason, used.calls()], ['length', [1]])
  const little = await finish([broken], grant(20))
  assert.deepEqual([little.end().finishReason, little.calls()], ['stop', [2]])
})

test('an empty answer counts as failed: the next model is asked, also for a continuation', async () => {
  const { sources, text } = await finish([[START, say(''), END], answering('b')])
  assert.deepEqual([sources()[0]?.reason, text()], ['empty', 'b'])
  const going = await finish([
    {
      calls: [
        [START, say(FIRST_HALF), failure('stream-broken')],
        [START, END],
      ],
    },
  ])
  assert.deepEqual([going.end().finishReason, going.end().failure], ['interrupted', 'empty'])
})

test('a text written in one piece is complete, and keeps its end when its owner was lost', async () => {
  for (const [over, finishReason] of [
    [{ tier: 'faq' }, 'stop'],
    [{ tier: 'cached' }, 'stop'],
    [{ tier: 'message', reason: 'internal no-history' }, 'stop'],
    [{ tier: 'message', reason: 'deferred' }, 'deferred'],
    [{ tier: 'message', reason: 'blocked' }, 'blocked'],
    [{ tier: 'embedded', confidence: 0.5, reason: 'internal' }, 'stop'],
  ] as const) {
    const { end, calls } = await finish([answering('never')], { begun: shownBefore('whole', over) })
    assert.deepEqual([end().finishReason, calls()], [finishReason, [0]])
  }
})

test('the built-in responder as a rung is asked for the rest of a cut answer', async () => {
  const cut = sampleAttempt({ model: 'model-2', tier: 'embedded', outcome: 'interrupted' })
  const begun = shownBefore(FIRST_HALF, { model: 'model-2', tier: 'embedded', confidence: 0.5 }, [cut])
  const scripts = [answering('never'), answering('また、泣けます。')]
  const { calls, end } = await finish(scripts, { begun, lowerTier: 'embedded' })
  assert.deepEqual([calls(), end().finishReason], [[0, 1], 'stop'])
})

test('a lost owner’s answer is continued by the model that began it, for the same reason, and attempt numbers continue', async () => {
  const lost = { attempt: 1, model: 'model-2', tier: 'economy', costMicroUsd: 0, outcome: 'interrupted' } as const
  const begun = shownBefore(FIRST_HALF, { model: 'model-2', tier: 'economy', degraded: true, reason: 'hedged' }, [
    { ...lost, usage: { inputTokens: 1, outputTokens: 1, estimated: true } },
  ])
  const { calls, text, end, sources } = await finish([answering('never'), answering('また、泣けます。')], { begun })
  assert.deepEqual([calls(), text(), end().finishReason], [[0, 1], 'また、泣けます。', 'stop'])
  assert.deepEqual([sources()[0]?.degraded, sources()[0]?.reason], [true, 'hedged'])
  assert.deepEqual(
    end().attempts.map(({ attempt }) => attempt),
    [1, 2],
  )
})

const VENDOR = { facts: { ...SAMPLE_FACTS, trailingAssistant: false } }
const BROKEN = [START, say('{"title": "One Piece", "author": "Eiichiro O'), failure('stream-broken')]
const OTHER = answering('{"title": "Naruto", "author": "Masashi Kishimoto"}')

test('a caller that gets the answer in one piece gets the next model’s whole answer, never two halves', async () => {
  const completion = { ...OWN, inOnePiece: true as const }
  const { models, sources, text, end } = await finish([BROKEN, OTHER], { ...VENDOR, completion })
  assert.deepEqual([text(), end().finishReason], ['{"title": "Naruto", "author": "Masashi Kishimoto"}', 'stop'])
  assert.deepEqual(
    sources().map(({ model }) => model),
    ['model-2'],
  )
  const asked = models.flatMap(({ requests }) => requests.map(({ messages }) => JSON.stringify(messages)))
  assert.equal(new Set(asked).size, 1, 'every model gets the caller’s own messages')
})

test('a caller’s stream is continued only by a model that repeats the shown text exactly', async () => {
  const same = answering('{"title": "One Piece", ', '"author": "Eiichiro Oda"}')
  const continued = await finish([BROKEN, same], { ...VENDOR, completion: OWN })
  assert.deepEqual(
    [continued.text(), continued.end().finishReason],
    ['{"title": "One Piece", "author": "Eiichiro Oda"}', 'stop'],
  )
  const other = await finish([BROKEN, OTHER], { ...VENDOR, completion: OWN })
  assert.deepEqual(
    [other.text(), other.end().finishReason, other.end().failure],
    ['{"title": "One Piece", "author": "Eiichiro O', 'interrupted', 'misfit'],
  )
  const short = await finish([BROKEN, answering('{"title"')], { ...VENDOR, completion: OWN })
  assert.equal(short.end().failure, 'misfit')
  const asked = [...continued.models, ...other.models].flatMap(({ requests }) => requests)
  assert.equal(new Set(asked.map(({ messages }) => JSON.stringify(messages))).size, 1, 'no prompt of ours is added')
})

test('a model that accepts a prefilled answer gets the caller’s shown text, and its text follows it', async () => {
  const prefilled = { calls: [BROKEN, answering('da"}')] }
  const { models, text } = await finish([prefilled], {
    facts: { ...SAMPLE_FACTS, trailingAssistant: true },
    completion: OWN,
  })
  assert.equal(text(), '{"title": "One Piece", "author": "Eiichiro Oda"}')
  assert.equal(models[0]?.requests[1]?.messages.at(-1)?.role, 'assistant')
})

test('a caller’s usage is that of the call that answered, and all calls are in the ledger', async () => {
  const spent = { calls: [[...BROKEN.slice(0, -1), usage(60, 20), ...BROKEN.slice(-1)]] }
  const usageOf = (words: readonly string[]) => [START, ...words.map(say), usage(60, 25), END]
  const whole = { ...OWN, inOnePiece: true as const }
  const piece = await finish([spent, usageOf(['{}'])], { ...VENDOR, completion: whole })
  assert.deepEqual(piece.end().answerUsage, { inputTokens: 60, outputTokens: 25, estimated: false })
  assert.ok(piece.end().attempts.length > 1)
  const again = usageOf(['{"title": "One Piece", ', '"author": "Eiichiro Oda"}'])
  const streamed = await finish([spent, again], { ...VENDOR, completion: OWN })
  assert.deepEqual(streamed.end().answerUsage, { inputTokens: 60, outputTokens: 25, estimated: false })
  // With the shown text as its beginning a model writes only the rest: both calls made the answer, from one prompt.
  const facts = { ...SAMPLE_FACTS, trailingAssistant: true }
  const rest = [START, say('da"}'), usage(85, 5), END]
  const prefilled = await finish([{ calls: [...spent.calls, rest] }], { facts, completion: OWN })
  assert.deepEqual(prefilled.end().answerUsage, { inputTokens: 60, outputTokens: 25, estimated: false })
  // A shopper's turn reports all of it.
  assert.equal((await finish([answering('a')])).end().answerUsage, undefined)
})
