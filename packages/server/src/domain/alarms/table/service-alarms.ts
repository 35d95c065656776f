// Alarms about what shoppers get: errors, answers without a model, slow first words, and the service levels.
import type { AlarmEntry } from '../alarm.ts'
import { BURN_PAIRS, MINUTE_MS, USUAL } from './defaults.ts'

/** Probes of load balancers and scrapers say nothing about shoppers. */
const PROBES = ['/healthz', '/readyz', '/metrics']
const SERVER_ERRORS = ['500', '501', '502', '503', '504']

/** Answers that a shopper can use; the rest are messages that the assistant cannot help. */
const NO_ANSWER = ['message']

export const serviceAlarms = {
  'rest-latency': {
    ...USUAL,
    title: { en: 'REST answers take longer than 20 s', ja: 'REST の応答に 20 秒以上かかっています' },
    severity: 'page',
    group: 'service',
    condition: {
      kind: 'quantile',
      of: { metric: 'http_request_seconds', where: { route: ['/api/chat', '/v1/chat/completions'] } },
      quantile: 0.95,
      windowMs: 5 * MINUTE_MS,
      above: 20,
      volumeMin: 20,
    },
    by: ['route'],
    unit: 'seconds',
  },
  'answers-burn': {
    ...USUAL,
    title: { en: 'Too many questions get no answer', ja: '回答できない質問が多すぎます' },
    severity: 'page',
    group: 'service',
    // 99.9 % of turns are answered by a model, the cache, the FAQ or the built-in responder.
    condition: {
      kind: 'burn',
      part: { metric: 'turn_duration_seconds', where: { tier: NO_ANSWER } },
      whole: { metric: 'turn_duration_seconds' },
      above: 0.001,
      pairs: BURN_PAIRS,
      volumeMin: 20,
    },
    clearMs: 2 * MINUTE_MS,
    unit: 'ratio',
  },
  'server-errors': {
    ...USUAL,
    title: { en: 'Requests end with 5xx', ja: '5xx エラーが増えています' },
    severity: 'page',
    group: 'service',
    condition: {
      kind: 'ratio',
      part: { metric: 'http_requests_total', where: { status: SERVER_ERRORS, route: { not: PROBES } } },
      whole: { metric: 'http_requests_total', where: { route: { not: PROBES } } },
      windowMs: 5 * MINUTE_MS,
      above: 0.05,
      volumeMin: 20,
    },
    forMs: MINUTE_MS,
    unit: 'ratio',
  },
  'unknown-errors': {
    ...USUAL,
    title: { en: 'Requests end with an unknown error', ja: '原因不明のエラーが起きています' },
    severity: 'warn',
    group: 'service',
    condition: {
      kind: 'increase',
      of: { metric: 'request_refused_total', where: { code: ['INTERNAL_ERROR'] } },
      windowMs: 5 * MINUTE_MS,
      above: 3,
    },
  },
  'answers-without-model': {
    ...USUAL,
    title: { en: 'Answers are given without a model', ja: 'モデルなしで回答しています' },
    severity: 'page',
    group: 'service',
    condition: { kind: 'increase', of: { metric: 'turn_fallback_total' }, windowMs: 5 * MINUTE_MS, above: 5 },
    by: ['reason'],
  },
  'questions-waiting': {
    ...USUAL,
    title: { en: 'Deferred questions wait for a model', ja: '保留中の質問がモデルを待っています' },
    severity: 'warn',
    group: 'service',
    condition: { kind: 'gauge', of: { metric: 'deferred_questions' }, above: 0 },
    forMs: 10 * MINUTE_MS,
  },
  'first-words-burn': {
    ...USUAL,
    title: { en: 'First words come late too often', ja: '最初の言葉が遅れています' },
    severity: 'warn',
    group: 'service',
    // 95 of 100 first words within 2.5 s: a useful answer is there within 3 s.
    condition: {
      kind: 'burn',
      part: { metric: 'turn_first_word_seconds', over: 2.5 },
      whole: { metric: 'turn_first_word_seconds' },
      above: 0.05,
      pairs: BURN_PAIRS,
      volumeMin: 20,
    },
    clearMs: 2 * MINUTE_MS,
    unit: 'ratio',
  },
  'cache-burn': {
    ...USUAL,
    title: { en: 'The answer cache is too slow to be used', ja: '回答キャッシュの応答が遅すぎます' },
    severity: 'warn',
    group: 'service',
    // 99.99 % of lookups are in time.
    condition: {
      kind: 'burn',
      part: { metric: 'answer_cache_timeout_total' },
      whole: { metric: 'answer_cache_lookups_total' },
      above: 0.0001,
      pairs: BURN_PAIRS,
      volumeMin: 20,
    },
    clearMs: 2 * MINUTE_MS,
    unit: 'ratio',
  },
  'context-missing': {
    ...USUAL,
    title: { en: 'Answers lack history or retrieved products', ja: '履歴や検索結果なしで回答しています' },
    severity: 'warn',
    group: 'service',
    condition: { kind: 'increase', of: { metric: 'context_timeout_total' }, windowMs: 5 * MINUTE_MS, above: 20 },
    by: ['source'],
  },
} satisfies Readonly<Record<string, AlarmEntry>>
