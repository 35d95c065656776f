// Metrics and events of a turn: from admission to settlement, its log, its conversation, and deferred questions.
import { counter, event, gauge, histogram } from './entry.ts'
import { BOOLEAN, FEW, FINISH_REASON, FIRST_CHOICE, FRAME_SECONDS, MODEL, CALL_OUTCOME } from './label-bounds.ts'
import { ROUTING_RULE, STREAM_STATE, TIER, TURN_SECONDS } from './label-bounds.ts'

const CONTEXT_SOURCE = ['history', 'retrieval', 'facts', 'record', 'unit'] as const

/** What an answer states of a series. */
const CLAIM = ['price', 'volumes', 'stock', 'status'] as const

/** The line of a turn has everything about it (`turn-line.ts`). */
const TURN_FIELDS = [
  'turnId',
  'clientRequestId',
  'sessionId',
  'user',
  'userKind',
  'userTier',
  'kind',
  'door',
  'language',
  'tier',
  'model',
  'modelId',
  'finishReason',
  'reason',
  'failure',
  'degraded',
  'cached',
  'missing',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'reasoningTokens',
  'estimated',
  'costMicroUsd',
  'firstWordMs',
  'totalMs',
  'queuedMs',
  'tokensPerSecond',
  'textLength',
  'deltas',
  'frames',
  'attempts',
  'failedAttempts',
  'promptVersion',
  'deferredFrom',
  'node',
  'settledElsewhere',
  'routeFirst',
  'routeRule',
  'routeWhy',
  'complexity',
] as const

export const turnMetrics = {
  turn_running: gauge('Turns that this node runs now.', 'count'),
  turn_streams: gauge('Answers of this node that have not ended, by the state of their stream.', 'count', {
    state: ['starting', 'streaming', 'broken-off', 'completing'],
  }),
  turn_stream_transitions_total: counter('Changes of state of the answers’ streams.', {
    from: STREAM_STATE,
    to: STREAM_STATE,
  }),
  turn_first_word_seconds: histogram(
    'Time from the acceptance of a turn to its first word, by the tier and the model that answered.',
    TURN_SECONDS,
    { tier: TIER, model: MODEL },
  ),
  turn_duration_seconds: {
    ...histogram(
      'Time from the acceptance of a turn to the end of its text, by what answered and how it ended; its count is that of the turns.',
      TURN_SECONDS,
      { tier: TIER, model: MODEL, outcome: FINISH_REASON },
    ),
    // A model has one tier, and most of its answers end alike.
    seriesMax: 300,
  },
  turn_frame_interval_seconds: histogram(
    'Time between two writes of text of one answer, by the tier and the model that answer.',
    FRAME_SECONDS,
    { tier: TIER, model: MODEL },
  ),
  turn_frame_deltas: histogram('Pieces of a model’s stream that were written together.', FEW),
  turn_routed_total: counter(
    'Turns by the model that they ask first and by what decided it; none while routing is off.',
    {
      first: FIRST_CHOICE,
      rule: ROUTING_RULE,
    },
  ),
  turn_fallback_total: counter('Turns that no model answered, by reason and by what answered instead.', {
    reason: ['circuits-open', 'timeout', 'blocked', 'throttled', 'failing', 'other'],
    step: ['cached', 'embedded', 'faq', 'defer', 'redirect', 'message'],
  }),
  turn_records_dropped_total: counter(
    'Turn records, or notes to them, that were dropped: too many waited, or the store did not accept them.',
    { reason: ['full', 'failed'] },
  ),
  turn_continued_total: counter(
    'Calls that continued an answer after a broken stream, by the model that continued it and how its call ended.',
    { model: MODEL, outcome: CALL_OUTCOME },
  ),
  turn_taken_over_total: counter(
    'Turns whose owner was lost and that this node took over: whether it continues the answer, and whether text was already written.',
    { continued: BOOLEAN, had_text: BOOLEAN },
  ),
  turn_admission_undone_total: counter(
    'Turns that another node cancelled before this node had opened their log, because it took this node for dead.',
  ),
  admission_free_total: counter(
    'Questions for which a budget was used up or the queue was full, and whether the catalogue or the FAQ answered them surely.',
    { reason: ['allowance', 'queue-full'], outcome: ['admitted', 'unsure', 'rate-limited', 'failed'] },
  ),
  turn_feedback_total: counter('Thumbs that readers set or took back.', { value: ['up', 'down', 'withdrawn'] }),
  turn_settle_failed_total: counter('Failed tries to settle a turn; each is repeated.'),
  turn_renew_failed_total: counter('Renewals of a turn’s lease or hold that failed; each is repeated.'),
  turn_unread_total: counter('Answers that were stopped because no reader came back within the resume window.'),
  turn_log_lost_total: counter('Turns that this node stopped writing because another node owns them now.'),
  turn_lost_calls_total: counter('Turns of which a lost owner booked calls that the log did not have.'),
  turn_log_gap_total: counter(
    'Gaps in the records that this node received from the owner of a turn; they are read again.',
  ),
  turn_log_standalone_total: counter('Turns whose records Redis did not take; their owner stores them for the moment.'),
  turn_log_backfilled_total: counter('Turns whose records were written to Redis after it was available again.'),
  turn_log_backfill_abandoned_total: counter('Turns whose records could not be written to Redis in time.'),
  quota_warnings_total: counter(
    'Turns whose answer warned that 80 or 90 percent of an allowance is used, by the allowance.',
    { budget: ['day', 'conversation'], percent: [80, 90] },
  ),
  context_seconds: histogram(
    'Time of the parts of a turn’s context, until their end or deadline; `retrieval` is the search.',
    FRAME_SECONDS,
    { source: CONTEXT_SOURCE },
  ),
  context_timeout_total: counter('Parts of a turn’s context that were not there in time; the answer is made without.', {
    source: CONTEXT_SOURCE,
  }),
  context_refused_total: counter(
    'Parts of a turn’s context that an open circuit refused; the answer is made without.',
    {
      source: CONTEXT_SOURCE,
    },
  ),
  session_unavailable_total: counter('Turns that were accepted although the session store did not answer.'),
  session_version_conflict_total: counter(
    'Turns whose conversation had changed meanwhile; they were stored after the change.',
  ),
  answer_cache_lookups_total: counter('Lookups in the answer cache; `fresh` is an answer that cost nothing.', {
    outcome: ['fresh', 'stale', 'none', 'unshared'],
  }),
  answer_cache_unshared_total: counter('Questions for which the answer cache was not used, by reason.', {
    reason: [
      'policy',
      'switched-off',
      'no-model',
      'conversation',
      'missing',
      'intent',
      'long',
      'personal',
      'not-whole',
      'degraded',
      'patched',
      'mismatch',
    ],
  }),
  answer_cache_timeout_total: counter(
    'Reads of the answer cache that took too long; the question was asked of a model.',
  ),
  answer_cache_refreshed_total: counter('Rounds in which cached answers were made again before they expired.'),
  answer_statements_total: counter(
    'Statements about series in the answers of vendors’ models, as compared with the store: true, false, about a title that the store does not have, or not comparable.',
    { kind: CLAIM, outcome: ['true', 'false', 'unknown-title', 'unverifiable'] },
  ),
  answer_mismatches_total: counter(
    'Statements in the answers of vendors’ models that the store contradicts; a note at the end of the answer corrects them.',
    { kind: [...CLAIM, 'title'] },
  ),
  prewarm_questions_total: counter(
    'Questions of a prewarm: answered and stored, in the cache already, not shared, failed.',
    {
      outcome: ['made', 'fresh', 'unshared', 'failed'],
    },
  ),
  prewarm_runs_total: counter('Prewarms that ended: all questions were asked, or the cost limit was reached.', {
    outcome: ['complete', 'cost-limit'],
  }),
  prewarm_paused_total: counter('Rounds in which a prewarm that is due could not begin or continue, by reason.', {
    reason: ['degraded', 'circuit-open', 'saturated', 'ceiling', 'draining', 'lease-lost'],
  }),
  deferred_questions: gauge('Stored questions that wait until a model is available.', 'count'),
  deferred_accepted_total: counter('Questions that were to be answered later: stored, or not for lack of room.', {
    outcome: ['stored', 'no-room'],
  }),
  deferred_asked_total: counter(
    'Stored questions that were asked again; `expired`: their time was over, so no model was asked.',
    {
      expired: BOOLEAN,
    },
  ),
  handover_requests_total: counter('Requests of shoppers for a person, by outcome.', {
    outcome: ['stored', 'repeated', 'rate-limited'],
  }),
  handover_total: counter('Calls of the webhook for staff, by outcome.', {
    outcome: ['delivered', 'failed', 'busy', 'rate-limited'],
  }),
} as const

export const turnEvents = {
  'turn-records.write-failed': event(
    'warn',
    'Turn records could not be written; they are tried again for about two minutes. Once until it works again.',
    ['waiting'],
  ),
  'turn.ended': event(
    'info',
    'A turn was settled. `user` is a pseudonym. `settledElsewhere`: another node had done so before. The route is there while routing is on.',
    TURN_FIELDS,
  ),
  'turn.abandoned': event(
    'warn',
    'This node stopped running a turn; another node takes it over or has done so. `log-failed`: the turn log could not be written, and whoever can write it first continues the turn.',
    ['turnId', 'reason'],
  ),
  'turn.unwritten-written': event(
    'warn',
    'This node wrote the conversation or the ledger rows of ended turns whose owner could not, because their store was unavailable.',
    ['turns'],
  ),
  'turn.unwritten-expired': event(
    'error',
    'The log of an ended turn is gone; if its owner was lost in the outage, its place in the conversation or its ledger rows are missing.',
    ['turnId'],
  ),
  'turn.write-failed': event('error', 'An ended turn could not be written again from its log; it is tried again.', [
    'turnId',
  ]),
  'turn.lost-calls-booked': event(
    'warn',
    'Another node took a turn over; this node booked the calls of it that the log did not have.',
    ['turnId', 'epoch', 'calls'],
  ),
  'turn.failed': event('error', 'A turn ended with an unexpected error; it is taken over when its lease lapses.', [
    'turnId',
  ]),
  'turn.prepare-failed': event('error', 'The prompt of a turn could not be made; it is answered without a model.', [
    'turnId',
  ]),
  'admission.free-failed': event('warn', 'Whether a question needs no model could not be found out; it was refused.', [
    'reason',
  ]),
  'turn.hold-reduce-failed': event(
    'error',
    'The budget for a turn could not be confirmed; it is answered without a model.',
    ['turnId'],
  ),
  'turn.settle-failed': event('warn', 'The first try to settle a turn failed; it is repeated.', ['turnId']),
  'turn.taken-over': event('warn', 'This node took over a turn whose owner was lost.', [
    'turnId',
    'epoch',
    'continued',
    'textLength',
  ]),
  'turn.takeover-failed': event('error', 'A turn whose owner was lost could not be taken over; it is tried again.', [
    'turnId',
  ]),
  'turn-log.index-failed': event(
    'warn',
    'The index of running turns could not be updated; the next renewal repeats it.',
  ),
  'turn-log.backfill-failed': event(
    'error',
    'The records of a turn could not be written to Redis; it is tried again.',
    ['turnId'],
  ),
  'context.failed': event('warn', 'A part of a turn’s context could not be read; the answer is made without.', [
    'source',
  ]),
  'session.unavailable': event('warn', 'The session store did not answer; the turn was accepted without it.', [
    'turnId',
  ]),
  'session.append-postponed': event('warn', 'A turn could not be stored in its conversation; it is tried again.', [
    'turnId',
  ]),
  'session.append-conflicted': event(
    'error',
    'A turn was not stored in its conversation: the conversation changed at every try.',
    ['turnId'],
  ),
  'session.append-lost': event('error', 'A turn was not stored in its conversation, and is not tried again.', [
    'turnId',
    'what',
  ]),
  'session.turns-missing': event(
    'warn',
    'Turns of a conversation are no longer stored, although it is; it was read without them.',
    ['sessionId'],
  ),
  'answer.mismatch': event(
    'warn',
    'A model’s answer contradicts the store; a note at its end corrects it. `kinds`: what was stated wrongly.',
    ['turnId', 'modelId', 'kinds', 'productIds'],
  ),
  'answer-cache.failed': event('warn', 'The answer cache failed; the question was asked of a model.', ['verb']),
  'answer-cache.refresh-failed': event('warn', 'Cached answers could not be made again.'),
  'prewarm.started': event('info', 'This node began or continued the prewarm of a release day.', [
    'day',
    'questions',
    'leftOut',
    'next',
  ]),
  'prewarm.no-releases': event('info', 'A prewarm is due, and the catalogue has no volume that comes out on the day.', [
    'day',
  ]),
  'prewarm.paused': event('warn', 'The prewarm of a release day cannot begin or continue; it is tried again.', [
    'day',
    'reason',
  ]),
  'prewarm.ended': event('info', 'This node ended its part of a prewarm. Costs are those of the day so far.', [
    'day',
    'outcome',
    'next',
    'made',
    'fresh',
    'unshared',
    'failed',
    'costMicroUsd',
  ]),
  'deferred.accept-failed': event('warn', 'A question could not be stored for later.', ['turnId']),
  'deferred.ask-failed': event('warn', 'A stored question could not be asked again.', ['turnId', 'code']),
  'deferred.delete-failed': event(
    'warn',
    'A stored question was answered and could not be deleted; it is recognised later.',
    ['turnId'],
  ),
  'handover.failed': event('warn', 'The webhook for staff did not take a call.', ['turnId']),
} as const
