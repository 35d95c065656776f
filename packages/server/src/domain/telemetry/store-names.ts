// Metrics and events of money, limits and stores: budgets, rates, the ledger, Redis; and of the server itself.
import { AUDIT_ACTIONS } from '@mangaassist/protocol/admin'
import { counter, event, gauge, histogram } from './entry.ts'
import { ACCOUNT, BUCKET, COMMAND, STORE, TABLE, TASK, TECHNOLOGY, TURN_SECONDS, UNITS, VERB } from './label-bounds.ts'

export const storeMetrics = {
  alarm_store_spend_total: counter(
    'Steps of a day’s ceiling that were reached: 50, 80 or 100 percent is reserved or spent. Once per step and day.',
    { account: ACCOUNT, percent: [50, 80, 100] },
  ),
  alarm_user_spend_total: counter(
    'Users whose spending of the day exceeded `alarms.userMicroUsdPerDay`. Once per user and day.',
  ),
  alarm_redis_emptied_total: counter(
    'Times that Redis was found to have lost data: all of it, or what was written last.',
  ),
  budget_overage_total: counter('Turns that used more than was reserved for them.'),
  budget_extend_refused_total: counter('Further calls of a turn that were not made because the budget has no room.'),
  budget_store_unavailable_total: counter('Calls of the shared budgets that got no reply.'),
  budget_standalone_granted_total: counter(
    'Turns that this node granted from its own allowance while Redis was unavailable.',
  ),
  budget_standalone_timeout_total: counter(
    'Turns that were refused because Redis took too long and the request is too old to grant.',
  ),
  budget_allowance_exhausted_total: counter(
    'Turns that were refused because an allowance of a standalone node is used up.',
    {
      scope: ['user', 'node'],
    },
  ),
  budget_repeat_postponed_total: counter(
    'Repeated requests that must wait because Redis cannot say whether they were granted.',
  ),
  budget_claim_lost_total: counter('Idempotency keys of a standalone node that could not be written to Redis.'),
  budget_release_lost_total: counter('Holds of refused turns that could not be released in Redis; they expire.'),
  budget_day_rebuilt_total: counter('Days of a user that Redis had lost and that were charged again from the ledger.'),
  budget_audit_total: counter(
    'Day accounts that the audit compared with the ledger. `charged`: a missing charge was made; `below`: lower although all was charged, as after a reset; `above`: higher twice in a row.',
    { outcome: ['agrees', 'charged', 'below', 'above'] },
  ),
  budget_compare_failed_total: counter(
    'Days of a user that could not be compared with the ledger before a grant, because it was unavailable.',
  ),
  budget_uncompared_granted_total: counter(
    'Turns that were granted from the allowance because the day could not be compared with the ledger.',
  ),
  spending_refused_total: counter('Calls of vendors that were refused because the ceiling of the day is reached.', {
    account: ACCOUNT,
  }),
  rate_refused_total: counter('Requests that a rate of the whole cluster refused.', { bucket: BUCKET }),
  rate_standalone_total: counter(
    'Chunks of a shared rate that a node took from its own share because Redis was unavailable.',
    {
      bucket: BUCKET,
    },
  ),
  rate_return_failed_total: counter('Unused chunks of a shared rate that could not be returned; they expire.'),
  ledger_write_postponed_total: counter('Turns whose ledger rows could not be written at once; they are tried again.'),
  catalogue_stale_total: counter(
    'Answers for which the shared catalogue could not be read: price and stock are shown with the time at which they were current.',
  ),
  redis_connection_failed_total: counter('Errors of the connections to Redis, failed reconnects included.'),
  redis_call_failed_total: counter('Calls of Redis that failed.', { command: COMMAND }),
  redis_call_timeout_total: counter('Calls of Redis without a reply in time.', { command: COMMAND }),
  redis_call_refused_total: counter('Calls of Redis that were not made because its circuit is open.', {
    command: COMMAND,
  }),
  dynamodb_call_total: counter('Calls of DynamoDB, without the repetitions of throttled ones.', { command: COMMAND }),
  dynamodb_call_throttled_total: counter('Answers of DynamoDB that a call came too soon or met another one.', {
    command: COMMAND,
  }),
  dynamodb_call_failed_total: counter('Calls of DynamoDB that failed.', { command: COMMAND }),
  dynamodb_call_timeout_total: counter('Calls of DynamoDB without a reply in time.', { command: COMMAND }),
  dynamodb_call_refused_total: counter('Calls of DynamoDB that were not made because its circuit is open.', {
    command: COMMAND,
  }),
  dynamodb_units: histogram('Capacity units of a call of DynamoDB; the sum is what it bills.', UNITS, {
    kind: ['read', 'write'],
    table: TABLE,
  }),
  search_engine_questions_total: counter(
    'Questions for which the search engine was to choose products: `answered`; for the others the node’s own index did, because the engine failed, its circuit is open, or it has another edition.',
    { outcome: ['answered', 'late', 'overload', 'unreachable', 'refused', 'circuit-open', 'other-edition'] },
  ),
  search_engine_call_seconds: histogram(
    'Time of the search engine’s calls, until their end or deadline.',
    TURN_SECONDS,
  ),
  override_read_failed_total: counter('Failed reads of the overrides of limits; the last known ones apply.'),
  admin_changed_total: counter('Changes by operators, by action.', {
    action: AUDIT_ACTIONS,
  }),
  maintenance_active: gauge('1 while new questions are refused for maintenance.', 'count'),
  mode_active: gauge('1 for the mode of the service that this node applies.', 'count', {
    mode: ['normal', 'reduced', 'read-only', 'maintenance'],
  }),
  nodes_alive: gauge('Nodes of the cluster with a lease, as this node last saw them.', 'count', {
    state: ['serving', 'draining'],
  }),
  node_is_leader: gauge('1 on the node that leads the cluster, else 0.', 'count'),
  node_lost_total: counter('Nodes whose lease lapsed although they were not draining. The leader counts them.'),
  upkeep_failed_total: counter('Repeated tasks of the server that failed.', { task: TASK }),
  upkeep_sweep_behind_total: counter(
    'Rounds in which more expired turns or conversations were found than one round deletes.',
  ),
  store_call_seconds: {
    ...histogram(
      'Time of the calls of a store’s port, until their end or deadline: which data, in which technology, which verb.',
      TURN_SECONDS,
      { store: STORE, technology: TECHNOLOGY, verb: VERB },
    ),
    // A port has one technology, and a handful of verbs.
    seriesMax: 150,
  },
} as const

const NODE_FIELDS = ['nodeId', 'host', 'version', 'nodes'] as const

export const storeEvents = {
  'alarm.store-spend': event(['warn', 'error'], 'A step of a day’s ceiling was reached; `error` at 100 percent.', [
    'account',
    'percent',
    'day',
    'limitMicroUsd',
  ]),
  'alarm.user-spend': event(
    'warn',
    'A user’s spending of the day exceeded the alarm; the log has the turn, not the user.',
    ['turnId', 'day', 'alarmMicroUsd'],
  ),
  'node.registered': event(
    'info',
    'This node is in the registry. `hadLapsed`: its lease had lapsed, because it was paused or the registry unavailable.',
    ['nodeId', 'host', 'version', 'nodes', 'hadLapsed'],
  ),
  'node.registry-full': event('warn', 'The registry has no room for this node: it serves, and never leads.', ['nodes']),
  'node.joined': event('info', 'Another node was registered. The leader reports it.', NODE_FIELDS),
  'node.drained': event('info', 'A node that was draining has left. The leader reports it.', NODE_FIELDS),
  'node.lost': event(
    'warn',
    'A node that was not draining has been missing for a lease after its own had lapsed. The leader reports it.',
    NODE_FIELDS,
  ),
  'node.leader-began': event('info', 'This node leads the cluster: it does what one node does for all.', [
    'nodeId',
    'nodes',
  ]),
  'node.leader-ended': event(
    ['info', 'warn'],
    'This node no longer leads: it drains, or its lease lapsed (`warn`). Another node follows within seconds.',
    ['nodeId', 'reason'],
  ),
  'alarm.redis-emptied': event(
    'error',
    'Redis answers and has lost all that it held, or is in an old state. Each node reports it once.',
    ['lost'],
  ),
  'budget.extend-failed': event('warn', 'The budget of a turn could not be raised; the further call is not made.', [
    'turnId',
  ]),
  'budget.standalone-began': event('warn', 'Redis is unavailable; this node grants turns from its own allowance.'),
  'budget.standalone-ended': event('warn', 'Redis is available again; this node writes the `waiting` changes to it.', [
    'waiting',
  ]),
  'budget.settlement-lost': event('error', 'What a turn used could not be charged in Redis, and is not tried again.', [
    'what',
  ]),
  'budget.audit-behind': event(
    'warn',
    'A round of the audit ended before it had every user who was answered lately; the next one continues. `behindMs`: how long ago the first turn was that it did not reach.',
    ['behindMs', 'users'],
  ),
  'budget.audit-differs': event(
    'warn',
    'The audit found day accounts that differ from the ledger: how many of each kind, and how many agree.',
    ['day', 'agrees', 'charged', 'below', 'above'],
  ),
  'budget.day-rebuilt': event('warn', 'Redis had lost a user’s day; it was charged again from the ledger.', [
    'day',
    'turns',
  ]),
  'spending.restored': event(
    'warn',
    'Redis had lost a part of the day’s spending; it was counted again from the ledger.',
    ['account', 'day', 'microUsd'],
  ),
  'spending.restore-failed': event('error', 'The day’s spending could not be restored from the ledger.', ['day']),
  'spending.unavailable': event(
    'warn',
    'Money of the day’s ceiling could not be leased; no vendor is asked for a moment.',
    ['account'],
  ),
  'spending.charge-failed': event('warn', 'A call cost more than was leased, and the rest could not be charged.', [
    'account',
    'microUsd',
  ]),
  'spending.return-failed': event('warn', 'Leased money could not be returned; it counts as spent until midnight.', [
    'microUsd',
  ]),
  'rate.unavailable': event(
    'warn',
    'A chunk of a shared rate could not be leased; requests are refused for a moment.',
    ['bucket'],
  ),
  'ledger.rows-lost': event('error', 'The ledger rows of a turn could not be written, and are not tried again.', [
    'turnId',
  ]),
  'redis.connection-failed': event('warn', 'A connection to Redis failed. Once per kind of error in a row.'),
  'redis.check-failed': event('error', 'The check whether Redis still has its data failed.'),
  'redis.eviction-enabled': event(
    'warn',
    'Redis may delete data when its memory is full: set `maxmemory-policy` as wanted.',
    ['evictionPolicy', 'wanted'],
  ),
  'redis.not-persistent': event('warn', 'Redis may lose data at a restart: set its persistence as wanted.', [
    'persistence',
    'wanted',
  ]),
  'override.read-failed': event('warn', 'The overrides of limits could not be read; the last known ones apply.'),
  'catalogue.copied': event('info', 'The node’s copy follows a new edition of the shared catalogue.', [
    'edition',
    'products',
    'tookMs',
  ]),
  'catalogue.not-copied': event('warn', 'The shared catalogue could not be read; the node answers from its copy.'),
  'catalogue.not-purged': event(
    'warn',
    'Earlier editions of the shared catalogue could not be removed; tried again later.',
  ),
  'catalogue.editions-differ': event('warn', 'Other nodes have another catalogue: run the import for every node.', [
    'edition',
    'nodes',
  ]),
  'setting.applied': event('warn', 'A setting of operators has taken effect on this node, or expired.', [
    'setting',
    'before',
    'value',
  ]),
  'admin.changed': event(['info', 'warn'], 'An operator made a change; `warn` for lanes and settings.', [
    'action',
    'subject',
    'number',
    'by',
  ]),
  'admin.change-uncertain': event('error', 'An action on a lane failed half-way: check the state and repeat it.', [
    'action',
    'subject',
    'number',
    'by',
  ]),
  'admin.audit-write-failed': event(
    'error',
    'An action failed half-way, or an operator signed in or out, and the audit does not say so.',
    ['action', 'subject', 'number', 'by'],
  ),
  'admin.reset-uncertain': event('error', 'A reset failed half-way: check the user and the audit, and repeat it.', [
    'action',
    'by',
    'inputTokens',
    'outputTokens',
    'costMicroUsd',
  ]),
  'server.started': event(
    'info',
    'The server answers: its version, its node, its stores by port, its models by name. Once per process.',
    ['version', 'nodeVersion', 'node', 'host', 'pid', 'profile', 'stores', 'models', 'ladder', 'address', 'readyMs'],
  ),
  'server.stopping': event(
    'info',
    'The server begins to stop: it answers as usual for its lame duck, while `/readyz` says 503; `reason` is the signal.',
    ['reason', 'turns', 'connections'],
  ),
  'server.draining': event('info', 'The lame duck is over: the server refuses new requests and lets its turns end.', [
    'lameDuckMs',
    'turns',
    'connections',
  ]),
  'server.hurried': event('info', 'A second signal: the server waits no longer, and leaves the turns that still run.', [
    'reason',
    'turns',
  ]),
  'server.stopped': event(
    ['info', 'error'],
    'The server has closed everything. `drainedTurns` ended here after the signal; `leftTurns` did not: another node or the next start continues them.',
    ['reason', 'drainedTurns', 'leftTurns', 'tookMs'],
  ),
  'config.effective': event(
    'info',
    'The configuration: its file, the names of its variables, and every setting that is not its default. Secrets are hidden.',
    ['file', 'variables', 'settings', 'leftOut'],
  ),
  'config.warning': event('warn', 'A setting is probably not what was meant; `fix` says what to write.', [
    'path',
    'given',
    'fix',
  ]),
  'server.any-host-allowed': event('warn', 'The server answers to any host name: set `server.publicUrl`.', ['advice']),
  'cluster.cookie-key-shared': event('warn', 'No MANGA_COOKIE_KEY is set; the nodes share a key through Redis.', [
    'advice',
  ]),
  'data-dir.readable-by-others': event('warn', 'Other users of the machine can open the data directory.', [
    'path',
    'advice',
  ]),
  'data-dir.log-lost': event(
    'error',
    'The write-ahead log of the database was `missing`, or `damaged` before its end: what was written last is lost. `frames` is how many pages follow the damage.',
    ['path', 'what', 'frames'],
  ),
  'search.indexed': event('info', 'The search index of a new edition of the catalogue was built.', ['tookMs']),
  'search.not-indexed': event(
    'error',
    'The search index of a new edition could not be built; the one before answers, and the next question tries again.',
    ['error'],
  ),
  'search.index-damaged': event('warn', 'The search index could not be read; it is removed and built again.', [
    'error',
  ]),
  'search.engine-unavailable': event(
    'warn',
    'The search engine does not answer; the node’s own index does. Once until it answers again.',
    ['reason'],
  ),
  'search.engine-available': event('info', 'The search engine answers again.', []),
  'search.engine-indexed': event('info', 'This node has written its edition to the search engine.', ['tookMs']),
  'search.engine-not-indexed': event(
    'warn',
    'The edition could not be written to the search engine; the node’s own index answers, and it is tried again. Once until it works.',
    ['reason'],
  ),
  'clock.set': event(
    'warn',
    'The machine’s clock was set and differs from the server’s time by `aheadMs`. One set forward is followed after 15 minutes, one set back only after a restart; tokens are judged by the machine’s clock.',
    ['aheadMs', 'advice'],
  ),
  'clock.agrees': event('info', 'The machine’s clock agrees with the time of the server again.', []),
  'upkeep.failed': event('error', 'A repeated task of the server failed; once until it works again.', ['task']),
} as const
