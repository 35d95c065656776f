// The table of alarms as rules for Prometheus, as `mangaassist alarms --prometheus` prints them. Pure.
import { ALARM_GROUPS } from '../alarm.ts'
import type { Alarm } from '../alarm.ts'
import { runbookOf } from '../message.ts'
import { durationOf, expressionOf } from './expression.ts'

const HEAD = `# Alarms of MangaAssist as rules for Prometheus, printed by \`mangaassist alarms --prometheus\`. Do not edit: change
# \`alarms.rules\` in the configuration and print them again. Where the server sends messages by itself, choose one of the two.
groups:
`

export function prometheusRules(alarms: readonly Alarm[], runbookUrl: string): string {
  const groups = ALARM_GROUPS.flatMap((group) => {
    const own = alarms.filter((alarm) => alarm.group === group)
    return own.length === 0
      ? []
      : [`  - name: mangaassist-${group}\n    rules:\n${own.map((alarm) => ruleOf(alarm, runbookUrl)).join('')}`]
  })
  return HEAD + groups.join('')
}

function ruleOf(alarm: Alarm, runbookUrl: string): string {
  const { by, clearMs, forMs, id, severity, title } = alarm
  const where = by.map((label) => `${label}={{ $labels.${label} }}`).join(' ')
  const summary = where === '' ? title.en : `${title.en}: ${where}`
  return [
    `      - alert: ${ruleName(id)}`,
    `        expr: ${quoted(expressionOf(alarm))}`,
    ...(forMs === 0 ? [] : [`        for: ${durationOf(forMs)}`]),
    `        keep_firing_for: ${durationOf(clearMs)}`,
    `        labels:`,
    `          severity: ${severity}`,
    `        annotations:`,
    `          summary: ${quoted(summary)}`,
    `          summary_ja: ${quoted(title.ja)}`,
    `          value: '{{ $value }}'`,
    `          runbook_url: ${quoted(runbookOf(runbookUrl, id))}`,
    '',
  ].join('\n')
}

/** `lane-down` is the rule `LaneDown`. */
export function ruleName(id: string): string {
  return id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
