// Alarms about money: what users, guests and the store spend in a day, and whether accounts and ledger agree.
import type { AlarmEntry } from '../alarm.ts'
import { HOUR_MS, MINUTE_MS, USUAL } from './defaults.ts'

const ofMoney = { ...USUAL, group: 'money' } as const

export const moneyAlarms = {
  'user-spend': {
    ...ofMoney,
    title: { en: 'A user has spent more than allowed in a day', ja: '一人の利用額が一日の上限を超えました' },
    severity: 'warn',
    condition: { kind: 'increase', of: { metric: 'alarm_user_spend_total' }, windowMs: 10 * MINUTE_MS, above: 0 },
  },
  'principal-spend': {
    ...ofMoney,
    title: {
      en: 'Users, guests or keys reach steps of their daily limit',
      ja: '利用者が一日の利用限度に近づいています',
    },
    severity: 'info',
    condition: {
      kind: 'increase',
      of: { metric: 'alarm_principal_spend_total' },
      windowMs: 10 * MINUTE_MS,
      above: 0,
    },
    by: ['kind', 'percent'],
  },
  'spend-50': {
    ...ofMoney,
    title: { en: 'Half of a day’s ceiling is spent', ja: '一日の上限の 50% を使いました' },
    severity: 'info',
    condition: {
      kind: 'increase',
      of: { metric: 'alarm_store_spend_total', where: { percent: ['50'] } },
      windowMs: 10 * MINUTE_MS,
      above: 0,
    },
    by: ['account'],
  },
  'spend-80': {
    ...ofMoney,
    title: { en: '80 % of a day’s ceiling is spent', ja: '一日の上限の 80% を使いました' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'alarm_store_spend_total', where: { percent: ['80'] } },
      windowMs: 10 * MINUTE_MS,
      above: 0,
    },
    by: ['account'],
  },
  'spend-100': {
    ...ofMoney,
    title: { en: 'A day’s ceiling is reached: no vendor is asked', ja: '一日の上限に達し、モデルを呼び出せません' },
    severity: 'page',
    condition: {
      kind: 'increase',
      of: { metric: 'alarm_store_spend_total', where: { percent: ['100'] } },
      windowMs: 10 * MINUTE_MS,
      above: 0,
    },
    by: ['account'],
  },
  'audit-differs': {
    ...ofMoney,
    title: { en: 'Day accounts differ from the ledger', ja: '一日の利用額と台帳が一致しません' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'budget_audit_total', where: { outcome: ['charged', 'above'] } },
      windowMs: 2 * HOUR_MS,
      above: 0,
    },
    by: ['outcome'],
  },
  'ledger-behind': {
    ...ofMoney,
    title: { en: 'Rows of the ledger cannot be written', ja: '台帳への書き込みが遅れています' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'ledger_write_postponed_total' },
      windowMs: 10 * MINUTE_MS,
      above: 10,
    },
  },
  'budget-standalone': {
    ...ofMoney,
    title: { en: 'Nodes grant turns without the shared budgets', ja: '共有予算なしで利用を許可しています' },
    severity: 'warn',
    condition: {
      kind: 'increase',
      of: { metric: 'budget_standalone_granted_total' },
      windowMs: 10 * MINUTE_MS,
      above: 20,
    },
  },
} satisfies Readonly<Record<string, AlarmEntry>>
