// The contract of every remote store that is unavailable: every call rejects with StoreUnavailable and nothing else,
// because that is what `resilience/`, admission and the edge handle. Verbs that work without the store are not included: in
// the turn log the verbs of a turn's owner, in the lanes the verbs of a turn (docs/degraded-mode.md).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import { NOTHING_LEARNT } from '#domain/estimator/calibration.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { sampleCachedAnswer, sampleDeferred } from '#fixtures/turns/answers.ts'
import {
  sampleAsk,
  sampleLedgerRow,
  sampleLimits,
  sampleSession,
  sampleStoredTurn,
  sampleTurnRecord,
  TODAY,
} from '#fixtures/turns/samples.ts'
import type { AdminStore } from './admin-store/port.ts'
import type { AlarmBoard } from './alarm-board/port.ts'
import type { AnswerCache } from './answer-cache/port.ts'
import type { Budgets } from './budgets/port.ts'
import type { Carts } from '#stores/carts.ts'
import type { DeferredStore } from './deferred-store/port.ts'
import type { EstimatorStore } from './estimator-store/port.ts'
import type { HandoverRequests } from '#stores/handover-requests.ts'
import type { Lanes } from './lanes/port.ts'
import type { Ledger } from './ledger/port.ts'
import type { NodeRegistry } from './node-registry/port.ts'
import type { OrderBook } from '#stores/order-book.ts'
import { sampleOrder } from '#stores/order-book.contract.ts'
import type { SharedProducts } from './product-store/shared.ts'
import type { RateChunks } from './rate-chunks/port.ts'
import type { SessionStore } from './session-store/port.ts'
import type { SpendChunks } from './spend-chunks/port.ts'
import type { Tasks } from './tasks/port.ts'
import type { TurnLog } from './turn-log/port.ts'
import type { TurnRecords } from './turn-records/port.ts'

export interface RemoteStores {
  readonly sessions: SessionStore
  readonly turnLog: TurnLog
  readonly budgets: Budgets
  readonly rateChunks: RateChunks
  readonly spendChunks: SpendChunks
  readonly ledger: Ledger
  readonly admin: AdminStore
  readonly estimators: EstimatorStore
  readonly lanes: Lanes
  readonly answers: AnswerCache
  readonly deferred: DeferredStore
  readonly handovers: HandoverRequests
  readonly tasks: Tasks
  readonly alarms: AlarmBoard
  readonly registry: NodeRegistry
  readonly turnRecords: TurnRecords
  readonly products: SharedProducts
  readonly carts: Carts
  readonly orders: OrderBook
}

type Calls = Readonly<Record<string, () => Promise<unknown>>>

/** Opens the ports that the technology has over one store, then makes the store unavailable. */
export type OpenCutOff = (context: TestContext) => Promise<Partial<RemoteStores>>

export function unavailableContract(name: string, open: OpenCutOff): void {
  test(`${name}: without its store, every call is rejected with StoreUnavailable`, async (context) => {
    const stores = await open(context)
    assert.ok(Object.keys(stores).length > 0)
    for (const [port, store] of Object.entries(stores)) {
      const calls = CALLS[port as keyof RemoteStores] as (store: unknown) => Calls
      for (const [verb, call] of Object.entries(calls(store)))
        await assert.rejects(call, (error) => error instanceof StoreUnavailable, `${port}.${verb}`)
    }
  })
}

const owned = { id: 'turn_1', principalId: 'guest_1' }
const hold = {
  ...owned,
  sessionId: 'sess_1',
  day: TODAY,
  granted: { inputTokens: 1, outputTokens: 1, costMicroUsd: 1 },
}
const { granted } = hold
const bucket = { name: 'global', perSecond: 1, burst: 1 }
const account = { name: 'store', day: TODAY, limitMicroUsd: 1000 } as const
const change = { at: 1, by: 'Aiko', reason: 'a test' }
const started = { startedAt: 1, startedBy: 'Aiko', reason: 'a test', split: '' }
const experimentChange = { action: 'experiment-started', before: undefined, after: started, newKey: 'key' } as const

const { idempotency } = sampleAsk()

/** The calls of each port. */
const CALLS: { readonly [Port in keyof RemoteStores]: (store: RemoteStores[Port]) => Calls } = {
  budgets: (budgets) => ({
    admit: () => budgets.admit(sampleAsk()),
    admitCompared: () => budgets.admitCompared(sampleAsk(), 'epoch_1'),
    markCompared: () => budgets.markCompared({ principalId: 'guest_1', day: TODAY, messages: 1, epoch: 'epoch_1' }),
    claimed: () => budgets.claimed(sampleAsk()),
    claim: () => budgets.claim(hold, idempotency),
    narrow: () => budgets.narrow(owned, granted),
    extend: () => budgets.extend(hold, granted, sampleLimits()),
    renew: () => budgets.renew(owned, 1000),
    settle: () => budgets.settle(hold, granted),
    release: () => budgets.release(owned),
    forgetClaim: () => budgets.forgetClaim(owned),
    quota: () => budgets.quota('guest_1', sampleLimits(), TODAY),
    runningTurn: () => budgets.runningTurn({ id: 'sess_1', principalId: 'guest_1' }),
  }),
  sessions: (sessions) => ({
    create: () => sessions.create(sampleSession()),
    find: () => sessions.find('sess_1'),
    recentTurns: () => sessions.recentTurns('sess_1', 1),
    append: () => sessions.append('sess_1', 0, sampleStoredTurn()),
    summarise: () => sessions.summarise('sess_1', 1, 'a summary'),
    listOf: () => sessions.listOf('guest_1', 1),
    remove: () => sessions.remove('sess_1'),
    adopt: () => sessions.adopt('guest_1', 'user_1'),
  }),
  turnLog: (turnLog) => ({
    start: () => turnLog.start('turn_1'),
    read: () => turnLog.read('turn_1', 0),
    takeOver: () => turnLog.takeOver('turn_1', 1000),
    orphans: () => turnLog.orphans(1),
    requestStop: () => turnLog.requestStop('turn_1'),
    forgetSession: () => turnLog.forgetSession('sess_1'),
    sweep: () => turnLog.sweep(0, 1),
  }),
  alarms: (alarms) => ({
    report: () => alarms.report({ nodeId: 'node_1', host: '', firing: [] }),
    read: () => alarms.read(),
    write: () => alarms.write(NO_ALARM_STATE, 0),
  }),
  handovers: (handovers) => ({
    add: () => handovers.add({ id: 'hand_1', sessionId: 'sess_1', principalId: 'guest_1', language: 'ja', at: 1 }),
    find: () => handovers.find('hand_1'),
    move: () => handovers.move('hand_1', { from: ['open'], to: 'taken', changed: change }),
    list: () => handovers.list({ limit: 1 }),
    ofSession: () => handovers.ofSession('sess_1'),
    ofPrincipal: () => handovers.ofPrincipal('guest_1'),
    forget: () => handovers.forget({ sessionId: 'sess_1' }),
    adopt: () => handovers.adopt('guest_1', 'user_1'),
    sweep: () => handovers.sweep(1),
  }),
  rateChunks: (rateChunks) => ({
    lease: () => rateChunks.lease(bucket, 1, 'op_1'),
    giveBack: () => rateChunks.giveBack(bucket, 1, 'op_1'),
  }),
  spendChunks: (spendChunks) => ({
    lease: () => spendChunks.lease(account, { least: 1, most: 1 }, 'op_1'),
    giveBack: () => spendChunks.giveBack(account, 1, 'op_1'),
    charge: () => spendChunks.charge(account, 1, 'op_1'),
    taken: () => spendChunks.taken(account),
  }),
  ledger: (ledger) => ({
    record: () => ledger.record([sampleLedgerRow()]),
    ofTurn: () => ledger.ofTurn('turn_1'),
    hasSpent: () => ledger.hasSpent('guest_1', TODAY.key),
    totals: () => ledger.totals({ day: TODAY.key }),
    groups: () => ledger.groups({ day: TODAY.key }, { by: ['model'], limit: 1 }),
    page: () => ledger.page({ day: TODAY.key }, 1),
    rename: () => ledger.rename({ principalId: 'guest_1' }, 'erased_1'),
    rows: () => ledger.rows({ day: TODAY.key })[Symbol.asyncIterator]().next(),
  }),
  admin: (admin) => ({
    overrides: () => admin.overrides(),
    setTier: () => admin.setTier('free', undefined, change),
    setUser: () => admin.setUser('user_1', undefined, change),
    setExperiment: () => admin.setExperiment('prompts', experimentChange, change),
    audit: () => admin.audit({ limit: 1 }),
  }),
  answers: (answers) => ({
    find: () => answers.find('key'),
    keep: () => answers.keep('key', sampleCachedAnswer()),
    claim: () => answers.claim('key', 1000),
    forgetOf: () => answers.forgetOf('guest_1'),
  }),
  deferred: (deferred) => ({
    accept: () => deferred.accept(sampleDeferred()),
    claim: () => deferred.claim({ limit: 1, leaseMs: 1000, expired: false, spacingMs: 0 }),
    done: () => deferred.done('turn_1'),
    count: () => deferred.count(),
    ofPrincipal: () => deferred.ofPrincipal('guest_1'),
  }),
  products: (products) => ({
    snapshot: () => products.snapshot(),
    byIds: () => products.byIds(['one-piece']),
    page: () => products.page('', 1),
    outlines: () => products.outlines('', 1),
    count: () => products.count(),
    edition: () => products.edition(),
    faq: () => products.faq(),
    replaceAll: () => products.replaceAll([], 'test'),
    begin: () => products.begin(),
    changeOffers: () => products.changeOffers([], { source: 'test' }),
    purge: () => products.purge(),
  }),
  registry: (registry) => ({
    announce: () => registry.announce({ turns: 0, connections: 0, isDraining: false, edition: null }),
    leave: () => registry.leave(),
  }),
  tasks: (tasks) => ({
    take: () => tasks.take('task', { owner: 'one', leaseMs: 1000 }),
    save: () => tasks.save('task', '', { owner: 'one', leaseMs: 1000 }),
  }),
  turnRecords: (records) => ({
    add: () => records.add([sampleTurnRecord()]),
    find: () => records.find('turn_1'),
    page: () => records.page({}, 1),
    list: () => records.list({}, 1),
    all: () => records.all({})[Symbol.asyncIterator]().next(),
    setFeedback: () => records.setFeedback('turn_1', null),
    note: () => records.note('turn_1', { followedUp: true }),
    unitOf: () => records.unitOf('user_1'),
    adopt: () => records.adopt('guest_1', 'user_1'),
    forget: () => records.forget({ principalId: 'guest_1' }),
    sweep: () => records.sweep({ before: 0, countMax: 1, refusalsMax: 1 }, 1),
  }),
  carts: (carts) => ({
    read: () => carts.read('guest_1'),
    edit: () => carts.edit('guest_1', { id: 'op_1', edits: [] }),
    adopt: () => carts.adopt('guest_1', 'user_1'),
    forget: () => carts.forget('guest_1'),
  }),
  orders: (orders) => ({
    place: () => orders.place('guest_1', { key: 'key_1', order: sampleOrder(1) }),
    list: () => orders.list('guest_1', 1),
    find: () => orders.find('guest_1', 'order_1'),
    findByKey: () => orders.findByKey('guest_1', 'key_1'),
    adopt: () => orders.adopt('guest_1', 'user_1'),
    forget: () => orders.forget('guest_1'),
  }),
  estimators: (estimators) => ({
    load: () => estimators.load('model'),
    merge: () => estimators.merge('model', NOTHING_LEARNT),
  }),
  lanes: (lanes) => ({
    operate: () => lanes.operate('main', 'reset', 'Aiko'),
  }),
}
