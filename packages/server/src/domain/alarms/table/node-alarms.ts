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
  'maintenance-on': {
    ...ofNodes,
    title: { en: 'Maintenance is still on', ja: 'メンテナンスモードが続いています' },
    severity: 'warn',
    condition: { kind: 'gauge', of: { metric: 'maintenance_active' }, above: 0 },
    forMs: HOUR_MS,
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
