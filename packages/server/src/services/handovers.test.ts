// A shopper asks for a person: what they see before, what is stored, who is called, and what goes with the conversation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryHandover } from '#adapters/memory/handover.ts'
import { Refusal } from '#domain/refusal.ts'
import { testPorts } from '#fixtures/stores/ports.ts'
import { testConfig } from '#fixtures/stores/wire-test.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import { GUEST, STRANGER } from '#fixtures/turns/turns.ts'
import { createHandovers } from './handovers.ts'
import { createHandoverQueries } from './operators/handovers.ts'
import { createPersonQueries } from './person.ts'
import { createSessionQueries } from './sessions.ts'

const HOME = '192.0.2.1'
const AKI = { by: 'aki', reason: 'I call them' }

async function setUp() {
  const ports = await testPorts()
  const handover = memoryHandover({ withText: true, underWayMax: 8 })
  const sessions = createSessionQueries({ ...ports, config: testConfig })
  const noted: string[] = []
  const parts = { ...ports, config: testConfig, check: sessions.check, note: (id: string) => void noted.push(id) }
  const begin = async (id: string) => {
    await ports.sessions.create(sampleSession({ id }))
    await ports.sessions.append(
      id,
      0,
      sampleStoredTurn({ turnId: `turn_of_${id}`, question: '注文番号48213が届かない' }),
    )
  }
  await begin('sess_1')
  const another = () => createHandovers({ ...parts, handover })
  const queries = another()
  return { ports, another, begin, handover, noted, sessions, queries, inbox: createHandoverQueries(ports) }
}

test('before asking, the shopper sees the desk, its hours and what is passed on', async () => {
  const { queries } = await setUp()
  const preview = await queries.previewHandover(GUEST, 'sess_1', 'en')
  assert.deepEqual(preview.passesOn, { turns: 1, orderNumber: '48213' })
  const { isOpen, name, timeZone } = preview.desk
  assert.deepEqual([isOpen, name, timeZone], [true, 'Support desk', 'Asia/Tokyo'])
  assert.ok(preview.desk.closesAt !== undefined && preview.desk.opensAt === undefined)
  assert.equal(preview.request, undefined)
  await assert.rejects(queries.previewHandover(STRANGER, 'sess_1', 'en'), { code: 'NOT_FOUND' })
})

test('a shop with an address of its own and no hours tells none', async () => {
  const { ports, sessions } = await setUp()
  const store = { ...testConfig.store, contact: { ja: '窓口', en: 'the desk' } }
  const check = { check: sessions.check, note: () => {} }
  const shop = createHandovers({ ...ports, ...check, config: { store } })
  const { desk } = await shop.previewHandover(GUEST, 'sess_1', 'ja')
  assert.deepEqual([desk.contact, desk.hours, desk.isOpen, desk.opensAt], ['窓口', [], undefined, undefined])
})

test('a request is stored, calls the desk once, and a repeat returns it until it is closed', async () => {
  const { handover, inbox, noted, queries } = await setUp()
  const asked = await queries.askForPerson(GUEST, 'sess_1', {
    network: HOME,
    email: 'aki@mail.example',
    orderNumber: '48213',
  })
  assert.deepEqual([asked.state, asked.email], ['open', 'aki@mail.example'])
  const repeat = await queries.askForPerson(GUEST, 'sess_1', { network: HOME, note: 'again' })
  assert.deepEqual(repeat, asked)
  assert.equal(handover.calls.length, 1)
  const [call] = handover.calls
  assert.deepEqual(
    [call?.handoverId, call?.reason, call?.given?.email],
    [asked.handoverId, 'asked-for-a-person', 'aki@mail.example'],
  )
  assert.deepEqual(noted, ['turn_of_sess_1'])
  const line = await inbox.takeHandover(asked.handoverId, AKI)
  assert.deepEqual([line.action, line.before, line.after], ['handover-taken', 'open', 'taken'])
  await assert.rejects(inbox.takeHandover(asked.handoverId, AKI), (error) => {
    assert.ok(error instanceof Refusal)
    assert.deepEqual(error.details, { field: 'handoverId', reason: 'is taken', by: 'aki' })
    return true
  })
  assert.equal((await queries.previewHandover(GUEST, 'sess_1', 'ja')).request?.state, 'taken')
  await inbox.closeHandover(asked.handoverId, { ...AKI, reason: 'sent again' })
  assert.notEqual((await queries.askForPerson(GUEST, 'sess_1', { network: HOME })).handoverId, asked.handoverId)
  await assert.rejects(inbox.closeHandover('hand_9', AKI), { code: 'NOT_FOUND' })
})

test('one person may ask five times a day, over all conversations', async () => {
  const { begin, ports, queries } = await setUp()
  for (const index of [1, 2, 3, 4, 5, 6]) {
    if (index > 1) await begin(`sess_${index}`)
    const asking = queries.askForPerson(GUEST, `sess_${index}`, { network: HOME })
    if (index <= 5) await asking
    else await assert.rejects(asking, { code: 'RATE_LIMITED', retryAfterMs: 86_400_000 - 5000 })
    await ports.clock.advance(1000)
  }
})

test('requests at the same time count each other, also on two nodes', async () => {
  const { another, begin, inbox, queries } = await setUp()
  const other = another()
  const nodeOf = (index: number) => (index % 2 === 0 ? queries : other)
  const ids = Array.from({ length: 9 }, (_, index) => `sess_${index + 1}`)
  for (const id of ids.slice(1)) await begin(id)
  const asked = await Promise.allSettled(
    ids.map((id, index) => nodeOf(index).askForPerson(GUEST, id, { network: HOME })),
  )
  assert.equal(asked.filter(({ status }) => status === 'fulfilled').length, 5)
  assert.equal((await inbox.handovers({ limit: 10 })).length, 5)
})

test('guests of one network together cannot flood the desk, on all nodes, and it gets calm again', async () => {
  const { another, ports, queries } = await setUp()
  const other = another()
  let count = 0
  // Each is a new guest, on one node or the other.
  const ask = async (network: string) => {
    count += 1
    const guest = { ...GUEST, id: `guest_new_${count}` }
    await ports.sessions.create(sampleSession({ id: `sess_new_${count}`, principalId: guest.id }))
    const node = count % 2 === 0 ? queries : other
    return node.askForPerson(guest, `sess_new_${count}`, { network })
  }
  for (let asked = 0; asked < 20; asked += 1) await ask(HOME)
  await assert.rejects(ask(HOME), { code: 'RATE_LIMITED', retryAfterMs: 180_000 })
  await ask('203.0.113.77')
  await ports.clock.advance(180_000)
  await ask(HOME)
  await assert.rejects(ask(HOME), { code: 'RATE_LIMITED' })
})

test('a user is limited by the account, whatever the network, with repeats and requests of removed conversations', async () => {
  const { ports, queries, sessions } = await setUp()
  const user = { id: 'user:aki', kind: 'user', tier: 'free' } as const
  for (let asked = 0; asked < 20; asked += 1) {
    await ports.sessions.create(sampleSession({ id: `sess_of_${asked}`, principalId: user.id }))
    await queries.askForPerson(user, `sess_of_${asked}`, { network: `network ${asked}` })
    await sessions.remove(user, `sess_of_${asked}`)
  }
  await ports.sessions.create(sampleSession({ id: 'sess_last', principalId: user.id }))
  await assert.rejects(queries.askForPerson(user, 'sess_last', { network: 'another' }), { code: 'RATE_LIMITED' })
})

test('pages of the inbox follow each other, and a request goes with its conversation, its person and a sign-in', async () => {
  const { begin, inbox, ports, queries, sessions } = await setUp()
  await begin('sess_2')
  const first = await queries.askForPerson(GUEST, 'sess_1', { network: HOME })
  await ports.clock.advance(1000)
  const second = await queries.askForPerson(GUEST, 'sess_2', { network: HOME })
  const [newest] = await inbox.handovers({ state: 'open', limit: 1 })
  assert.deepEqual([newest?.handoverId, newest?.userId], [second.handoverId, GUEST.id])
  const [next] = await inbox.handovers({ state: 'open', limit: 1, after: second.handoverId })
  assert.equal(next?.handoverId, first.handoverId)
  await assert.rejects(inbox.handovers({ limit: 1, after: 'hand_9' }), { code: 'INVALID_REQUEST' })
  const user = { id: 'user:aki', kind: 'user', tier: 'free' } as const
  await sessions.adopt(GUEST.id, user)
  await sessions.remove(user, 'sess_2')
  const person = createPersonQueries({ ...ports, config: testConfig })
  assert.deepEqual(
    (await person.exportPerson(user.id)).handovers.map(({ id }) => id),
    [first.handoverId],
  )
  assert.equal((await person.erasePerson(user.id)).handovers, 1)
  assert.deepEqual(await inbox.handovers({ limit: 10 }), [])
})
