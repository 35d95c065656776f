// The admin client against the admin API: a method for each route, and replies that match the schemas.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAdminClient } from '@mangaassist/client/admin'
import type { AdminClient } from '@mangaassist/client/admin'
import { ErasedView, ExportView } from '@mangaassist/protocol'
import {
  AlarmsView,
  AlarmTestView,
  AuditLine,
  BlockView,
  CatalogueView,
  ConversationOutline,
  ConversationView,
  ExperimentReportView,
  ExperimentView,
  FeedbackReport,
  HandoverEntry,
  ImportProgress,
  ImportView,
  LaneView,
  Maintenance,
  ModelsView,
  NodesView,
  OutlineView,
  OverviewView,
  PrewarmView,
  ReconcileView,
  SearchExplanationView,
  SessionView,
  SettingView,
  SpendersView,
  TierView,
  TurnRecordsView,
  TurnStoryView,
  UsageRow,
  UsageView,
  UserOverrideView,
  UserView,
  WorstTurn,
} from '@mangaassist/protocol/admin'
import Type from 'typebox'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { LedgerRow } from '#domain/ledger/ledger-row.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { openDoors } from '#fixtures/edge/doors.ts'
import { sampleHandover } from '#stores/handover-requests.contract.ts'
import { fullTurnRecord, sampleFaq, sampleLedgerRow, sampleProduct, sampleSession } from '#fixtures/turns/samples.ts'

const TOKEN = 'maa_client'
const why = { reason: 'a test' }
const limits = { microUsdPerDay: 2_000_000 }

/** One call of each method with the schema of its reply; undefined for a call that this server must refuse. */
function calls(
  client: AdminClient,
  lane: string,
): Record<keyof AdminClient, [TSchema | undefined, () => Promise<unknown>]> {
  const begin = () => client.beginImport({ kind: 'catalogue', source: 'test', ...why })
  return {
    tiers: [Type.Array(TierView), () => client.tiers()],
    setTier: [AuditLine, () => client.setTier('free', { limits, ...why })],
    clearTier: [AuditLine, () => client.clearTier('free', why)],
    overrides: [Type.Array(UserOverrideView), () => client.overrides()],
    user: [UserView, () => client.user('guest_1', { tier: 'premium' })],
    setOverride: [AuditLine, () => client.setOverride('guest_1', { tier: 'premium', ...why })],
    clearOverride: [AuditLine, () => client.clearOverride('guest_1', why)],
    resetUse: [AuditLine, () => client.resetUse('guest_1', { scope: 'day', ...why })],
    exportUser: [ExportView, () => client.exportUser('guest_1', why)],
    eraseUser: [ErasedView, () => client.eraseUser('guest_2', why)],
    block: [AuditLine, () => client.block({ target: 'guest_1', ...why })],
    blocks: [Type.Array(BlockView), () => client.blocks()],
    unblock: [AuditLine, () => client.unblock({ target: 'guest_1', ...why })],
    handovers: [Type.Array(HandoverEntry), () => client.handovers({ state: 'open' }).then(({ data }) => data)],
    takeHandover: [AuditLine, () => client.takeHandover('hand_1', why)],
    closeHandover: [AuditLine, () => client.closeHandover('hand_1', why)],
    usage: [UsageView, () => client.usage({ by: 'day,user' }).then(({ data }) => data)],
    usageRows: [Type.Array(UsageRow), () => client.usageRows({ limit: 1 }).then(({ data }) => data)],
    spenders: [SpendersView, () => client.spenders().then(({ data }) => data)],
    turnRecords: [TurnRecordsView, () => client.turnRecords({ limit: 1, degraded: false }).then(({ data }) => data)],
    turn: [TurnStoryView, () => client.turn('turn_1')],
    conversation: [ConversationView, () => client.conversation('sess_1', why)],
    conversationsOf: [
      Type.Array(ConversationOutline),
      () => client.conversationsOf('guest_1').then(({ data }) => data),
    ],
    feedback: [FeedbackReport, () => client.feedback({ by: 'arm' })],
    worstFeedback: [Type.Array(WorstTurn), () => client.worstFeedback(why).then(({ data }) => data)],
    audit: [Type.Array(AuditLine), () => client.audit({ subject: 'free' }).then(({ data }) => data)],
    settings: [Type.Array(SettingView), () => client.settings()],
    setSetting: [AuditLine, () => client.setSetting({ name: 'mode', value: 'reduced', ...why })],
    lanes: [Type.Array(LaneView), () => client.lanes()],
    nodes: [NodesView, () => client.nodes()],
    models: [ModelsView, () => client.models({ hours: 2 })],
    overview: [OverviewView, () => client.overview()],
    operateLane: [AuditLine, () => client.operateLane(lane, { action: 'reset', ...why })],
    maintenance: [Maintenance, () => client.maintenance()],
    setMaintenance: [AuditLine, () => client.setMaintenance({ on: false, ...why })],
    alarms: [AlarmsView, () => client.alarms()],
    silenceAlarm: [AuditLine, () => client.silenceAlarm('lane-down', { forMs: 1000, ...why })],
    testAlarms: [Type.Array(AlarmTestView), () => client.testAlarms(why)],
    prewarm: [PrewarmView, () => client.prewarm(why)],
    // The stores of this test are in memory.
    backUp: [undefined, () => client.backUp({ folder: 'backup', ...why })],
    reconcileBill: [
      ReconcileView,
      () => client.reconcileBill({ bill: 'day,model,inputTokens,outputTokens\n2026-11-04,m,1,1', zone: 'UTC' }),
    ],
    explainSearch: [SearchExplanationView, () => client.explainSearch({ text: '鬼滅の刃はありますか', limit: 3 })],
    catalogue: [CatalogueView, () => client.catalogue()],
    catalogueOutlines: [Type.Array(OutlineView), () => client.catalogueOutlines().then(({ data }) => data)],
    beginImport: [ImportView, () => begin()],
    addImportRows: [
      ImportProgress,
      async () => client.addImportRows((await begin()).importId, { from: 0, rows: [sampleProduct()] }),
    ],
    commitImport: [AuditLine, async () => client.commitImport((await begin()).importId, { faq: [...sampleFaq()] })],
    experiments: [Type.Array(ExperimentView), () => client.experiments()],
    startExperiment: [AuditLine, () => client.startExperiment('short', why)],
    experimentReport: [ExperimentReportView, () => client.experimentReport('short', { effect: 0.1 })],
    stopExperiment: [AuditLine, () => client.stopExperiment('short', why)],
    signIn: [SessionView, () => client.signIn({ token: TOKEN })],
    session: [SessionView, () => client.session()],
    // It asks with a token, so it has no session.
    signOut: [undefined, () => client.signOut()],
    discardImport: [ImportProgress, async () => client.discardImport((await begin()).importId)],
  }
}

test('every admin route has a method, and its reply matches its schema', async () => {
  await using doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
  await doors.app.operators.ledger.record([sampleLedgerRow(), sampleLedgerRow({ attempt: 2 })])
  await doors.app.operators.turnRecords.add([fullTurnRecord({ turnId: 'turn_1' })])
  await doors.app.operators.sessions.create(sampleSession())
  await doors.app.operators.handovers.add(sampleHandover({ email: 'aki@mail.example' }))
  const asked = new Set<string>()
  doors.http.addHook('onResponse', async ({ method, routeOptions }) => {
    asked.add(`${method.toLowerCase()} ${routeOptions.url?.replaceAll(/:(\w+)/g, '{$1}')}`)
  })
  const client = createAdminClient({ url: await doors.listen(), token: TOKEN, deadlineMs: 60_000 })
  const lane = (await doors.app.admin.lanes())[0]?.lane ?? ''
  for (const [name, [schema, call]] of Object.entries(calls(client, lane))) {
    if (schema === undefined) await assert.rejects(call, { name: 'AdminError', code: 'INVALID_REQUEST' }, name)
    else await assert.doesNotReject(async () => assert.deepEqual(Compile(schema).Errors(await call()), []), name)
  }
  const { paths } = (await doors.http.inject({ url: '/openapi.json' })).json() as { paths: Record<string, object> }
  const described = Object.entries(paths)
    .filter(([path]) => path.startsWith('/api/admin/'))
    .flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`))
  assert.deepEqual([...asked].filter((route) => route.includes(' /api/admin/')).toSorted(), described.toSorted())
})

test('every field of a ledger row is in the schema of the admin API', () => {
  // The compiler asks for a field that the schema lacks.
  type Undocumented = Exclude<keyof LedgerRow, keyof UsageRow>
  const isDocumented: [Undocumented] extends [never] ? true : Undocumented = true
  assert.ok(isDocumented)
})

test('the pages of the ledger follow each other', async () => {
  await using doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
  await doors.app.operators.ledger.record([sampleLedgerRow(), sampleLedgerRow({ attempt: 2 })])
  const client = createAdminClient({ url: await doors.listen(), token: TOKEN, deadlineMs: 60_000 })
  const first = await client.usageRows({ limit: 1 })
  assert.ok(first.next !== undefined)
  const second = await client.usageRows({ limit: 1, after: first.next })
  assert.deepEqual(
    [first, second].flatMap(({ data }) => data).map(({ attempt }) => attempt),
    [1, 2],
  )
})

test('a wrong token is UNAUTHENTICATED', async () => {
  await using doors = await openDoors()
  const client = createAdminClient({ url: await doors.listen(), token: 'maa_other', deadlineMs: 60_000 })
  await assert.rejects(client.tiers(), { name: 'AdminError', code: 'UNAUTHENTICATED', status: 401 })
})
