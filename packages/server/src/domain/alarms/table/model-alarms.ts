// Alarms about models: outages by the time spent open, errors by class, retries, usage, estimates, formats and queues.
import type { AlarmEntry } from '../alarm.ts'
import { BURN_PAIRS, HOUR_MS, MINUTE_MS, SECOND_MS, USUAL } from './defaults.ts'

/** Lanes that have alarms of their own. */
const STORES = ['redis', 'dynamodb']
/** Ends of a call that the vendor is to blame for. */
const FAILURES = ['throttled', 'timeout', 'unavailable', 'internal', 'stream-broken', 'not-ready', 'connection']
/** A wrong configuration or a new interface of the vendor causes these; a `misfit` is a good answer that begins another text. */
const REFUSALS = ['invalid', 'access-denied', 'not-found', 'context-too-long']
/** Why a lane refuses a retry although the model could take it. */
const BUDGET_EXHAUSTED = ['retry-bucket', 'retry-cap']

const attempts = { metric: 'model_attempts_total' } as const

/** A share of a model's calls in five minutes. */
const shareOfCalls = (outcome: readonly string[], above: number) =>
  ({
    kind: 'ratio',
    part: { ...attempts, where: { outcome } },
    whole: attempts,
    windowMs: 5 * MINUTE_MS,
    above,
    volumeMin: 10,
  }) as const

const ofModels = { ...USUAL, group: 'models', by: ['model'] } as const

export const modelAlarms = {
  // A circuit is open for seconds at a time, so a level or a phase alone hides an outage: this is the time since it first opened.
  'lane-down': {
    ...ofModels,
    title: { en: 'A model or dependency refuses calls', ja: 'モデルまたは依存先が呼び出しを受け付けません' },
    severity: 'page',
    condition: {
      kind: 'gauge',
      of: { metric: 'lane_down_seconds', where: { lane: { not: STORES } } },
      above: 60,
    },
    by: ['lane'],
    clearMs: 30 * SECOND_MS,
    unit: 'seconds',
  },
  'model-burn': {
    ...ofModels,
    title: {
      en: 'A model fails more often than its service level allows',
      ja: 'モデルの失敗率がサービス水準を超えています',
    },
    severity: 'page',
    // Primary and economy are to answer 99.5 % of their calls.
    condition: {
      kind: 'burn',
      part: { ...attempts, where: { outcome: FAILURES } },
      whole: attempts,
      above: 0.005,
      pairs: BURN_PAIRS,
      volumeMin: 20,
    },
    clearMs: 2 * MINUTE_MS,
    unit: 'ratio',
  },
  'model-timeouts': {
    ...ofModels,
    title: { en: 'Calls of a model time out', ja: 'モデルの呼び出しがタイムアウトしています' },
    severity: 'warn',
    condition: shareOfCalls(['timeout'], 0.1),
    unit: 'ratio',
  },
  'model-throttled': {
    ...ofModels,
    title: { en: 'A vendor throttles our calls', ja: 'ベンダーが呼び出しを制限しています' },
    severity: 'warn',
    condition: shareOfCalls(['throttled'], 0.2),
    unit: 'ratio',
  },
  'model-rejected': {
    ...ofModels,
    title: { en: 'A vendor rejects the calls of a model', ja: 'ベンダーがモデルの呼び出しを拒否しています' },
    severity: 'page',
    condition: { kind: 'gauge', of: { metric: 'model_rejected_calls' }, above: 0 },
    by: ['model', 'reason'],
  },
  'model-errors': {
    ...ofModels,
    title: { en: 'A model refuses our requests', ja: 'モデルがリクエストを拒否しています' },
    severity: 'warn',
    condition: shareOfCalls(REFUSALS, 0.05),
    unit: 'ratio',
  },
  'retry-budget': {
    ...ofModels,
    title: { en: 'The budget of retries is exhausted', ja: '再試行の予算を使い切りました' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'model_retries_total', where: { outcome: BUDGET_EXHAUSTED } },
      windowMs: 5 * MINUTE_MS,
      above: 10,
    },
  },
  'attempts-exhausted': {
    ...USUAL,
    title: { en: 'No attempt at any model succeeds', ja: 'どのモデルへの試行も成功していません' },
    severity: 'warn',
    group: 'models',
    condition: {
      kind: 'increase',
      of: { metric: 'turn_fallback_total', where: { reason: ['throttled', 'other'] } },
      windowMs: 5 * MINUTE_MS,
      above: 3,
    },
  },
  'turn-deadline': {
    ...USUAL,
    title: { en: 'Questions reach their deadline before a model answers', ja: '回答前に期限切れになる質問があります' },
    severity: 'warn',
    group: 'models',
    condition: {
      kind: 'increase',
      of: { metric: 'turn_fallback_total', where: { reason: ['timeout'] } },
      windowMs: 5 * MINUTE_MS,
      above: 3,
    },
  },
  'estimate-drift': {
    ...ofModels,
    title: {
      en: 'Token estimates are far from what the provider counts',
      ja: 'トークン数の見積もりが実際と大きく違います',
    },
    severity: 'info',
    condition: {
      kind: 'ratio',
      part: { metric: 'estimate_drifted_total' },
      whole: attempts,
      windowMs: HOUR_MS,
      above: 0.2,
      volumeMin: 20,
    },
    unit: 'ratio',
  },
  'schema-drift': {
    ...ofModels,
    title: { en: 'A model no longer answers in the expected format', ja: 'モデルの応答形式が変わりました' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'model_format_probes_total', where: { outcome: ['degraded'] } },
      windowMs: HOUR_MS,
      above: 0,
    },
    by: ['model', 'reason'],
  },
  'probe-errors': {
    ...ofModels,
    title: { en: 'Format probes of a model get no answer', ja: 'モデルの形式確認に応答がありません' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'model_format_probes_total', where: { outcome: ['error'] } },
      windowMs: 20 * MINUTE_MS,
      above: 2,
    },
    by: ['model', 'reason'],
  },
  'stream-anomalies': {
    ...ofModels,
    title: { en: 'Streams of a model have unknown parts', ja: 'モデルのストリームに未知の要素があります' },
    severity: 'warn',
    condition: { kind: 'increase', of: { metric: 'model_anomalies_total' }, windowMs: HOUR_MS, above: 5 },
    by: ['model', 'anomaly'],
  },
  'usage-missing': {
    ...ofModels,
    title: { en: 'A provider reports no usage, or zero', ja: 'プロバイダーが使用量を報告していません' },
    severity: 'warn',
    condition: { kind: 'increase', of: { metric: 'model_usage_estimated_total' }, windowMs: 15 * MINUTE_MS, above: 2 },
    by: ['model', 'reason'],
  },
  'queue-stuck': {
    ...ofModels,
    title: { en: 'Turns wait too long in the queue of a model', ja: 'モデルの待ち行列が進んでいません' },
    severity: 'page',
    condition: { kind: 'gauge', of: { metric: 'lane_queue_oldest_seconds' }, above: 15 },
    by: ['lane'],
    forMs: 30 * SECOND_MS,
    unit: 'seconds',
  },
  'queue-full': {
    ...ofModels,
    title: { en: 'The queue of a model is full', ja: 'モデルの待ち行列が満杯です' },
    severity: 'page',
    condition: {
      kind: 'increase',
      of: { metric: 'lane_permit_requests_total', where: { outcome: ['queue-full', 'timeout'] } },
      windowMs: 5 * MINUTE_MS,
      above: 10,
    },
    by: ['lane', 'outcome'],
  },
  'lane-operated': {
    ...ofModels,
    title: {
      en: 'An operator’s action on a model or dependency is still in force',
      ja: 'モデルや依存先への手動操作が続いています',
    },
    severity: 'warn',
    condition: { kind: 'gauge', of: { metric: 'lane_operator_action' }, above: 0 },
    by: ['lane', 'action'],
    forMs: HOUR_MS,
  },
} satisfies Readonly<Record<string, AlarmEntry>>
