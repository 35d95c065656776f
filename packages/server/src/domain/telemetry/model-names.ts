// Metrics and events of models: calls, probes, samples, estimates, summaries, and the lanes that calls use.
import { REJECTION_CAUSES } from '../model/rejections.ts'
import { counter, counterOf, event, gauge, histogram } from './entry.ts'
import { CALL_OUTCOME, LANE, MODEL, OUTAGE_SECONDS, PAYER, PROBE_REASON, QUOTIENT } from './label-bounds.ts'
import { TOKEN_RATE, TURN_SECONDS } from './label-bounds.ts'

/** From best to worst. */
const CIRCUIT_STATE = ['closed', 'recovering', 'half-open', 'open'] as const

const PERMIT_OUTCOME = [
  'permit',
  'open',
  'probing',
  'saturated',
  'no-retries',
  'retry-bucket',
  'retry-cap',
  'queue-full',
  'timeout',
  'cancelled',
] as const

/** What a vendor or the network said about a failed call (`fault-fields.ts`). */
const FAULT_FIELDS = ['vendorStatus', 'vendorCode', 'vendorMessage', 'vendorHost', 'vendorRequestId'] as const

export const modelMetrics = {
  model_attempts_total: counter('Calls of a model for answers, by how they ended.', {
    model: MODEL,
    outcome: CALL_OUTCOME,
  }),
  model_attempt_seconds: histogram(
    'Time of the calls of a model for answers, by the number of the try at this model in its turn and how it ended: retries and their success.',
    TURN_SECONDS,
    { model: MODEL, attempt: ['1', '2', '3', '4+'], outcome: ['ok', 'failed', 'stopped'] },
  ),
  model_tokens_total: counterOf(
    'Tokens of all calls of a model, the shop’s own included, as they are booked. `input` contains those read from and written to a cache, `output` contains reasoning.',
    { unit: 'tokens' },
    { model: MODEL, kind: ['input', 'output', 'cache-read', 'cache-write', 'reasoning'] },
  ),
  model_cost_usd_total: counterOf(
    'Cost of all calls of a model as it is booked in the ledger, in dollars, by who pays.',
    { unit: 'usd', perUnit: 1_000_000 },
    { model: MODEL, payer: PAYER },
  ),
  model_output_tokens_per_second: histogram(
    'Output tokens of an answer in a second, from its first word to its end.',
    TOKEN_RATE,
    { model: MODEL },
  ),
  model_usage_estimated_total: counter(
    'Complete answers without usable usage of the provider, which is missing or 0: a change of its format. The ledger has an estimate.',
    { model: MODEL, reason: ['missing', 'zero'] },
  ),
  model_estimate_ratio: histogram(
    'Estimated tokens of a prompt divided by those that the provider counted; 1 is exact.',
    QUOTIENT,
    { model: MODEL },
  ),
  model_retries_total: counter('Retries that were requested: `permit`, or why the lane refused.', {
    model: MODEL,
    outcome: ['permit', 'open', 'probing', 'saturated', 'no-retries', 'retry-bucket', 'retry-cap'],
  }),
  model_hedges_total: counter(
    'Second models that were asked because this one was slow: the second answered first (`won`), did not (`lost`), or neither answered (`failed`).',
    { model: MODEL, outcome: ['won', 'lost', 'failed'] },
  ),
  model_hedge_refused_total: counter('Second models that were due and not asked beside the first, by reason.', {
    model: MODEL,
    reason: ['attempts', 'budget', 'lane', 'off', 'share', 'time'],
  }),
  model_anomalies_total: counter('Parts of a model’s stream that are not as its vendor documents.', {
    model: MODEL,
    anomaly: ['unknown-event', 'undecodable-event', 'unknown-stop-reason', 'lost-after-end'],
  }),
  model_format_probes_total: {
    ...counter('Format probes of a model, by outcome and finding.', {
      model: MODEL,
      outcome: ['ok', 'degraded', 'error'],
      reason: PROBE_REASON,
    }),
    // A finding has one outcome, and a model few findings.
    seriesMax: 400,
  },
  model_format_probe_skipped_total: counter('Format probes that were not made, by reason.', {
    model: MODEL,
    reason: ['circuit-open', 'saturated', 'stopped', 'cap', 'ceiling'],
  }),
  house_calls_skipped_total: counter(
    'Calls at the shop’s cost that were not made, by reason; `saturated`: the lane had none to spare.',
    {
      purpose: ['format-probe', 'lane-probe', 'prewarm', 'refresh', 'summary'],
      reason: ['circuit-open', 'saturated', 'stopped', 'cap', 'ceiling'],
    },
  ),
  model_sample_stored_total: counter('Raw responses of a model that were stored as samples.', { model: MODEL }),
  model_sample_dropped_total: counter('Samples that were dropped because the disk is slow.', { model: MODEL }),
  estimate_drifted_total: counter('Prompts whose estimated tokens were far from what the provider counted.', {
    model: MODEL,
  }),
  session_summaries_calls_total: counter('Calls of a model for summaries, by how they ended.', {
    model: MODEL,
    outcome: CALL_OUTCOME,
  }),
  session_summaries_made_total: counter('Summaries of conversations: stored, or outdated when they were ready.', {
    outcome: ['stored', 'outdated'],
  }),
  session_summaries_dropped_total: counter('Summaries that were not begun because too many waited.'),
  session_summaries_refused_total: counter(
    'Summaries that were not made because their budget or the day’s ceiling is used up.',
  ),
  embedder_calls_total: counter(
    'Calls of the embedder, by how they ended: `vectors`, `late`, `refused` by its circuit, or the class of the error.',
    { purpose: ['document', 'question'], outcome: CALL_OUTCOME },
  ),
  embedder_call_seconds: histogram('Time of the embedder’s calls, until their end or deadline.', TURN_SECONDS, {
    purpose: ['document', 'question'],
  }),
  embedder_questions_total: counter(
    'Questions that the embedder was to give a vector: `embedded` or `cached`; for all others the vectors of words are used: `late`, `refused`, `failed`, or `not-ready` because not everything is embedded.',
    { outcome: ['embedded', 'cached', 'late', 'refused', 'failed', 'not-ready'] },
  ),
  embedder_documents: gauge(
    'Series and FAQ entries that have vectors of the embedder, and that have none yet.',
    'count',
    {
      state: ['embedded', 'missing'],
    },
  ),
  lane_level: gauge('Load level of a lane: 0 normal, 1 slight, 2 high, 3 recovery, 4 open.', 'count', { lane: LANE }),
  lane_circuit_state: gauge('Circuit of a lane: 0 closed, 1 recovering, 2 half-open, 3 open.', 'count', { lane: LANE }),
  lane_down_seconds: gauge(
    'How long the circuit of a lane has refused calls, from its first opening until the lane serves again; 0 while it serves.',
    'seconds',
    { lane: LANE },
  ),
  lane_outage_seconds: histogram('How long an outage of a lane lasted, when it is over.', OUTAGE_SECONDS, {
    lane: LANE,
  }),
  lane_transitions_total: counter('Changes of the circuit of a lane, from one state to another.', {
    lane: LANE,
    from: CIRCUIT_STATE,
    to: CIRCUIT_STATE,
  }),
  lane_state_seconds_total: counterOf(
    'Time that the circuit of a lane has spent in a state since the process started.',
    { unit: 'seconds' },
    { lane: LANE, state: CIRCUIT_STATE },
  ),
  lane_opened_total: counter('Openings of a lane’s circuit.', { lane: LANE }),
  lane_closed_total: counter('Ends of a lane’s outage: the lane serves again.', { lane: LANE }),
  lane_in_flight_calls: gauge('Calls in flight: of all nodes for a model, else of this node.', 'count', { lane: LANE }),
  lane_calls_per_second_max: gauge(
    'Calls a second that begin at most, while the provider refuses some for load; absent otherwise.',
    'count',
    { lane: LANE },
  ),
  lane_in_flight_calls_max: gauge('Limit of calls in flight; absent while there is none.', 'count', { lane: LANE }),
  lane_retry_budget: gauge('What is left of a lane’s budget of retries.', 'count', { lane: LANE }),
  lane_retry_budget_max: gauge('Size of a lane’s budget of retries.', 'count', { lane: LANE }),
  lane_recent_calls: gauge(
    'The last ten seconds: all calls, failures, retries, and turns that used another model because the lane was full (`shed`).',
    'count',
    { lane: LANE, kind: ['calls', 'failures', 'retries', 'shed'] },
  ),
  lane_operator_action: gauge('1 while an operator has forced a lane open or disabled it; absent otherwise.', 'count', {
    lane: LANE,
    action: ['force-open', 'disable'],
  }),
  model_rejected_calls: gauge(
    'Calls of a model in a row that its vendor has rejected, on any node, from the third on; absent otherwise.',
    'count',
    { model: MODEL, reason: REJECTION_CAUSES },
  ),
  lane_queue_turns: gauge('Turns of this node that wait in the queue of a lane.', 'count', { lane: LANE }),
  lane_queue_oldest_seconds: gauge(
    'How long the oldest turn in the queue of a lane has waited; 0 without one.',
    'seconds',
    {
      lane: LANE,
    },
  ),
  queue_turns_max: gauge(
    'How many turns may wait in all queues of this node; their sum by it is the utilisation.',
    'count',
  ),
  lane_queue_wait_seconds: histogram('Time that turns waited in the queue of a lane, by outcome.', TURN_SECONDS, {
    lane: LANE,
    outcome: PERMIT_OUTCOME,
  }),
  lane_permit_requests_total: counter(
    'First attempts of turns at a lane: `permit`, refused by the lane (`open`, `probing`, `saturated`), or ended in the queue (`queue-full`, `timeout`, `cancelled`).',
    { lane: LANE, outcome: PERMIT_OUTCOME },
  ),
  lane_standalone_began_total: counter(
    'Times that this node lost the shared state of a lane and used its own share of the limits.',
  ),
  lane_standalone_ended_total: counter('Times that this node used the shared state of a lane again.'),
} as const

export const modelEvents = {
  'model.attempt-failed': event(
    'warn',
    'A call of a model failed; `class` is the kind of error. `purpose`: of a call that the shop itself makes. `vendor…` is what the vendor or the network said.',
    ['turnId', 'model', 'modelId', 'purpose', 'attempt', 'class', 'tookMs', ...FAULT_FIELDS],
  ),
  'model.usage-estimated': event(
    'warn',
    'A model reported no usable usage for an answer; the ledger has an estimate. `reported` is the structure of what it sent.',
    ['model', 'modelId', 'reported'],
  ),
  'model.format-degraded': event(
    ['warn', 'error'],
    'A format probe found a model that does not answer as expected; `error` when it does not answer at all.',
    ['model', 'outcome', 'reason', ...FAULT_FIELDS],
  ),
  'model.format-probe-failed': event('error', 'A format probe could not be made or booked.', ['model']),
  'model.sample-failed': event('warn', 'A sample of a raw response could not be stored.', ['model']),
  'estimate.drifted': event('warn', 'The estimate of a prompt’s tokens was far from what the provider counted.', [
    'model',
    'percentOff',
  ]),
  'estimate.calibrate-failed': event('warn', 'A vendor did not count tokens at start; estimates begin uncalibrated.', [
    'model',
  ]),
  'estimate.share-failed': event('warn', 'What was learned about a tokenizer could not be shared with other nodes.'),
  'session.summary-failed': event(
    'warn',
    'A summary of a conversation failed; it is tried again after its next turn.',
    ['sessionId'],
  ),
  'embedder.embedded': event('info', 'The embedder has given vectors to what was new in the catalogue and the FAQ.', [
    'documents',
    'tookMs',
  ]),
  'embedder.failed': event(
    'warn',
    'The embedder failed; searches use the vectors of words for what is missing, and it is tried again. Once until it works.',
    ['reason', 'missing'],
  ),
  'routing.not-projected': event('warn', 'What routing would save could not be worked out; tried again in an hour.', [
    'reason',
  ]),
  'lane.opened': event('warn', 'A lane refuses calls: an outage begins. Once per outage.', [
    'lane',
    'laneId',
    'recentCalls',
    'recentFailures',
  ]),
  'lane.closed': event('info', 'A lane serves again: the outage is over.', [
    'lane',
    'laneId',
    'downMs',
    'openings',
    'refusedCalls',
  ]),
  'lane.probe-failed': event(['debug', 'warn'], 'The probe of a half-open lane failed.', ['lane']),
  'model.rejected': event(
    'error',
    'A vendor has rejected the last three calls of a model: by its key (`access-denied`), its name (`not-found`) or the form of the requests (`invalid`).',
    ['model', 'class', 'vendorStatus', 'calls'],
  ),
  'model.accepted': event('info', 'A vendor takes the calls of a model again that it had rejected.', ['model']),
  'lane.read-failed': event(
    'warn',
    'The shared state of a lane could not be read; the list shows the last known one.',
    ['laneId'],
  ),
  'lane.standalone-began': event(
    'warn',
    'This node lost the shared state of a lane and uses its own share of the limits.',
    ['laneId'],
  ),
  'lane.standalone-ended': event('warn', 'This node uses the shared state of a lane again.', ['laneId']),
} as const
