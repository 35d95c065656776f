// The contract of the requests for a person. `make` returns an empty store, and a way to open it again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { manualClock, NOON } from '#fixtures/time/manual-clock.ts'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { HANDOVER_KEEP_MS } from './handover-requests.ts'
import type { HandoverRequest, HandoverRequests } from './handover-requests.ts'

type Make = (
  context: TestContext,
  clock: ManualClock,
) => Promise<{ readonly store: HandoverRequests; readonly reopen: () => Promise<HandoverRequests> }>

type Asked = Parameters<HandoverRequests['add']>[0]

export function sampleHandover(over: Partial<Asked> = {}): Asked {
  return { id: 'hand_1', sessionId: 'sess_1', principalId: 'guest_1', language: 'ja', at: NOON, ...over }
}

const change = { at: NOON + 5, by: 'Aiko', reason: 'answered by mail' }
const ids = (requests: readonly HandoverRequest[]) => requests.map(({ id }) => id)

export function handoverRequestsContract(name: string, make: Make): void {
  const opened = async (context: TestContext) => {
    const clock = manualClock()
    return { clock, ...(await make(context, clock)) }
  }

  test(`${name}: a request is open, and has what the shopper gave, also after a restart`, async (context) => {
    const { reopen, store } = await opened(context)
    const given = { turnId: 'turn_1', email: 'aki@mail.example', orderNumber: '48213', note: '届きません。\n"急ぎ" 🗡️' }
    const asked = sampleHandover(given)
    assert.deepEqual(await store.add(asked), { ...asked, state: 'open' })
    assert.deepEqual(await (await reopen()).find('hand_1'), { ...asked, state: 'open' })
    assert.equal(await store.find('hand_2'), undefined)
  })

  test(`${name}: a conversation has one request at a time, and another after that is closed`, async (context) => {
    const { store } = await opened(context)
    const first = await store.add(sampleHandover())
    assert.deepEqual(await store.add(sampleHandover({ id: 'hand_2', at: NOON + 1 })), first)
    const taken = await store.move('hand_1', { from: ['open'], to: 'taken', changed: change })
    assert.deepEqual(await store.add(sampleHandover({ id: 'hand_2', at: NOON + 1 })), taken)
    await store.move('hand_1', { from: ['taken'], to: 'closed', changed: change })
    assert.equal((await store.add(sampleHandover({ id: 'hand_2', at: NOON + 1 })))?.id, 'hand_2')
    assert.deepEqual(ids(await store.ofSession('sess_1')), ['hand_2', 'hand_1'])
  })

  test(`${name}: of requests at the same time as many are stored as a person may make, over all nodes`, async (context) => {
    const { reopen, store } = await opened(context)
    const elsewhere = await reopen()
    const limit = { max: 3, since: NOON }
    await store.add(sampleHandover({ id: 'hand_old', sessionId: 'sess_old' }))
    const asked = Array.from({ length: 8 }, (_, index) =>
      sampleHandover({ id: `hand_${index}`, sessionId: `sess_${index}`, at: NOON + 1 }),
    )
    const added = await Promise.all(asked.map((one, index) => (index % 2 === 0 ? store : elsewhere).add(one, limit)))
    assert.equal(added.filter((request) => request !== undefined).length, 3, 'the old one does not count')
    assert.equal((await store.ofPrincipal('guest_1')).length, 4)
    const known = added.find((request) => request !== undefined)
    const repeated = sampleHandover({ id: 'hand_again', sessionId: known?.sessionId ?? '', at: NOON + 2 })
    assert.deepEqual(await store.add(repeated, limit), known, 'a repeat needs no room')
    const other = sampleHandover({ id: 'hand_other', sessionId: 'sess_other', principalId: 'guest_2', at: NOON + 1 })
    assert.equal((await store.add(other, limit))?.id, 'hand_other')
  })

  test(`${name}: of several that take a request, one does`, async (context) => {
    const { store } = await opened(context)
    await store.add(sampleHandover())
    const all = ['Aiko', 'Ben', 'Chie'].map((by) =>
      store.move('hand_1', { from: ['open'], to: 'taken', changed: { ...change, by } }),
    )
    const taken = (await Promise.all(all)).filter((request) => request !== undefined)
    assert.equal(taken.length, 1)
    assert.deepEqual(await store.find('hand_1'), taken[0])
    assert.equal(await store.move('hand_9', { from: ['open'], to: 'taken', changed: change }), undefined)
  })

  test(`${name}: lists are paged, newest first, all of them or of one state`, async (context) => {
    const { store } = await opened(context)
    for (const [index, at] of [3, 1, 2, 2, 2].entries())
      await store.add(sampleHandover({ id: `hand_${index}`, sessionId: `sess_${index}`, at: NOON + at }))
    await store.move('hand_3', { from: ['open'], to: 'closed', changed: change })
    const order = ['hand_0', 'hand_4', 'hand_3', 'hand_2', 'hand_1']
    assert.deepEqual(ids(await store.list({ limit: 10 })), order)
    const pages: string[] = []
    let after: HandoverRequest | undefined
    for (const size of [2, 2, 1]) {
      const page = await store.list({ limit: 2, after })
      assert.equal(page.length, size)
      pages.push(...ids(page))
      after = page.at(-1)
    }
    assert.deepEqual(pages, order)
    assert.deepEqual(ids(await store.list({ state: 'open', limit: 2, after: { at: NOON + 3, id: 'hand_0' } })), [
      'hand_4',
      'hand_2',
    ])
    assert.deepEqual(ids(await store.list({ state: 'closed', limit: 10 })), ['hand_3'])
  })

  test(`${name}: requests go with their person or their conversation`, async (context) => {
    const { store } = await opened(context)
    await store.add(sampleHandover())
    await store.add(sampleHandover({ id: 'hand_2', sessionId: 'sess_2', at: NOON + 1 }))
    await store.add(sampleHandover({ id: 'hand_3', sessionId: 'sess_3', principalId: 'guest_2' }))
    await store.adopt('guest_1', 'user:a}b')
    await store.adopt('guest_1', 'user:a}b')
    assert.deepEqual(ids(await store.ofPrincipal('user:a}b')), ['hand_2', 'hand_1'])
    assert.equal((await store.find('hand_1'))?.principalId, 'user:a}b')
    assert.deepEqual(await store.ofPrincipal('guest_1'), [])
    assert.equal(await store.forget({ sessionId: 'sess_2' }), 1)
    assert.equal(await store.forget({ principalId: 'user:a}b' }), 1)
    assert.equal(await store.forget({ principalId: 'user:a}b' }), 0)
    assert.deepEqual(ids(await store.list({ limit: 10 })), ['hand_3'])
    assert.deepEqual([await store.ofSession('sess_1'), await store.find('hand_1')], [[], undefined])
    assert.equal((await store.add(sampleHandover({ id: 'hand_4' })))?.id, 'hand_4')
  })

  test(`${name}: a sweep removes the oldest`, async (context) => {
    const { clock, store } = await opened(context)
    for (const index of [1, 2, 3])
      await store.add(sampleHandover({ id: `hand_${index}`, sessionId: `sess_${index}`, at: NOON + index }))
    await clock.advance(HANDOVER_KEEP_MS + 2)
    assert.equal(await store.sweep(1), 1)
    assert.equal(await store.sweep(10), 1)
    assert.equal(await store.sweep(10), 0)
    assert.deepEqual(ids(await store.list({ limit: 10 })), ['hand_3'])
  })
}
