// The panels of each dashboard: a title, expressions with their legends, and the unit of the axis. `@` begins the name of a metric.

export const DASHBOARDS = ['traffic', 'models', 'money', 'stores'] as const
export type DashboardName = (typeof DASHBOARDS)[number]

export interface Panel {
  readonly title: string
  /** A unit of Grafana. */
  readonly unit: 'short' | 's' | 'reqps' | 'percentunit' | 'bytes' | 'currencyUSD' | 'none'
  readonly queries: readonly (readonly [expression: string, legend: string])[]
}

const rate = (selector: string, by: string) => `sum by (${by}) (rate(${selector}[5m]))`
const quantile = (q: number, metric: string, by: string) =>
  `histogram_quantile(${q}, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${metric}_bucket[5m])))`
/** The usual three quantiles of a distribution. */
const spread = (metric: string): Panel['queries'] => [
  [quantile(0.5, metric, ''), 'p50'],
  [quantile(0.95, metric, ''), 'p95'],
  [quantile(0.99, metric, ''), 'p99'],
]

const traffic: readonly Panel[] = [
  { title: 'Requests by status', unit: 'reqps', queries: [[rate('@http_requests_total', 'status'), '{{status}}']] },
  {
    title: 'HTTP requests, p95 by route',
    unit: 's',
    queries: [[quantile(0.95, '@http_request_seconds', 'route'), '{{route}}']],
  },
  {
    title: 'Answers by tier',
    unit: 'reqps',
    queries: [[rate('@turn_duration_seconds_count', 'tier, outcome'), '{{tier}} {{outcome}}']],
  },
  { title: 'First words', unit: 's', queries: spread('@turn_first_word_seconds') },
  {
    title: 'First words, p95 by tier',
    unit: 's',
    queries: [[quantile(0.95, '@turn_first_word_seconds', 'tier'), '{{tier}}']],
  },
  { title: 'Whole answers', unit: 's', queries: spread('@turn_duration_seconds') },
  { title: 'Time between two writes of an answer', unit: 's', queries: spread('@turn_frame_interval_seconds') },
  { title: 'Refusals by code', unit: 'reqps', queries: [[rate('@request_refused_total', 'code'), '{{code}}']] },
  {
    title: 'Answers without a model',
    unit: 'reqps',
    queries: [[rate('@turn_fallback_total', 'reason, step'), '{{reason}} {{step}}']],
  },
  {
    title: 'Turns and connections',
    unit: 'none',
    queries: [
      ['sum(@turn_running)', 'turns'],
      ['sum(@websocket_connections)', 'WebSockets'],
      ['max(@deferred_questions)', 'deferred questions'],
    ],
  },
  {
    title: 'Streams by state',
    unit: 'none',
    queries: [['sum by (state) (@turn_streams)', '{{state}}']],
  },
  {
    title: 'Slow readers',
    unit: 'reqps',
    queries: [
      [rate('@reader_paused_total', 'door'), 'paused {{door}}'],
      [rate('@reader_closed_total', 'door, reason'), 'closed {{door}} {{reason}}'],
      [rate('@reader_resumed_total', 'door'), 'resumed {{door}}'],
    ],
  },
]

const models: readonly Panel[] = [
  {
    title: 'Calls by model and outcome',
    unit: 'reqps',
    queries: [[rate('@model_attempts_total', 'model, outcome'), '{{model}} {{outcome}}']],
  },
  {
    title: 'Calls of a model, p95',
    unit: 's',
    queries: [[quantile(0.95, '@model_attempt_seconds', 'model'), '{{model}}']],
  },
  {
    title: 'Output tokens a second, median',
    unit: 'none',
    queries: [[quantile(0.5, '@model_output_tokens_per_second', 'model'), '{{model}}']],
  },
  {
    title: 'Time that a lane has been down',
    unit: 's',
    queries: [['max by (lane) (@lane_down_seconds)', '{{lane}}']],
  },
  {
    title: 'Level of a lane (0 normal to 4 open)',
    unit: 'none',
    queries: [['max by (lane) (@lane_level)', '{{lane}}']],
  },
  {
    title: 'Share of time by state of the circuit',
    unit: 'percentunit',
    queries: [['max by (lane, state) (rate(@lane_state_seconds_total[5m]))', '{{lane}} {{state}}']],
  },
  {
    title: 'Openings and ends of outages',
    unit: 'none',
    queries: [
      ['sum by (lane) (increase(@lane_opened_total[5m]))', 'opened {{lane}}'],
      ['sum by (lane) (increase(@lane_closed_total[5m]))', 'closed {{lane}}'],
    ],
  },
  {
    title: 'Calls in flight and their limit',
    unit: 'none',
    queries: [
      ['max by (lane) (@lane_in_flight_calls)', '{{lane}}'],
      ['max by (lane) (@lane_in_flight_calls_max)', 'limit {{lane}}'],
    ],
  },
  {
    title: 'Queue',
    unit: 'none',
    queries: [['sum by (lane) (@lane_queue_turns)', '{{lane}}']],
  },
  {
    title: 'Oldest turn in the queue',
    unit: 's',
    queries: [['max by (lane) (@lane_queue_oldest_seconds)', '{{lane}}']],
  },
  {
    title: 'Wait in the queue, p95',
    unit: 's',
    queries: [[quantile(0.95, '@lane_queue_wait_seconds', 'lane'), '{{lane}}']],
  },
  {
    title: 'Retries by outcome',
    unit: 'reqps',
    queries: [[rate('@model_retries_total', 'model, outcome'), '{{model}} {{outcome}}']],
  },
  {
    title: 'Budget of retries',
    unit: 'none',
    queries: [
      ['max by (lane) (@lane_retry_budget)', '{{lane}}'],
      ['max by (lane) (@lane_retry_budget_max)', 'size {{lane}}'],
    ],
  },
  {
    title: 'Format probes',
    unit: 'none',
    queries: [
      [
        'sum by (model, outcome, reason) (increase(@model_format_probes_total[30m]))',
        '{{model}} {{outcome}} {{reason}}',
      ],
    ],
  },
  {
    title: 'Estimates that were far off',
    unit: 'reqps',
    queries: [[rate('@estimate_drifted_total', 'model'), '{{model}}']],
  },
  {
    title: 'Search engine and embedder',
    unit: 'reqps',
    queries: [
      [rate('@search_engine_questions_total', 'outcome'), 'search {{outcome}}'],
      [rate('@embedder_questions_total', 'outcome'), 'embedder {{outcome}}'],
    ],
  },
]

const money: readonly Panel[] = [
  {
    title: 'Cost in an hour, by model',
    unit: 'currencyUSD',
    queries: [['sum by (model) (increase(@model_cost_usd_total[1h]))', '{{model}}']],
  },
  {
    title: 'Cost in an hour, by who pays',
    unit: 'currencyUSD',
    queries: [['sum by (payer) (increase(@model_cost_usd_total[1h]))', '{{payer}}']],
  },
  {
    title: 'Tokens in an hour, by kind',
    unit: 'short',
    queries: [['sum by (model, kind) (increase(@model_tokens_total[1h]))', '{{model}} {{kind}}']],
  },
  {
    title: 'Estimated by counted tokens of prompts, median',
    unit: 'none',
    queries: [[quantile(0.5, '@model_estimate_ratio', 'model'), '{{model}}']],
  },
  {
    title: 'Answers without usable usage',
    unit: 'none',
    queries: [['sum by (model, reason) (increase(@model_usage_estimated_total[1h]))', '{{model}} {{reason}}']],
  },
  {
    title: 'Users, guests and keys at steps of their day',
    unit: 'none',
    queries: [['sum by (kind, percent) (increase(@alarm_principal_spend_total[1h]))', '{{kind}} {{percent}} %']],
  },
  {
    title: 'Steps of the day’s ceilings that were reached',
    unit: 'none',
    queries: [
      ['sum by (account, percent) (increase(@alarm_store_spend_total[1h]))', '{{account}} {{percent}} %'],
      ['sum(increase(@alarm_user_spend_total[1h]))', 'users above their alarm'],
    ],
  },
  {
    title: 'Calls that a ceiling refused',
    unit: 'reqps',
    queries: [[rate('@spending_refused_total', 'account'), '{{account}}']],
  },
  {
    title: 'Answers that cost nothing',
    unit: 'reqps',
    queries: [[rate('@answer_cache_lookups_total', 'outcome'), '{{outcome}}']],
  },
  {
    title: 'The audit of day accounts',
    unit: 'none',
    queries: [['sum by (outcome) (increase(@budget_audit_total[1h]))', '{{outcome}}']],
  },
  {
    title: 'Turns above their reservation, and without shared budgets',
    unit: 'none',
    queries: [
      ['sum(increase(@budget_overage_total[5m]))', 'above the reservation'],
      ['sum(increase(@budget_standalone_granted_total[5m]))', 'granted standalone'],
    ],
  },
  {
    title: 'Rows of the ledger that wait',
    unit: 'none',
    queries: [['sum(increase(@ledger_write_postponed_total[5m]))', 'postponed']],
  },
  {
    title: 'Refusals by quota and rate',
    unit: 'reqps',
    queries: [
      [rate('@limit_refused_total', 'code, scope'), '{{code}} {{scope}}'],
      [rate('@rate_refused_total', 'bucket'), 'rate {{bucket}}'],
    ],
  },
  {
    title: 'Capacity units of DynamoDB',
    unit: 'reqps',
    queries: [[rate('@dynamodb_units_sum', 'table, kind'), '{{table}} {{kind}}']],
  },
]

const stores: readonly Panel[] = [
  {
    title: 'Nodes',
    unit: 'none',
    queries: [
      ['max by (state) (@nodes_alive)', '{{state}}'],
      ['sum(@node_is_leader)', 'leaders'],
      ['sum(increase(@node_lost_total[5m]))', 'lost'],
    ],
  },
  { title: 'Alarms that fire', unit: 'none', queries: [['max by (alarm) (@alarm_firing)', '{{alarm}}']] },
  {
    title: 'Redis: failed connections and late calls',
    unit: 'none',
    queries: [
      ['sum(increase(@redis_connection_failed_total[5m]))', 'connections'],
      ['sum by (command) (increase(@redis_call_timeout_total[5m]))', 'late {{command}}'],
      ['sum by (command) (increase(@redis_call_failed_total[5m]))', 'failed {{command}}'],
    ],
  },
  {
    title: 'DynamoDB: calls',
    unit: 'reqps',
    queries: [
      [rate('@dynamodb_call_total', 'command'), '{{command}}'],
      [rate('@dynamodb_call_throttled_total', 'command'), 'throttled {{command}}'],
      [rate('@dynamodb_call_failed_total', 'command'), 'failed {{command}}'],
    ],
  },
  {
    title: 'Calls of stores, p95',
    unit: 's',
    queries: [[quantile(0.95, '@store_call_seconds', 'store, technology'), '{{store}} {{technology}}']],
  },
  {
    title: 'Event loop: delay, p95',
    unit: 's',
    queries: [[quantile(0.95, '@process_event_loop_delay_seconds', 'instance'), '{{instance}}']],
  },
  {
    title: 'Disk of the data folder in use',
    unit: 'percentunit',
    queries: [['1 - @data_dir_free_bytes / @data_dir_capacity_bytes', '{{instance}}']],
  },
  {
    title: 'Resident memory',
    unit: 'bytes',
    queries: [['@process_resident_memory_bytes', '{{instance}}']],
  },
  { title: 'JavaScript heap', unit: 'bytes', queries: [['@process_heap_used_bytes', '{{instance}}']] },
  {
    title: 'Turns taken over and lost',
    unit: 'none',
    queries: [
      ['sum by (continued) (increase(@turn_taken_over_total[5m]))', 'taken over, continued {{continued}}'],
      ['sum(increase(@turn_log_lost_total[5m]))', 'two writers'],
      ['sum(increase(@session_version_conflict_total[5m]))', 'version conflicts'],
    ],
  },
  {
    title: 'Repeated tasks that fail',
    unit: 'none',
    queries: [['sum by (task) (increase(@upkeep_failed_total[10m]))', '{{task}}']],
  },
  {
    title: 'Dropped: turn records, metric updates, telemetry',
    unit: 'none',
    queries: [
      ['sum by (reason) (increase(@turn_records_dropped_total[5m]))', 'turn records {{reason}}'],
      ['sum(increase(@metric_updates_dropped_total[5m]))', 'metric updates'],
      ['sum by (signal, reason) (increase(@telemetry_export_dropped_total[5m]))', '{{signal}} {{reason}}'],
    ],
  },
  {
    title: 'Messages about alarms',
    unit: 'none',
    queries: [['sum by (sender, outcome) (increase(@alarm_messages_total[1h]))', '{{sender}} {{outcome}}']],
  },
]

export const panels: Readonly<Record<DashboardName, readonly Panel[]>> = { traffic, models, money, stores }
