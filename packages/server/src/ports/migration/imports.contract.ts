// The contracts of the imports: what was stored elsewhere is read by the store's own verbs as it was, a repeat changes nothing, and
// nothing that exists is overwritten. Each `make` returns an empty store and its import.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { NOON } from '#fixtures/time/manual-clock.ts'
import {
  sampleAsk,
  sampleEnd,
  sampleLimits,
  sampleSession,
  sampleStart,
  sampleStoredTurn,
  TODAY,
} from '#fixtures/turns/samples.ts'
import type { AdminStore, AuditEntry } from '../admin-store/port.ts'
import type { Budgets } from '../budgets/port.ts'
import type { SessionStore } from '../session-store/port.ts'
import type { LogRecord, TurnLog } from '../turn-log/port.ts'
import type { TurnRecords } from '../turn-records/port.ts'
import type { AccountImport, AccountUse, AdminImport, SessionImport, TurnLogImport, UnitImport } from './imports.ts'

type Make<Made> = (context: TestContext) => Promise<Made>

export function sessionImportContract(
  name: string,
  make: Make<{ readonly imports: SessionImport; readonly store: SessionStore; readonly clock: ManualClock }>,
  { expiresAfterMs }: { readonly expiresAfterMs: number },
): void {
  const turns = [1, 2, 3].map((number) => sampleStoredTurn({ turnId: `turn_${number}`, answer: `答え ${number} "\\` }))
  const session = {
    ...sampleSession({ createdAt: NOON - 30_000, lastActiveAt: NOON - 20_000 }),
    version: 3,
    summary: { text: 'まとめ', upTo: 2, at: NOON - 10_000 },
  }

  test(`${name}: a conversation is read as it was, with its times and its summary`, async (context) => {
    const { imports, store } = await make(context)
    assert.equal(await imports.add(session, turns), true)
    assert.deepEqual(await store.find('sess_1'), session)
    assert.deepEqual(await store.recentTurns('sess_1', 10), turns)
    assert.deepEqual(await store.listOf('guest_1', 10), [session])
  })

  test(`${name}: a conversation without turns or summary can be moved too`, async (context) => {
    const { imports, store } = await make(context)
    const empty = { ...sampleSession(), version: 0 }
    await imports.add(empty, [])
    assert.deepEqual(await store.find('sess_1'), empty)
    assert.deepEqual(await store.append('sess_1', 0, sampleStoredTurn()), { kind: 'appended', version: 1 })
  })

  test(`${name}: it is continued at its version, and a turn that it has is known`, async (context) => {
    const { imports, store } = await make(context)
    await imports.add(session, turns)
    assert.deepEqual(await store.append('sess_1', 3, sampleStoredTurn({ turnId: 'turn_2' })), {
      kind: 'appended',
      version: 2,
    })
    const next = sampleStoredTurn({ turnId: 'turn_4' })
    assert.deepEqual(await store.append('sess_1', 3, next), { kind: 'appended', version: 4 })
    assert.deepEqual(await store.recentTurns('sess_1', 10), [...turns, next])
    assert.equal(await store.summarise('sess_1', 2, 'the same turns'), false)
  })

  test(`${name}: a repeat changes nothing, also after the conversation was continued`, async (context) => {
    const { imports, store } = await make(context)
    await imports.add(session, turns)
    const next = sampleStoredTurn({ turnId: 'turn_4' })
    await store.append('sess_1', 3, next)
    assert.equal(await imports.add(session, turns), false)
    assert.deepEqual(await store.recentTurns('sess_1', 10), [...turns, next])
    const other = { ...session, principalId: 'guest_2', title: 'another' }
    assert.equal(await imports.add(other, turns), false)
    assert.equal((await store.find('sess_1'))?.principalId, 'guest_1')
    assert.deepEqual(await store.listOf('guest_2', 10), [])
  })

  test(`${name}: an adopted conversation is its heir's, and a later one of the guest stays the guest's`, async (context) => {
    const { imports, store } = await make(context)
    const adopted = { ...session, principalId: 'user:1', inheritedFrom: 'guest_1' }
    const later = { ...sampleSession({ id: 'sess_2' }), version: 1 }
    const own = { ...sampleSession({ id: 'sess_3', principalId: 'user:1', lastActiveAt: NOON - 25_000 }), version: 0 }
    await imports.add(adopted, turns)
    await imports.add(adopted, turns)
    await imports.add(later, [sampleStoredTurn()])
    await imports.add(own, [])
    assert.deepEqual(await store.find('sess_1'), adopted)
    assert.deepEqual(await store.listOf('user:1', 10), [adopted, own])
    assert.deepEqual(await store.listOf('guest_1', 10), [later])
    await store.adopt('guest_1', 'user:1')
    assert.equal((await store.find('sess_2'))?.principalId, 'user:1')
    await store.remove('sess_1')
    assert.equal(await store.find('sess_1'), undefined)
  })

  test(`${name}: one that has been idle for too long is not stored, and another expires in time`, async (context) => {
    const { clock, imports, store } = await make(context)
    const idle = { ...session, id: 'sess_old', lastActiveAt: NOON - expiresAfterMs }
    assert.equal(await imports.add(idle, turns), false)
    assert.equal(await store.find('sess_old'), undefined)
    await imports.add(session, turns)
    await clock.advance(expiresAfterMs - 20_000)
    assert.equal(await store.find('sess_1'), undefined)
  })

  test(`${name}: a conversation of many turns is moved whole`, async (context) => {
    const { imports, store } = await make(context)
    const many = Array.from({ length: 230 }, (_, number) =>
      sampleStoredTurn({ turnId: `turn_${number}`, answer: 'あ'.repeat(900) }),
    )
    const long = { ...sampleSession(), version: many.length }
    assert.equal(await imports.add(long, many), true)
    assert.deepEqual(await store.find('sess_1'), long)
    assert.deepEqual(await store.recentTurns('sess_1', 1000), many)
  })
}

export function accountImportContract(
  name: string,
  make: Make<{ readonly imports: AccountImport; readonly budgets: Budgets; readonly clock: ManualClock }>,
): void {
  const until = TODAY.endsAt + 3_600_000
  const used = { inputTokens: 120, outputTokens: 40, costMicroUsd: 7 }
  const day: AccountUse = { kind: 'day', use: { day: TODAY.key, used, messages: 99, until } }
  const session: AccountUse = {
    kind: 'session',
    use: { sessionId: 'sess_1', inputTokens: 7990, outputTokens: 10, until: NOON + 60_000 },
  }
  const turn: AccountUse = {
    kind: 'turn',
    use: {
      turnId: 'turn_0',
      sessionId: 'sess_1',
      day: TODAY,
      granted: { inputTokens: 200, outputTokens: 100, costMicroUsd: 9 },
      overage: true,
      key: 'key',
      until,
    },
  }
  const claim: AccountUse = {
    kind: 'claim',
    use: {
      key: 'key',
      fingerprint: 'body',
      turnId: 'turn_0',
      sessionId: 'sess_1',
      day: TODAY,
      granted: { inputTokens: 200, outputTokens: 100, costMicroUsd: 9 },
      overage: true,
      until: NOON + 60_000,
    },
  }

  test(`${name}: an account is read as it was`, async (context) => {
    const { budgets, imports } = await make(context)
    for (const use of [day, session, turn, claim]) {
      assert.equal(await imports.read('guest_1', use), undefined)
      await imports.add('guest_1', use)
      const found = await imports.read('guest_1', use)
      assert.deepEqual({ ...found?.use, until: 0 }, { ...use.use, until: 0 })
    }
    assert.deepEqual((await budgets.quota('guest_1', sampleLimits(), TODAY)).used, used)
    assert.equal(await imports.read('guest_2', day), undefined)
  })

  test(`${name}: what was used counts: the day's messages and the conversation's tokens`, async (context) => {
    const { budgets, imports } = await make(context)
    await imports.add('guest_1', day)
    await imports.add('guest_1', session)
    const full = await budgets.admit(sampleAsk({ turnId: 'turn_1', sessionId: 'sess_1' }))
    assert.ok(full.kind === 'granted' && full.hold.granted.inputTokens === 10)
    const next = await budgets.admit(sampleAsk({ turnId: 'turn_2' }))
    assert.ok(next.kind === 'rate-limited' && next.scope === 'messages-per-day')
  })

  test(`${name}: a claimed key leads to its turn until its end, and can be freed`, async (context) => {
    const { budgets, clock, imports } = await make(context)
    await imports.add('guest_1', claim)
    const ask = (fingerprint: string) =>
      budgets.claimed({ principalId: 'guest_1', idempotency: { key: 'key', fingerprint, claimMs: 1 } })
    assert.deepEqual(await ask('body'), { kind: 'duplicate', turnId: 'turn_0', sessionId: 'sess_1' })
    assert.deepEqual(await ask('another'), { kind: 'key-reused' })
    await budgets.release({ id: 'turn_0', principalId: 'guest_1' })
    assert.equal((await ask('body'))?.kind, 'duplicate', 'a settled turn cannot be released')
    await clock.advance(60_000)
    assert.equal(await ask('body'), undefined)
    await imports.add('guest_2', { kind: 'claim', use: { ...claim.use, until: NOON + 90_000 } })
    await budgets.forgetClaim({ id: 'turn_0', principalId: 'guest_2' })
    const idempotency = { key: 'key', fingerprint: 'body', claimMs: 1 }
    assert.equal(await budgets.claimed({ principalId: 'guest_2', idempotency }), undefined)
  })

  test(`${name}: a turn that was charged before the move is not charged again from the ledger`, async (context) => {
    const { budgets, imports } = await make(context)
    for (const use of [day, turn]) await imports.add('guest_1', use)
    const hold = { id: 'turn_0', principalId: 'guest_1', sessionId: 'sess_1', day: TODAY, granted: used }
    const { charged } = await budgets.settle(hold, used, { unlessHeld: true })
    assert.equal(charged, false)
    assert.deepEqual((await budgets.quota('guest_1', sampleLimits(), TODAY)).used, used)
  })

  test(`${name}: a repeat adds nothing, and what exists stays`, async (context) => {
    const { budgets, imports } = await make(context)
    for (const use of [day, session, turn, claim, day, session, turn, claim]) await imports.add('guest_1', use)
    const hold = { id: 'turn_9', principalId: 'guest_1', sessionId: 'sess_1', day: TODAY, granted: used }
    await budgets.settle(hold, used)
    for (const use of [day, session]) await imports.add('guest_1', use)
    const doubled = { inputTokens: 240, outputTokens: 80, costMicroUsd: 14 }
    assert.deepEqual((await budgets.quota('guest_1', sampleLimits(), TODAY)).used, doubled)
    const found = await imports.read('guest_1', session)
    assert.ok(found?.kind === 'session' && found.use.inputTokens === 8110)
  })

  test(`${name}: what has expired is not stored`, async (context) => {
    const { imports } = await make(context)
    for (const { kind, use } of [day, session, turn, claim]) {
      const over = { kind, use: { ...use, until: NOON } } as AccountUse
      await imports.add('guest_1', over)
      assert.equal(await imports.read('guest_1', over), undefined)
    }
  })
}

export function adminImportContract(
  name: string,
  make: Make<{ readonly imports: AdminImport; readonly store: AdminStore }>,
): void {
  const state = { startedAt: NOON, startedBy: 'aki', reason: 'try', split: 'a' }
  const settings = {
    tiers: new Map([['free', { requestsPerMinute: 3 }]]),
    users: new Map([['user:1', { tier: 'free', expiresAt: NOON + 1 }]]),
    experiments: { states: new Map([['prompt', state]]), key: 'secret' },
    settings: new Map([['mode', { value: 'read-only', by: 'aki', at: NOON, reason: '移行' }]]),
  }
  const line = (number: number): AuditEntry => ({
    number,
    at: NOON + number,
    by: 'aki',
    action: 'tier-set',
    subject: 'free',
    before: number === 1 ? null : { requestsPerMinute: number },
    after: { requestsPerMinute: 3 },
    reason: '「注文」',
  })

  test(`${name}: settings and audit are read as they were, and a repeat changes nothing`, async (context) => {
    const { imports, store } = await make(context)
    // Number 2 is missing: a transaction that failed has used it.
    const lines = [line(1), line(3), line(4)]
    for (const _run of [1, 2]) {
      await imports.addSettings(settings)
      await imports.addAudit(lines.slice(0, 2))
      await imports.addAudit(lines.slice(1))
    }
    assert.deepEqual(await store.overrides(), { version: 4, ...settings })
    assert.deepEqual(await store.audit({ limit: 10 }), lines.toReversed())
    const { number: _, ...entry } = line(9)
    assert.equal((await store.note(entry)).number, 5)
  })

  test(`${name}: a setting that was changed since stays`, async (context) => {
    const { imports, store } = await make(context)
    await imports.addSettings(settings)
    await imports.addAudit([line(1)])
    await store.setTier('free', { requestsPerMinute: 8 }, { at: NOON, by: 'ren', reason: 'more' })
    await imports.addSettings(settings)
    assert.deepEqual((await store.overrides())?.tiers.get('free'), { requestsPerMinute: 8 })
  })

  test(`${name}: a shop without settings has none afterwards`, async (context) => {
    const { imports, store } = await make(context)
    await imports.addSettings({
      tiers: new Map(),
      users: new Map(),
      experiments: { states: new Map() },
      settings: new Map(),
    })
    await imports.addAudit([])
    assert.deepEqual(await store.audit({ limit: 10 }), [])
    assert.deepEqual((await store.overrides())?.experiments, { states: new Map() })
  })
}

export function turnLogImportContract(
  name: string,
  make: Make<{ readonly imports: TurnLogImport; readonly log: TurnLog }>,
): void {
  const records: readonly LogRecord[] = [
    { seq: 0, epoch: 1, kind: 'start', start: sampleStart() },
    { seq: 7, epoch: 2, kind: 'snapshot', snapshot: { text: 'はい', attempts: [] } },
    { seq: 8, epoch: 2, kind: 'turn-end', end: sampleEnd() },
  ]

  test(`${name}: the log of an ended turn is read as it was, also a trimmed one`, async (context) => {
    const { imports, log } = await make(context)
    assert.equal(await imports.add(records), true)
    assert.equal(await imports.add(records), false)
    assert.deepEqual(await log.read('turn_1', -1), records)
    assert.deepEqual(await log.start('turn_1'), sampleStart())
    assert.equal(await log.append('turn_1', 2, [{ kind: 'text', offset: 2, text: '!' }]), false)
    assert.equal(await log.takeOver('turn_1', 1000), undefined)
    assert.deepEqual(await log.forgetSession('sess_1'), ['turn_1'])
    assert.equal(await log.read('turn_1', -1), undefined)
  })

  test(`${name}: a log without an end is refused`, async (context) => {
    const { imports } = await make(context)
    await assert.rejects(imports.add(records.slice(0, 2)), RangeError)
  })
}

export function unitImportContract(
  name: string,
  make: Make<{ readonly imports: UnitImport; readonly records: Pick<TurnRecords, 'unitOf'> }>,
): void {
  test(`${name}: a user is assigned as before, and a repeat or another unit changes nothing`, async (context) => {
    const { imports, records } = await make(context)
    const stored = { principalId: 'user:1', unit: 'guest_1', expiresAt: NOON + 60_000 }
    await imports.add(stored)
    await imports.add({ ...stored, unit: 'guest_2' })
    await imports.add({ principalId: 'user:2', unit: 'guest_3', expiresAt: NOON })
    assert.equal(await records.unitOf('user:1'), 'guest_1')
    assert.equal(await records.unitOf('user:2'), 'user:2')
  })
}
