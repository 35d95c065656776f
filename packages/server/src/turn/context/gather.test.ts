// Gathers what an answer may use, concurrently, and continues without what is missing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UNGROUNDED } from '@mangaassist/bookseller/grounding'
import { sharesOf } from '#domain/turn/first-word.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { fails, hangs, testPorts, withVerbs } from '#fixtures/stores/ports.ts'
import type { TestPorts } from '#fixtures/stores/ports.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { sampleAdmitted } from '#fixtures/turns/turns.ts'
import { contextCircuits } from './circuits.ts'
import { createGather } from './gather.ts'
import type { LastRecord } from './last-record.ts'
import { createLookUp } from './look-up.ts'
import { plainScope } from '#ports/telemetry/plain-scope.ts'
import type { TurnStart } from '#domain/turn/log-records.ts'

const SHARES = sharesOf(testConfig.answers.firstWordMs)

const never = new AbortController().signal
/** A question that needs the search; one that names a series needs only the catalogue. */
const wish = { message: '笑える漫画を教えて' }
const gatherOver = (ports: TestPorts, circuits = contextCircuits({ ...ports, config: testConfig })) =>
  createGather({
    ...ports,
    circuits,
    config: testConfig,
    lookUp: createLookUp({ ...ports, faq: ports.faq.entries(), contact: testConfig.store.contact }),
  })

/** An admitted turn whose scope reports to the telemetry of the ports. */
const admittedIn = ({ telemetry }: TestPorts, over: Partial<TurnStart> = {}) => ({
  ...sampleAdmitted(over),
  scope: plainScope(telemetry),
})

async function portsWithHistory(turns: number): Promise<TestPorts> {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  for (let version = 0; version < turns; version += 1) {
    await ports.sessions.append(
      'sess_1',
      version,
      sampleStoredTurn({ turnId: `turn_${version}`, question: `q${version}` }),
    )
  }
  return ports
}

test('the newest turns and the retrieved products are gathered together, with nothing missing', async () => {
  const ports = await portsWithHistory(12)
  const grounded = await gatherOver(ports)(sampleAdmitted({ message: '鬼滅の刃みたいな漫画' }), never)
  assert.deepEqual([grounded.history.length, grounded.history[0]?.question], [12, 'q0'])
  const { intent, liked, products } = grounded.grounding
  assert.equal(intent.kind, 'suggest')
  assert.deepEqual([liked[0]?.id, products[0]?.id], ['kimetsu-no-yaiba', 'one-piece'])
  assert.deepEqual(grounded.missing, [])
})

test('a question that matches the FAQ best is an FAQ question, with the entry', async () => {
  const grounded = await gatherOver(await testPorts())(sampleAdmitted({ message: '返品できますか' }), never)
  assert.equal(grounded.grounding.intent.kind, 'faq')
  assert.equal(grounded.grounding.faq[0]?.id, 'returns')
})

test('retrieval knows the earlier turns', async () => {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  await ports.sessions.append(
    'sess_1',
    0,
    sampleStoredTurn({ question: '鬼滅の刃みたいな漫画', productIds: ['one-piece'] }),
  )
  const { intent, products } = (await gatherOver(ports)(sampleAdmitted({ message: 'それの在庫は？' }), never)).grounding
  assert.deepEqual([intent.kind, products.map(({ id }) => id)], ['inform', ['one-piece']])
})

test('facts stated long ago are pinned, and the summary of the oldest turns is included', async () => {
  const ports = await portsWithHistory(1)
  const stated = sampleStoredTurn({ turnId: 'turn_told', question: 'ホラーは嫌です', answer: '' })
  await ports.sessions.append('sess_1', 1, stated)
  for (let version = 2; version < 16; version += 1) {
    const question = version === 2 ? 'ワンピースみたいな漫画はある？' : 'ありがとう'
    await ports.sessions.append('sess_1', version, sampleStoredTurn({ turnId: `turn_${version}`, question }))
  }
  await ports.sessions.summarise('sess_1', 5, '要約')
  const grounded = await gatherOver(ports)(sampleAdmitted({ sessionVersion: 16 }), never)
  assert.deepEqual(grounded.facts.slice(0, 2), ['{"avoids":["ホラー"]}', '{"likes":["ONE PIECE"]}'])
  assert.deepEqual([grounded.summary?.text, grounded.summary?.upTo], ['要約', 5])
})

test('the catalogue is read concurrently with the history, and once for all turns of an edition', async () => {
  const ports = await portsWithHistory(1)
  let reads = 0
  const products = withVerbs(ports.products, {
    page(after, limit) {
      reads += 1
      return ports.products.page(after, limit)
    },
  })
  const sessions = withVerbs(ports.sessions, {
    async recentTurns(sessionId, limit) {
      await ports.clock.sleep(100)
      return ports.sessions.recentTurns(sessionId, limit)
    },
  })
  const gather = gatherOver({ ...ports, products, sessions })
  for (const _ of [1, 2]) {
    const gathering = gather(sampleAdmitted(), never)
    await ports.clock.advance(99)
    assert.equal(reads, 1)
    await ports.clock.advance(1)
    assert.deepEqual((await gathering).missing, [])
  }
  await ports.products.replaceAll([], 'emptied')
  const gathering = gather(sampleAdmitted(), never)
  await ports.clock.advance(100)
  assert.deepEqual([(await gathering).grounding.products, reads, ports.clock.timers()], [[], 2, 0])
})

test('retrieval does not wait for a slow history, and is repeated only when the history changes the meaning', async () => {
  const ports = await testPorts()
  await ports.sessions.create(sampleSession())
  const past = sampleStoredTurn({ question: 'こんにちは', productIds: ['one-piece'] })
  await ports.sessions.append('sess_1', 0, past)
  let searches = 0
  const search = withVerbs(ports.search, {
    async find(query, signal) {
      searches += 1
      await ports.clock.sleep(500)
      return ports.search.find(query, signal)
    },
  })
  const sessions = withVerbs(ports.sessions, {
    async recentTurns(sessionId, limit) {
      await ports.clock.sleep(600)
      return ports.sessions.recentTurns(sessionId, limit)
    },
  })
  const gather = gatherOver({ ...ports, search, sessions })
  const asked = async (message: string, ms: number) => {
    searches = 0
    const gathering = gather(sampleAdmitted({ message }), never)
    await ports.clock.advance(ms)
    const { grounding, missing } = await gathering
    assert.deepEqual(missing, [])
    return { grounding, searches }
  }
  // Both at once: no longer than the slower one.
  const fresh = await asked('笑える漫画を教えて', 600)
  assert.equal(fresh.searches, 1)
  const leaning = await asked('もっと短いのは？', 1100)
  assert.deepEqual(leaning.grounding.state.compared?.than, ['one-piece'])
  assert.equal(ports.clock.timers(), 0)
})

test('late retrieval is aborted and counts as missing, and the turn continues with its history', async () => {
  const ports = await portsWithHistory(2)
  let given: AbortSignal | undefined
  const search = withVerbs(ports.search, {
    find(_query, signal) {
      given = signal
      return hangs()
    },
  })
  const gathering = gatherOver({ ...ports, search })(admittedIn(ports, wish), never)
  await ports.clock.advance(SHARES.retrievalMs)
  const { missing, history, grounding } = await gathering
  assert.deepEqual(missing, ['retrieval'])
  assert.equal(history.length, 2)
  assert.deepEqual([grounding.intent, grounding.products], [UNGROUNDED.intent, []])
  assert.equal(given?.aborted, true)
  assert.deepEqual(ports.telemetry.counted, [{ name: 'context_timeout_total', fields: { source: 'retrieval' } }])
})

test('failed history counts as missing, and the turn continues with the retrieved products', async () => {
  const ports = await testPorts()
  const sessions = withVerbs(ports.sessions, { recentTurns: fails })
  const { missing, history, grounding } = await gatherOver({ ...ports, sessions })(admittedIn(ports), never)
  assert.deepEqual(missing, ['history'])
  assert.deepEqual(history, [])
  assert.ok(grounding.products.length > 0)
  assert.equal(ports.telemetry.logged[0]?.event, 'context.failed')
})

test('hanging history counts as missing in time for retrieval', async () => {
  const ports = await testPorts()
  const sessions = withVerbs(ports.sessions, { recentTurns: hangs })
  const gathering = gatherOver({ ...ports, sessions })(sampleAdmitted(), never)
  await ports.clock.advance(SHARES.contextMs)
  const { missing, grounding } = await gathering
  assert.deepEqual([missing, grounding.products[0]?.id], [['history'], 'kimetsu-no-yaiba'])
})

test('with every store down a greeting is still a greeting and the FAQ still answers', async () => {
  for (const broken of [fails, hangs]) {
    const ports = await testPorts()
    const gather = gatherOver({
      ...ports,
      sessions: withVerbs(ports.sessions, { recentTurns: broken }),
      products: withVerbs(ports.products, { edition: broken, page: broken, byIds: broken }),
      search: withVerbs(ports.search, { find: broken }),
    })
    const ask = async (message: string) => {
      const gathering = gather(sampleAdmitted({ message }), never)
      await ports.clock.advance(SHARES.contextMs)
      return gathering
    }
    const greeted = await ask('こんにちは')
    assert.deepEqual(
      [greeted.missing, greeted.grounding.intent],
      [['history', 'retrieval'], { kind: 'talk', topic: 'greet' }],
    )
    const asked = await ask('返品できますか')
    assert.deepEqual([asked.grounding.intent.kind, asked.grounding.faq[0]?.id], ['faq', 'returns'])
    // Without the catalogue no answer may say that a series is not sold.
    const { intent } = (await ask('鬼滅の刃はありますか？')).grounding
    assert.deepEqual(intent, { kind: 'talk', topic: 'unclear' })
  }
})

test('a stop while gathering ends the wait at once', async () => {
  const ports = await testPorts()
  const controller = new AbortController()
  const search = withVerbs(ports.search, { find: hangs })
  const gathering = gatherOver({ ...ports, search })(sampleAdmitted(wish), controller.signal)
  await ports.clock.advance(10)
  controller.abort()
  assert.deepEqual((await gathering).missing, ['retrieval'])
  assert.equal(ports.clock.timers(), 0)
})

test('a session whose owner is unchecked is not read', async () => {
  const ports = await testPorts()
  let reads = 0
  const sessions = withVerbs(ports.sessions, {
    recentTurns(...asked) {
      reads += 1
      return ports.sessions.recentTurns(...asked)
    },
  })
  const { history, missing } = await gatherOver({ ...ports, sessions })(sampleAdmitted({ unsaved: 'unchecked' }), never)
  assert.deepEqual([history, missing, reads], [[], ['history'], 0])
})

test('a promised answer is not part of the history', async () => {
  const ports = await portsWithHistory(1)
  const deferred = sampleStoredTurn({ turnId: 'turn_9', question: 'kept', finishReason: 'deferred' })
  await ports.sessions.append('sess_1', 1, deferred)
  const { history } = await gatherOver(ports)(sampleAdmitted(), never)
  assert.deepEqual(
    history.map(({ question }) => question),
    ['q0'],
  )
})

test('not every turn waits for an unavailable store, and it is probed without traffic', async () => {
  const ports = await testPorts()
  let calls = 0
  let isUnavailable = true
  const sessions = withVerbs(ports.sessions, {
    async recentTurns() {
      calls += 1
      if (isUnavailable) throw new Error('the store is down')
      return []
    },
  })
  const gather = gatherOver({ ...ports, sessions })
  for (let turn = 0; turn < 8; turn += 1) {
    assert.deepEqual((await gather(sampleAdmitted(), never)).missing, ['history'])
    await ports.clock.advance(500)
  }
  assert.ok(calls < 6, `${calls} calls`)
  isUnavailable = false
  await ports.clock.advance(10_000)
  assert.deepEqual((await gather(sampleAdmitted(), never)).missing, [])
})

test('a dependency whose circuit is forced open is not asked, and counts as missing at once', async () => {
  const ports = await portsWithHistory(2)
  const asked: string[] = []
  const search = withVerbs(ports.search, { find: (...query) => (asked.push('search'), ports.search.find(...query)) })
  const sessions = withVerbs(ports.sessions, {
    recentTurns: (...query) => (asked.push('sessions'), ports.sessions.recentTurns(...query)),
  })
  const circuits = contextCircuits({ ...ports, config: testConfig })
  const gather = gatherOver({ ...ports, search, sessions }, circuits)
  const gathered = async () => {
    asked.length = 0
    const { history, missing } = await gather(sampleAdmitted(wish), never)
    return { asked: [...asked], missing, turns: history.length }
  }
  assert.deepEqual(await gathered(), { asked: ['sessions', 'search'], missing: [], turns: 2 })
  circuits.search.lane.operate('force-open', 'aki')
  assert.deepEqual(await gathered(), { asked: ['sessions'], missing: ['retrieval'], turns: 2 })
  circuits.sessions.lane.operate('force-open', 'aki')
  assert.deepEqual(await gathered(), { asked: [], missing: ['history', 'retrieval'], turns: 0 })
  for (const { lane } of Object.values(circuits)) lane.operate('reset', 'aki')
  assert.deepEqual(await gathered(), { asked: ['sessions', 'search'], missing: [], turns: 2 })
  assert.equal(ports.clock.timers(), 0)
})

test('a title alone is answered in the language of the interface, words in their own', async () => {
  const gather = gatherOver(await testPorts())
  const languageOf = async (message: string, over: Partial<TurnStart>) =>
    (await gather(sampleAdmitted({ message, ...over }), never)).start.language
  assert.equal(await languageOf('One Piece', { language: 'en', interfaceLanguage: 'ja' }), 'ja')
  assert.equal(await languageOf('One Pieces!', { language: 'en', interfaceLanguage: 'ja' }), 'ja')
  assert.equal(await languageOf('鬼滅の刃', { language: 'ja', interfaceLanguage: 'en' }), 'en')
  assert.equal(await languageOf('is One Piece finished?', { language: 'en', interfaceLanguage: 'ja' }), 'en')
  assert.equal(await languageOf('One Piece', { language: 'en' }), 'en')
  assert.equal(await languageOf('One Piece', { language: 'en', languageWish: 'en', interfaceLanguage: 'ja' }), 'en')
})

test('while the catalogue cannot be read, the language of the message stays', async () => {
  const ports = await testPorts()
  const products = withVerbs(ports.products, { edition: fails, page: fails })
  const over = { ...ports, products }
  const asked = admittedIn(over, { message: 'One Piece', language: 'en', interfaceLanguage: 'ja' })
  assert.equal((await gatherOver(over)(asked, never)).start.language, 'en')
})

test('"this one" is the series of the page, until an answer shows others', async () => {
  const ports = await testPorts()
  const page = { productId: 'one-piece', path: '/series/one-piece' }
  const found = async (message: string) => {
    const { intent, products } = (await gatherOver(ports)(sampleAdmitted({ message, page }), never)).grounding
    return [intent.kind, products.map(({ id }) => id)]
  }
  assert.deepEqual(await found('それの在庫は？'), ['inform', ['one-piece']])
  assert.deepEqual((await found('鬼滅の刃の在庫は？'))[1], ['kimetsu-no-yaiba'])
  await ports.sessions.create(sampleSession())
  await ports.sessions.append('sess_1', 0, sampleStoredTurn({ productIds: ['kimetsu-no-yaiba'], page }))
  assert.deepEqual((await found('それの在庫は？'))[1], ['kimetsu-no-yaiba'])
})

test('a page of an unknown series changes nothing', async () => {
  const page = { productId: 'nothing-like-it' }
  const { grounding } = await gatherOver(await testPorts())(sampleAdmitted({ message: 'それの在庫は？', page }), never)
  assert.deepEqual(grounding.products, [])
})

test('the last answer is noted and its fault found, except for a question that was deferred', async () => {
  const ports = await portsWithHistory(2)
  const noted: string[] = []
  const lastRecord: LastRecord = {
    faultOf: async ({ turnId }) => (turnId === 'turn_1' ? 'mismatch' : undefined),
    note: ({ turnId }, { message }) => void noted.push(`${turnId} ${message}`),
  }
  const gather = createGather({
    ...ports,
    circuits: contextCircuits({ ...ports, config: testConfig }),
    config: testConfig,
    lookUp: createLookUp({ ...ports, faq: ports.faq.entries(), contact: testConfig.store.contact }),
    lastRecord,
  })
  assert.equal((await gather(sampleAdmitted(wish), never)).escalation, 'mismatch')
  assert.equal((await gather(sampleAdmitted({ message: 'その答えは間違っています。' }), never)).escalation, 'complaint')
  const deferredFrom = { turnId: 'turn_0', isOver: false }
  assert.equal((await gather(sampleAdmitted({ ...wish, deferredFrom }), never)).escalation, undefined)
  assert.deepEqual(noted, [`turn_1 ${wish.message}`, 'turn_1 その答えは間違っています。'])
})
