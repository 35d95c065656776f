// Alarms about stores: Redis and DynamoDB that are unavailable, slow or have lost data, conversations with two writers, and what
// was dropped.
import type { AlarmEntry } from '../alarm.ts'
import { MINUTE_MS, SECOND_MS, USUAL } from './defaults.ts'

const ofStores = { ...USUAL, group: 'stores' } as const

export const storeAlarms = {
  'redis-unreachable': {
    ...ofStores,
    title: { en: 'Redis cannot be reached', ja: 'Redis に接続できません' },
    severity: 'page',
    condition: {
      kind: 'increase',
      of: { metric: 'redis_connection_failed_total' },
      windowMs: 2 * MINUTE_MS,
      above: 10,
    },
  },
  'redis-slow': {
    ...ofStores,
    title: { en: 'Redis does not answer in time', ja: 'Redis の応答がありません' },
    severity: 'page',
    condition: { kind: 'gauge', of: { metric: 'lane_down_seconds', where: { lane: ['redis'] } }, above: 30 },
    by: ['lane'],
    clearMs: 30 * SECOND_MS,
    unit: 'seconds',
  },
  'redis-emptied': {
    ...ofStores,
    title: { en: 'Redis has lost its data', ja: 'Redis のデータが失われました' },
    severity: 'page',
    condition: { kind: 'increase', of: { metric: 'alarm_redis_emptied_total' }, windowMs: 10 * MINUTE_MS, above: 0 },
  },
  'dynamodb-unavailable': {
    ...ofStores,
    title: { en: 'DynamoDB does not answer', ja: 'DynamoDB の応答がありません' },
    severity: 'page',
    condition: { kind: 'gauge', of: { metric: 'lane_down_seconds', where: { lane: ['dynamodb'] } }, above: 60 },
    by: ['lane'],
    clearMs: 30 * SECOND_MS,
    unit: 'seconds',
  },
  'store-throttling': {
    ...ofStores,
    title: { en: 'DynamoDB throttles our calls', ja: 'DynamoDB が呼び出しを制限しています' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'dynamodb_call_throttled_total' },
      windowMs: 5 * MINUTE_MS,
      above: 50,
    },
    by: ['command'],
  },
  'version-conflicts': {
    ...ofStores,
    title: { en: 'Conversations change while they are answered', ja: '会話の更新が競合しています' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'session_version_conflict_total' },
      windowMs: 5 * MINUTE_MS,
      above: 10,
    },
  },
  'two-writers': {
    ...ofStores,
    title: { en: 'Two nodes wrote the same answer', ja: '二つのノードが同じ回答を書きました' },
    severity: 'warn',
    condition: { kind: 'increase', of: { metric: 'turn_log_lost_total' }, windowMs: 10 * MINUTE_MS, above: 0 },
  },
  'disk-filling': {
    ...ofStores,
    title: { en: 'The disk of the data folder is nearly full', ja: 'データ用ディスクの空きが残りわずかです' },
    severity: 'page',
    condition: {
      kind: 'used',
      free: { metric: 'data_dir_free_bytes' },
      capacity: { metric: 'data_dir_capacity_bytes' },
      above: 0.9,
    },
    forMs: MINUTE_MS,
    clearMs: 5 * MINUTE_MS,
    unit: 'ratio',
  },
  'records-dropped': {
    ...ofStores,
    title: { en: 'Turn records are dropped', ja: 'ターンの記録が失われています' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'turn_records_dropped_total' },
      windowMs: 10 * MINUTE_MS,
      above: 0,
    },
    by: ['reason'],
  },
} satisfies Readonly<Record<string, AlarmEntry>>
