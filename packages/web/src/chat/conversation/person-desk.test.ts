// The way to a person: what is offered, asked and shown again, and what happens when the server fails.
import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '@mangaassist/client'
import type { HandoverAsk, HandoverPreview, HandoverView } from '@mangaassist/protocol'
import { createPersonDesk } from './person-desk.ts'

const desk = { name: 'Support desk', contact: 'support@shop.example', timeZone: 'Asia/Tokyo', hours: [], isOpen: true }
const preview: HandoverPreview = { desk, passesOn: { turns: 2 } }
const request: HandoverView = { handoverId: 'h1', sessionId: 's1', state: 'open', at: '2026-11-18T05:00:00.000Z' }

function setUp(given: { sessionId?: string; preview?: HandoverPreview; refusal?: Error } = {}) {
  const asked: HandoverAsk[] = []
  const person = createPersonDesk({
    calls: {
      previewHandover: async () => {
        if (given.preview === undefined) throw new Error('unreachable')
        return given.preview
      },
      askForPerson: async (_, one = {}) => {
        asked.push(one)
        if (given.refusal !== undefined) throw given.refusal
        return { ...request, ...one }
      },
    },
    sessionId: () => given.sessionId,
    changed: () => {},
  })
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { person, asked, settled }
}

test('what is passed on is read first, and nothing is sent before the shopper confirms', async () => {
  const { person, asked, settled } = setUp({ sessionId: 's1', preview })
  void person.open('en')
  assert.equal(person.state.type, 'loading')
  await settled()
  assert.deepEqual([person.state, asked], [{ type: 'offered', preview }, []])
  person.ask({ email: 'reader@example.com' })
  await settled()
  assert.deepEqual(person.state, { type: 'asked', preview, request: { ...request, email: 'reader@example.com' } })
})

test('a request that is not closed is shown with its state', async () => {
  const taken = { ...preview, request: { ...request, state: 'taken' as const } }
  const { person, settled } = setUp({ sessionId: 's1', preview: taken })
  void person.open('ja')
  await settled()
  assert.equal(person.state.type === 'asked' && person.state.request.state, 'taken')
  const closed = setUp({ sessionId: 's1', preview: { ...preview, request: { ...request, state: 'closed' } } })
  void closed.person.open('ja')
  await closed.settled()
  assert.equal(closed.person.state.type, 'offered', 'after a closed one another can be asked')
})

test('an address that cannot be one is not sent', async () => {
  const { person, asked, settled } = setUp({ sessionId: 's1', preview })
  void person.open('ja')
  await settled()
  person.ask({ email: 'reader' })
  assert.deepEqual([person.state, asked], [{ type: 'offered', preview, problem: { word: 'personEmail' } }, []])
})

test('a refusal is shown in the server’s words, a lost connection in ours, and both can be tried again', async () => {
  for (const [refusal, problem] of [
    [new ChatError({ code: 'RATE_LIMITED', message: 'slow down' }), { text: 'slow down' }],
    [new ChatError({ code: 'CONNECTION_LOST', message: 'x' }), { word: 'personFailed' }],
    [new Error('x'), { word: 'personFailed' }],
  ] as const) {
    const { person, settled } = setUp({ sessionId: 's1', preview, refusal })
    void person.open('ja')
    await settled()
    person.ask({})
    await settled()
    assert.deepEqual(person.state, { type: 'offered', preview, problem })
  }
})

test('without a conversation or a server it says so, and a late answer does not open it again', async () => {
  const none = setUp()
  void none.person.open('ja')
  assert.equal(none.person.state.type, 'no-conversation')
  const broken = setUp({ sessionId: 's1' })
  void broken.person.open('ja')
  await broken.settled()
  assert.equal(broken.person.state.type, 'unavailable')
  const late = setUp({ sessionId: 's1', preview })
  void late.person.open('ja')
  late.person.close()
  await late.settled()
  assert.equal(late.person.state.type, 'closed')
})
