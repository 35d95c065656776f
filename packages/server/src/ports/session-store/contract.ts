// The contract of the session store. `make` returns an empty one and its clock; a store whose idle conversations expire
// says after how long.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import { sampleSession, sampleStoredTurn } from '#fixtures/turns/samples.ts'
import type { SessionStore } from './port.ts'

type Make = (context: TestContext) => Promise<{ readonly store: SessionStore; readonly clock: ManualClock }>

export function sessionStoreContract(
  name: string,
  make: Make,
  { expiresAfterMs }: { expiresAfterMs?: number } = {},
): void {
  test(`${name}: a new conversation is at version 0 and repeating its creation changes nothing`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    await store.create(sampleSession({ title: 'another', principalId: 'guest_2' }))
    assert.deepEqual(await store.find('sess_1'), { ...sampleSession(), version: 0 })
    assert.equal(await store.find('sess_unknown'), undefined)
    assert.deepEqual(await store.recentTurns('sess_1', 10), [])
  })

  test(`${name}: an appended turn raises the version and the time of activity`, async (context) => {
    const { store, clock } = await make(context)
    await store.create(sampleSession())
    await clock.advance(5000)
    assert.deepEqual(await store.append('sess_1', 0, sampleStoredTurn()), { kind: 'appended', version: 1 })
    assert.deepEqual(await store.find('sess_1'), { ...sampleSession({ lastActiveAt: NOON + 5000 }), version: 1 })
    assert.deepEqual(await store.recentTurns('sess_1', 10), [sampleStoredTurn()])
  })

  test(`${name}: page, interface language, suggestions, sources, contact and the replaced turn come back with their turn`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    const turn = sampleStoredTurn({
      page: { productId: 'berserk', path: '/series/berserk' },
      interfaceLanguage: 'en',
      replaces: 'turn_0',
      continues: true,
      suggestions: [{ label: '「全巻」\n🗡️', message: '全巻で\\いくら？' }],
      sources: [{ kind: 'product', id: 'berserk', at: '2026-11-04T03:00:00.000Z' }],
      contact: '窓口 support@shop.example',
    })
    await store.append('sess_1', 0, turn)
    assert.deepEqual(await store.recentTurns('sess_1', 10), [turn])
  })

  test(`${name}: an append at another version is a conflict that returns the version and changes nothing`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    await store.append('sess_1', 0, sampleStoredTurn())
    const late = await store.append('sess_1', 0, sampleStoredTurn({ turnId: 'turn_2' }))
    assert.deepEqual(late, { kind: 'conflict', version: 1 })
    const early = await store.append('sess_1', 7, sampleStoredTurn({ turnId: 'turn_2' }))
    assert.deepEqual(early, { kind: 'conflict', version: 1 })
    assert.equal((await store.recentTurns('sess_1', 10)).length, 1)
  })

  test(`${name}: a late turn is read at the position where it was asked`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    const asked = (askedAt: number, late?: true) =>
      sampleStoredTurn({ turnId: `turn_${askedAt}`, askedAt, ...(late === undefined ? {} : { late }) })
    const turns = [asked(1), asked(4), asked(2, true), asked(3, true)]
    for (const [version, turn] of turns.entries()) await store.append('sess_1', version, turn)
    const read = async (limit: number) => (await store.recentTurns('sess_1', limit)).map(({ askedAt }) => askedAt)
    assert.deepEqual(await read(10), [1, 2, 3, 4])
    assert.deepEqual(await read(2), [2, 3], 'the newest are those that came last')
  })

  test(`${name}: of many concurrent appends at one version one succeeds`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    const turns = Array.from({ length: 20 }, (_, index) => sampleStoredTurn({ turnId: `turn_${index}` }))
    const results = await Promise.all(turns.map((turn) => store.append('sess_1', 0, turn)))
    assert.equal(results.filter(({ kind }) => kind === 'appended').length, 1)
    assert.equal((await store.find('sess_1'))?.version, 1)
  })

  test(`${name}: a repeated append returns the version of the first`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    await store.append('sess_1', 0, sampleStoredTurn())
    await store.append('sess_1', 1, sampleStoredTurn({ turnId: 'turn_2' }))
    assert.deepEqual(await store.append('sess_1', 0, sampleStoredTurn()), { kind: 'appended', version: 1 })
    assert.deepEqual(await store.append('sess_1', 9, sampleStoredTurn()), { kind: 'appended', version: 1 })
    assert.equal((await store.find('sess_1'))?.version, 2)
  })

  test(`${name}: an append to a missing conversation returns that it is gone`, async (context) => {
    const { store } = await make(context)
    assert.deepEqual(await store.append('sess_1', 0, sampleStoredTurn()), { kind: 'gone' })
  })

  test(`${name}: recent turns are the newest, oldest first`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    for (let index = 0; index < 5; index += 1) {
      await store.append('sess_1', index, sampleStoredTurn({ turnId: `turn_${index}`, answer: `答え${index} 🙂` }))
    }
    const recent = await store.recentTurns('sess_1', 2)
    assert.deepEqual(
      recent.map(({ turnId, answer }) => [turnId, answer]),
      [
        ['turn_3', '答え3 🙂'],
        ['turn_4', '答え4 🙂'],
      ],
    )
    assert.deepEqual(await store.recentTurns('sess_1', 0), [])
    assert.deepEqual(await store.recentTurns('sess_unknown', 5), [])
  })

  test(`${name}: a summary is stored with its conversation, and only one that covers more turns replaces it`, async (context) => {
    const { store, clock } = await make(context)
    assert.equal(await store.summarise('sess_1', 1, 'of nothing'), false)
    await store.create(sampleSession())
    for (let index = 0; index < 3; index += 1)
      await store.append('sess_1', index, sampleStoredTurn({ turnId: `turn_${index}` }))
    assert.equal(await store.summarise('sess_1', 4, 'of a turn that is not there'), false)
    assert.equal(await store.summarise('sess_1', 0, 'of no turn'), false)
    assert.equal((await store.find('sess_1'))?.summary, undefined)
    await clock.advance(1000)
    assert.equal(await store.summarise('sess_1', 2, 'ホラーは苦手 🙂\n次'), true)
    const summary = { text: 'ホラーは苦手 🙂\n次', upTo: 2, at: NOON + 1000 }
    assert.deepEqual(await store.find('sess_1'), { ...sampleSession(), version: 3, summary })
    assert.deepEqual(await store.listOf('guest_1', 1), [{ ...sampleSession(), version: 3, summary }])
    assert.equal(await store.summarise('sess_1', 2, 'late'), false)
    assert.equal(await store.summarise('sess_1', 1, 'later'), false)
    assert.equal(await store.summarise('sess_1', 3, 'further'), true)
    await store.append('sess_1', 3, sampleStoredTurn({ turnId: 'turn_3' }))
    assert.deepEqual((await store.find('sess_1'))?.summary, { text: 'further', upTo: 3, at: NOON + 1000 })
  })

  test(`${name}: of many summaries of the same turns one is stored`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    await store.append('sess_1', 0, sampleStoredTurn())
    const kept = await Promise.all(Array.from({ length: 10 }, (_, index) => store.summarise('sess_1', 1, `${index}`)))
    assert.equal(kept.filter((one) => one).length, 1)
    assert.equal((await store.find('sess_1'))?.summary?.text, `${kept.indexOf(true)}`)
    await store.remove('sess_1')
    await store.create(sampleSession())
    assert.equal((await store.find('sess_1'))?.summary, undefined)
  })

  test(`${name}: a principal's own conversations are listed, newest activity first`, async (context) => {
    const { store, clock } = await make(context)
    await store.create(sampleSession({ id: 'sess_a' }))
    await store.create(sampleSession({ id: 'sess_b', lastActiveAt: NOON + 10 }))
    await store.create(sampleSession({ id: 'sess_c', principalId: 'guest_2' }))
    const ids = async (limit: number) => (await store.listOf('guest_1', limit)).map(({ id }) => id)
    assert.deepEqual(await ids(10), ['sess_b', 'sess_a'])
    await clock.advance(1000)
    await store.append('sess_a', 0, sampleStoredTurn())
    assert.deepEqual(await ids(10), ['sess_a', 'sess_b'])
    assert.deepEqual(await ids(1), ['sess_a'])
  })

  test(`${name}: removing a conversation removes its turns`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    await store.append('sess_1', 0, sampleStoredTurn())
    await store.remove('sess_1')
    await store.remove('sess_1')
    assert.equal(await store.find('sess_1'), undefined)
    assert.deepEqual(await store.recentTurns('sess_1', 10), [])
    await store.create(sampleSession())
    assert.deepEqual(await store.append('sess_1', 0, sampleStoredTurn()), { kind: 'appended', version: 1 })
  })

  adoptionContract(name, make)
  if (expiresAfterMs === undefined) sweepContract(name, make)
  else expiryContract(name, make, expiresAfterMs)
}

function adoptionContract(name: string, make: Make): void {
  const user = 'user:https%3A%2F%2Fid.example:one'
  const idsOf = async (store: SessionStore, principalId: string, limit = 10) =>
    (await store.listOf(principalId, limit)).map(({ id }) => id)

  test(`${name}: a user adopts a guest's conversations and continues them`, async (context) => {
    const { store, clock } = await make(context)
    await store.create(sampleSession({ id: 'sess_a' }))
    await store.append('sess_a', 0, sampleStoredTurn())
    await store.create(sampleSession({ id: 'sess_b', lastActiveAt: NOON + 10 }))
    await store.create(sampleSession({ id: 'sess_other', principalId: 'guest_2' }))
    await store.create(sampleSession({ id: 'sess_own', principalId: user, lastActiveAt: NOON + 5 }))
    await store.adopt('guest_1', user)
    assert.deepEqual(await idsOf(store, 'guest_1'), [])
    assert.deepEqual(await idsOf(store, 'guest_2'), ['sess_other'])
    assert.deepEqual(await idsOf(store, user), ['sess_b', 'sess_own', 'sess_a'])
    assert.deepEqual(await idsOf(store, user, 2), ['sess_b', 'sess_own'])
    const found = await store.find('sess_a')
    assert.deepEqual([found?.principalId, found?.inheritedFrom, found?.version], [user, 'guest_1', 1])
    assert.equal('inheritedFrom' in ((await store.find('sess_own')) ?? {}), false)
    assert.deepEqual(await store.recentTurns('sess_a', 10), [sampleStoredTurn()])
    await clock.advance(1000)
    const next = await store.append('sess_a', 1, sampleStoredTurn({ turnId: 'turn_2' }))
    assert.deepEqual(next, { kind: 'appended', version: 2 })
    assert.deepEqual(await idsOf(store, user), ['sess_a', 'sess_b', 'sess_own'])
    await store.remove('sess_b')
    assert.deepEqual(await idsOf(store, user), ['sess_a', 'sess_own'])
    assert.equal(await store.find('sess_b'), undefined)
  })

  test(`${name}: a repeated adoption changes nothing, and later conversations of the guest stay the guest's`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession({ id: 'sess_a' }))
    await store.adopt('guest_1', user)
    await store.adopt('guest_1', user)
    await store.create(sampleSession({ id: 'sess_a' }))
    await store.create(sampleSession({ id: 'sess_later' }))
    await store.append('sess_later', 0, sampleStoredTurn())
    assert.deepEqual([await idsOf(store, 'guest_1'), await idsOf(store, user)], [['sess_later'], ['sess_a']])
    // Another user on the same machine: adopted conversations stay with the first user.
    await store.adopt('guest_1', 'user:other')
    assert.deepEqual([await idsOf(store, user), await idsOf(store, 'user:other')], [['sess_a'], ['sess_later']])
    await store.adopt('guest_unknown', user)
    assert.deepEqual(await idsOf(store, user), ['sess_a'])
  })

  test(`${name}: an append during an adoption is not lost`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    const turns = Array.from({ length: 6 }, (_, index) => sampleStoredTurn({ turnId: `turn_${index}` }))
    const appending = (async () => {
      for (const [version, turn] of turns.entries()) await store.append('sess_1', version, turn)
    })()
    await Promise.all([appending, store.adopt('guest_1', user), store.adopt('guest_1', user)])
    assert.deepEqual(await store.recentTurns('sess_1', 10), turns)
    assert.deepEqual(await idsOf(store, user), ['sess_1'])
  })

  test(`${name}: a removed conversation is not adopted, even when its id is used again`, async (context) => {
    const { store } = await make(context)
    await store.create(sampleSession())
    await store.adopt('guest_1', user)
    await store.remove('sess_1')
    await store.create(sampleSession())
    assert.equal((await store.find('sess_1'))?.principalId, 'guest_1')
    assert.deepEqual([await idsOf(store, 'guest_1'), await idsOf(store, user)], [['sess_1'], []])
  })
}

function sweepContract(name: string, make: Make): void {
  test(`${name}: a sweep removes idle conversations, at most its limit`, async (context) => {
    const { store } = await make(context)
    for (let index = 0; index < 3; index += 1) await store.create(sampleSession({ id: `sess_${index}` }))
    await store.create(sampleSession({ id: 'sess_active', lastActiveAt: NOON + 1 }))
    assert.equal(await store.sweep(NOON + 1, 2), 2)
    assert.equal(await store.sweep(NOON + 1, 2), 1)
    assert.equal(await store.sweep(NOON + 1, 2), 0)
    assert.deepEqual(
      (await store.listOf('guest_1', 10)).map(({ id }) => id),
      ['sess_active'],
    )
  })
}

function expiryContract(name: string, make: Make, expiresAfterMs: number): void {
  test(`${name}: an idle conversation expires, counted from its last turn`, async (context) => {
    const { store, clock } = await make(context)
    await store.create(sampleSession())
    await store.create(sampleSession({ id: 'sess_idle' }))
    await clock.advance(1000)
    await store.append('sess_1', 0, sampleStoredTurn())
    await clock.advance(expiresAfterMs - 1000)
    assert.deepEqual(
      (await store.listOf('guest_1', 10)).map(({ id }) => id),
      ['sess_1'],
    )
    assert.equal(await store.find('sess_idle'), undefined)
    assert.deepEqual(await store.append('sess_idle', 0, sampleStoredTurn()), { kind: 'gone' })
    await clock.advance(1000)
    assert.equal(await store.find('sess_1'), undefined)
    assert.deepEqual(await store.recentTurns('sess_1', 10), [])
    assert.equal(await store.sweep(clock.now(), 10), 0)
  })
}
