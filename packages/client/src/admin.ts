// A client of the admin API with one method for each route. It is a separate entry, so that the bundle of a shopper's
// page does not contain it; it imports only types from the protocol.
import type { ErasedView, ErrorBody, ExportView } from '@mangaassist/protocol'
import type {
  AlarmsView,
  AlarmTestView,
  AuditLine,
  AuditQuery,
  BackupRequest,
  BackupView,
  BlockRequest,
  BlockView,
  CatalogueView,
  ConversationOutline,
  ConversationQuery,
  ConversationsQuery,
  ConversationView,
  EventBridgeEvent,
  ExperimentReportView,
  ExperimentView,
  FeedbackQuery,
  FeedbackReport,
  ImportCommit,
  HandoverEntry,
  HandoversQuery,
  ImportProgress,
  ImportRequest,
  ImportRows,
  ImportView,
  LaneAction,
  LaneView,
  Maintenance,
  MaintenanceChange,
  ModelsQuery,
  ModelsView,
  NodesView,
  OutlineQuery,
  OutlineView,
  OverviewView,
  PrewarmRequest,
  PrewarmView,
  ReasonRequest,
  ReconcileRequest,
  ReconcileView,
  RecordView,
  ReportQuery,
  ResetRequest,
  SearchExplanationQuery,
  SearchExplanationView,
  SessionView,
  SettingRequest,
  SettingView,
  SignedOut,
  SignInRequest,
  SilenceRequest,
  SpendersQuery,
  SpendersView,
  TierOverrideRequest,
  TierView,
  TurnRecordsQuery,
  TurnStoryView,
  UnblockQuery,
  UsageQuery,
  UsageRow,
  UsageRowsQuery,
  UsageView,
  UserOverrideRequest,
  UserOverrideView,
  UserQuery,
  UserView,
  WorstQuery,
  WorstTurn,
} from '@mangaassist/protocol/admin'
import { AdminError } from './admin-error.ts'

export { AdminError } from './admin-error.ts'
export type { AdminErrorCode } from './admin-error.ts'

export interface AdminClientOptions {
  /** The server's `http(s)://host` address. */
  readonly url: string
  /**
   * An admin token (`mangaassist keygen --admin`). Without one the client uses the browser's session of `signIn`, on pages of the
   * server itself.
   */
  readonly token?: string | undefined
  /** Limit for one call, including reading the response. */
  readonly deadlineMs: number
  /** Default: the platform's `fetch`. */
  readonly request?: typeof fetch | undefined
}

/** One page of a list. While `next` is set, there are more: pass it as `after`. */
export interface AdminPage<Data> {
  readonly data: Data
  readonly next?: string | undefined
  /** Only for turn records: pass it as `since` to get what is recorded from then on. */
  readonly newest?: string | undefined
}

/** The header with the token of the session that a change by cookie needs. */
const CSRF_HEADER = 'x-csrf-token'

/** Every call throws an `AdminError` when it is refused or gets no response. A change returns its line in the audit. */
export interface AdminClient {
  /** Opens a session, which the browser keeps as a cookie; later calls of a client without a token use it. */
  signIn(request: SignInRequest): Promise<SessionView>
  /** Who is signed in, and which optional parts the server has. A page calls it first: it also gives the client its CSRF token. */
  session(): Promise<SessionView>
  signOut(): Promise<SignedOut>
  tiers(): Promise<TierView[]>
  setTier(tier: string, change: TierOverrideRequest): Promise<AuditLine>
  clearTier(tier: string, change: ReasonRequest): Promise<AuditLine>
  /** The users who have limits of their own. */
  overrides(): Promise<UserOverrideView[]>
  user(userId: string, query?: UserQuery): Promise<UserView>
  setOverride(userId: string, change: UserOverrideRequest): Promise<AuditLine>
  clearOverride(userId: string, change: ReasonRequest): Promise<AuditLine>
  /** Sets the user's usage of the day, or of a conversation, to zero. */
  resetUse(userId: string, change: ResetRequest): Promise<AuditLine>
  exportUser(userId: string, change: ReasonRequest): Promise<ExportView>
  /** Cannot be undone. */
  eraseUser(userId: string, change: ReasonRequest): Promise<ErasedView>
  /** The callers and networks that are blocked, newest first. */
  blocks(): Promise<BlockView[]>
  block(change: BlockRequest): Promise<AuditLine>
  unblock(change: UnblockQuery): Promise<AuditLine>
  /** Requests of shoppers for a person, newest first. */
  handovers(query?: HandoversQuery): Promise<AdminPage<HandoverEntry[]>>
  takeHandover(handoverId: string, change: ReasonRequest): Promise<AuditLine>
  closeHandover(handoverId: string, change: ReasonRequest): Promise<AuditLine>
  usage(query?: UsageQuery): Promise<AdminPage<UsageView>>
  usageRows(query?: UsageRowsQuery): Promise<AdminPage<UsageRow[]>>
  spenders(query?: SpendersQuery): Promise<AdminPage<SpendersView>>
  /** Compares the provider's bill with the ledger; nothing is changed. */
  reconcileBill(body: ReconcileRequest): Promise<ReconcileView>
  /** What is kept of each ended turn, newest first; with `kind` or `outcome`, of refused requests too. */
  turnRecords(query?: TurnRecordsQuery): Promise<AdminPage<RecordView[]>>
  /** The whole story of one turn or refusal, by its id or that of its request. */
  turn(id: string): Promise<TurnStoryView>
  /** A conversation as it was written; in the audit. */
  conversation(sessionId: string, query: ConversationQuery): Promise<ConversationView>
  /** The conversations of a user or guest, latest activity first, without their texts. */
  conversationsOf(userId: string, query?: ConversationsQuery): Promise<AdminPage<ConversationOutline[]>>
  /** Thumbs by model, prompt version, route, experiment, arm or language. */
  feedback(query?: FeedbackQuery): Promise<FeedbackReport>
  /** The turns with a thumb down, newest first; with a reason their texts, and a line in the audit for each conversation. */
  worstFeedback(query?: WorstQuery): Promise<AdminPage<WorstTurn[]>>
  /** Newest first. */
  audit(query?: AuditQuery): Promise<AdminPage<AuditLine[]>>
  /** The mode, the log level and the switches. */
  settings(): Promise<SettingView[]>
  setSetting(change: SettingRequest): Promise<AuditLine>
  lanes(): Promise<LaneView[]>
  /** The lane by its own name, or by the configured name of a model that uses it. */
  operateLane(lane: string, change: LaneAction): Promise<AuditLine>
  maintenance(): Promise<Maintenance>
  setMaintenance(change: MaintenanceChange): Promise<AuditLine>
  /** What the models did in some hours, and how their lanes were. */
  models(query?: ModelsQuery): Promise<ModelsView>
  /** The nodes of the cluster. */
  nodes(): Promise<NodesView>
  /** The whole cluster at a glance; the server reads it at most once a second. */
  overview(): Promise<OverviewView>
  /** The alarms that fire, the last ones, and all with their settings. */
  alarms(): Promise<AlarmsView>
  /** Sends no messages about an alarm for some time; 0 ms ends that. */
  silenceAlarm(id: string, change: SilenceRequest): Promise<AuditLine>
  /** Sends a test message through every sender. */
  testAlarms(change: ReasonRequest): Promise<AlarmTestView[]>
  /** Prewarms the answers of a release day; takes an event of EventBridge, too. */
  prewarm(change: PrewarmRequest | EventBridgeEvent): Promise<PrewarmView>
  /** Writes a backup to a new folder among those on the server's machine. */
  backUp(change: BackupRequest): Promise<BackupView>
  /** Explains a search: how the server that answers reads the words, what it finds for them, and why. */
  explainSearch(query: SearchExplanationQuery): Promise<SearchExplanationView>
  /** The catalogue of the server that answers; in a cluster each node has its own. */
  catalogue(): Promise<CatalogueView>
  /** Its products without their facts, in the order of their ids. */
  catalogueOutlines(query?: OutlineQuery): Promise<AdminPage<OutlineView[]>>
  /** Begins an import; one that was not committed is discarded. */
  beginImport(change: ImportRequest): Promise<ImportView>
  addImportRows(importId: string, rows: ImportRows): Promise<ImportProgress>
  commitImport(importId: string, commit: ImportCommit): Promise<AuditLine>
  discardImport(importId: string): Promise<ImportProgress>
  experiments(): Promise<ExperimentView[]>
  startExperiment(name: string, change: ReasonRequest): Promise<AuditLine>
  stopExperiment(name: string, change: ReasonRequest): Promise<AuditLine>
  experimentReport(name: string, query?: ReportQuery): Promise<ExperimentReportView>
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>
interface Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE'
  /** The segments after `/api/admin/`, not encoded. */
  readonly path: readonly string[]
  readonly query?: Query
  readonly body?: object
}

/** The fields of the envelope that are used here; all are absent when the response is not from MangaAssist. */
interface Answer<Data> {
  readonly data?: Data
  readonly metadata?: { readonly next?: string; readonly newest?: string }
  readonly error?: ErrorBody
}

export function createAdminClient(given: AdminClientOptions): AdminClient {
  const options: Calling = { ...given, csrfToken: undefined }
  const began = (session: SessionView): SessionView => {
    options.csrfToken = session.csrfToken
    return session
  }
  const paged = <Data>(path: readonly string[], query: Query): Promise<AdminPage<Data>> =>
    call(options, { method: 'GET', path, query })
  const get = async <Data>(path: readonly string[], query: Query = {}): Promise<Data> =>
    (await paged<Data>(path, query)).data
  const change = async <Data>(method: 'PUT' | 'POST', path: readonly string[], body: object): Promise<Data> =>
    (await call<Data>(options, { method, path, body })).data
  const remove = async ({ reason }: ReasonRequest, path: readonly string[]): Promise<AuditLine> =>
    (await call<AuditLine>(options, { method: 'DELETE', path, query: { reason } })).data

  return {
    signIn: async (body) => began(await change('POST', ['session'], body)),
    session: async () => began(await get(['session'])),
    signOut: async () => (await call<SignedOut>(options, { method: 'DELETE', path: ['session'] })).data,
    tiers: () => get(['tiers']),
    setTier: (tier, body) => change('PUT', ['tiers', tier], body),
    clearTier: (tier, why) => remove(why, ['tiers', tier]),
    overrides: () => get(['overrides']),
    user: (userId, query = {}) => get(['users', userId], query),
    setOverride: (userId, body) => change('PUT', ['users', userId, 'override'], body),
    clearOverride: (userId, why) => remove(why, ['users', userId, 'override']),
    resetUse: (userId, body) => change('POST', ['users', userId, 'reset'], body),
    exportUser: (userId, { reason }) => get(['users', userId, 'export'], { reason }),
    eraseUser: (userId, body) => change('POST', ['users', userId, 'erase'], body),
    blocks: () => get(['blocks']),
    block: (body) => change('PUT', ['blocks'], body),
    unblock: async (query) => (await call<AuditLine>(options, { method: 'DELETE', path: ['blocks'], query })).data,
    handovers: (query = {}) => paged(['handovers'], query),
    takeHandover: (id, body) => change('POST', ['handovers', id, 'take'], body),
    closeHandover: (id, body) => change('POST', ['handovers', id, 'close'], body),
    usage: (query = {}) => paged(['usage'], query),
    usageRows: (query = {}) => paged(['usage', 'rows'], query),
    spenders: (query = {}) => paged(['spenders'], query),
    reconcileBill: (body) => change('POST', ['usage', 'reconcile'], body),
    conversation: (sessionId, query) => get(['conversations', sessionId], query),
    conversationsOf: (userId, query = {}) => paged(['users', userId, 'conversations'], query),
    feedback: (query = {}) => get(['feedback'], query),
    turnRecords: (query = {}) => paged(['turn-records'], query),
    turn: (id) => get(['turns', id]),
    worstFeedback: (query = {}) => paged(['feedback', 'worst'], query),
    audit: (query = {}) => paged(['audit'], query),
    settings: () => get(['settings']),
    setSetting: (body) => change('PUT', ['settings'], body),
    lanes: () => get(['lanes']),
    models: (query = {}) => get(['models'], query),
    nodes: () => get(['nodes']),
    overview: () => get(['overview']),
    operateLane: (lane, body) => change('POST', ['lanes', lane], body),
    maintenance: () => get(['maintenance']),
    setMaintenance: (body) => change('POST', ['maintenance'], body),
    alarms: () => get(['alarms']),
    silenceAlarm: (id, body) => change('POST', ['alarms', id, 'silence'], body),
    testAlarms: (body) => change('POST', ['alarms', 'test'], body),
    prewarm: (body) => change('POST', ['prewarm'], body),
    backUp: (body) => change('POST', ['backup'], body),
    explainSearch: (query) => get(['search'], query),
    catalogue: () => get(['catalogue']),
    catalogueOutlines: (query = {}) => paged(['catalogue', 'products'], query),
    beginImport: (body) => change('POST', ['catalogue', 'imports'], body),
    addImportRows: (importId, body) => change('POST', ['catalogue', 'imports', importId, 'rows'], body),
    commitImport: (importId, body) => change('POST', ['catalogue', 'imports', importId, 'commit'], body),
    experiments: () => get(['experiments']),
    startExperiment: (name, body) => change('POST', ['experiments', name, 'start'], body),
    stopExperiment: (name, body) => change('POST', ['experiments', name, 'stop'], body),
    experimentReport: (name, query = {}) => get(['experiments', name, 'report'], query),
    discardImport: async (importId) =>
      (await call<ImportProgress>(options, { method: 'DELETE', path: ['catalogue', 'imports', importId] })).data,
  }
}

/** The options, and the CSRF token of the session that was seen last. */
interface Calling extends AdminClientOptions {
  csrfToken: string | undefined
}

/** A token, if there is one, is the only credential. */
function credentialsOf({ csrfToken, token }: Calling): {
  readonly credentials: 'omit' | 'same-origin'
  readonly headers: Record<string, string>
} {
  if (token !== undefined) return { credentials: 'omit', headers: { authorization: `Bearer ${token}` } }
  return { credentials: 'same-origin', headers: csrfToken === undefined ? {} : { [CSRF_HEADER]: csrfToken } }
}

async function call<Data>(options: Calling, { body, method, path, query = {} }: Call) {
  const address = new URL(['/api/admin', ...path.map(encodeURIComponent)].join('/'), options.url)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) address.searchParams.set(name, String(value))
  const { credentials, headers } = credentialsOf(options)
  const response = await send(options, address, {
    method,
    credentials,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answered<Data>(response)
}

interface RawAnswer {
  readonly isOk: boolean
  readonly status: number
  readonly text: string
}

/** The deadline includes reading the body. */
async function send(
  { deadlineMs, request = fetch }: AdminClientOptions,
  address: URL,
  init: RequestInit,
): Promise<RawAnswer> {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const response = await request(address, { ...init, signal })
    return { isOk: response.ok, status: response.status, text: await response.text() }
  } catch (cause) {
    const [code, how] = signal.aborted ? (['TIMED_OUT', ' in time'] as const) : (['UNREACHABLE', ''] as const)
    throw new AdminError({ code, message: `No MangaAssist answers at ${address.origin}${how}.`, cause })
  }
}

function answered<Data>({ isOk, status, text }: RawAnswer): AdminPage<Data> {
  const { data, error, metadata } = parsed<Data>(text)
  const { newest, next } = metadata ?? {}
  if (isOk && data !== undefined) return { data, next, ...(newest === undefined ? {} : { newest }) }
  if (error !== undefined) throw new AdminError({ ...error, status })
  throw new AdminError({
    code: 'UNEXPECTED_ANSWER',
    message: `The response is not from a MangaAssist server: status ${status}.`,
    status,
  })
}

function parsed<Data>(text: string): Answer<Data> {
  try {
    return (JSON.parse(text) as Answer<Data> | null) ?? {}
  } catch {
    return {}
  }
}
