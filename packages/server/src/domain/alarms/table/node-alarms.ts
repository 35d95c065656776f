// Alarms about the nodes themselves: lost ones, repeated work that fails, telemetry that is dropped, and states that an operator left on.
import type { AlarmEntry } from '../alarm.ts'
import { HOUR_MS, MINUTE_MS, USUAL } from './defaults.ts'

const ofNodes = { ...USUAL, group: 'nodes' } as const

export const nodeAlarms = {
  'node-lost': {
    ...ofNodes,
    title: { en: 'A node stopped without draining', ja: 'ノードが予告なく停止しました' },
    severity: 'page',
    condition: { kind: 'increase', of: { metric: 'node_lost_total' }, windowMs: 10 * MINUTE_MS, above: 0 },
  },
  'upkeep-failing': {
    ...ofNodes,
    title: { en: 'A repeated task of the server fails', ja: '定期処理が失敗しています' },
    severity: 'warn',
    condition: { kind: 'increase', of: { metric: 'upkeep_failed_total' }, windowMs: 10 * MINUTE_MS, above: 3 },
    by: ['task'],
  },
  'mode-left-on': {
    ...ofNodes,
    title: { en: 'The service is not in its normal mode', ja: '通常以外のモードで運転しています' },
    severity: 'warn',
    condition: { kind: 'gauge', of: { metric: 'mode_active', where: { mode: { not: ['normal'] } } }, above: 0 },
    by: ['mode'],
    forMs: HOUR_MS,
  },
  'node-overloaded': {
    ...ofNodes,
    title: { en: 'The event loop of a node is late', ja: 'ノードの処理が追いついていません' },
    severity: 'warn',
    condition: {
      kind: 'quantile',
      of: { metric: 'process_event_loop_delay_seconds' },
      quantile: 0.95,
      windowMs: 5 * MINUTE_MS,
      above: 0.25,
      volumeMin: 100,
    },
    forMs: MINUTE_MS,
    unit: 'seconds',
  },
  'telemetry-dropped': {
    ...ofNodes,
    title: { en: 'Traces, metrics or logs do not reach the collector', ja: 'テレメトリーが収集先に届いていません' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'telemetry_export_dropped_total', where: { reason: ['queue', 'bytes', 'failed'] } },
      windowMs: 10 * MINUTE_MS,
      above: 0,
    },
    by: ['signal', 'reason'],
  },
  'metrics-dropped': {
    ...ofNodes,
    title: { en: 'Updates of metrics are dropped', ja: 'メトリクスの更新が失われています' },
    severity: 'info',
    condition: {
      kind: 'increase',
      of: { metric: 'metric_updates_dropped_total' },
      windowMs: 10 * MINUTE_MS,
      above: 0,
    },
  },
  'messages-undelivered': {
    ...ofNodes,
    title: { en: 'Messages about alarms cannot be delivered', ja: 'アラームの通知が届いていません' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'alarm_messages_total', where: { outcome: ['failed'] } },
      windowMs: 30 * MINUTE_MS,
      above: 0,
    },
    by: ['sender'],
  },
} satisfies Readonly<Record<string, AlarmEntry>>
