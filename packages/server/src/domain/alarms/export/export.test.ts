// What is exported from the table: rules for Prometheus, definitions for CloudWatch, dashboards for Grafana. Each names only metrics and
// labels that exist.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { parse } from 'yaml'
import { defaults } from '#config/config.ts'
import { metricCatalogue, PREFIX } from '../../telemetry/catalogue.ts'
import type { MetricEntry } from '../../telemetry/entry.ts'
import { alarmTable } from '../alarm-table.ts'
import { cloudWatchAlarm, cloudWatchTemplate } from './cloudwatch.ts'
import { DASHBOARDS } from './dashboard-panels.ts'
import { expressionsOf, grafanaDashboard } from './dashboards.ts'
import { expressionOf } from './expression.ts'
import { prometheusRules } from './prometheus.ts'

const { runbookUrl } = defaults.alarms
const catalogue: Readonly<Record<string, MetricEntry>> = metricCatalogue

/** What the server's own labels are not. */
const SCRAPED = new Set(['instance', 'le'])

/** The names of metrics and labels in an expression that the catalogue does not have. */
function unknownIn(expression: string): readonly string[] {
  const selectors = [...expression.matchAll(new RegExp(`${PREFIX}([a-z_]+)(?:\\{([^}]*)\\})?`, 'gu'))]
  const entries = selectors.map(([, name = '']) => entryOf(name))
  const labels = new Set(entries.flatMap((entry) => Object.keys(entry?.labels ?? {})))
  const filters = selectors.flatMap(([, name = '', filter = '']) =>
    [...filter.matchAll(/([a-z_]+)[!=]/gu)].flatMap(([, label = '']) =>
      SCRAPED.has(label) || label in (entryOf(name)?.labels ?? {}) ? [] : [`${name}{${label}}`],
    ),
  )
  const grouped = [...expression.matchAll(/by \(([^)]*)\)/gu)]
    .flatMap(([, names = '']) => names.split(', '))
    .filter((label) => !SCRAPED.has(label) && !labels.has(label))
  const missing = selectors.flatMap(([, name = '']) => (entryOf(name) === undefined ? [name] : []))
  return [...missing, ...filters, ...grouped]
}

function entryOf(name: string): MetricEntry | undefined {
  const own = catalogue[name]
  if (own !== undefined) return own
  const base = catalogue[name.replace(/_(bucket|count|sum)$/u, '')]
  return base?.kind === 'histogram' ? base : undefined
}

test('every rule names metrics and labels of the catalogue, and a wrong one is found', () => {
  for (const alarm of alarmTable) assert.deepEqual(unknownIn(expressionOf(alarm)), [], alarm.id)
  assert.deepEqual(unknownIn(`sum by (colour) (rate(${PREFIX}turn_gone_total{size="x"}[5m]))`), [
    'turn_gone_total',
    'turn_gone_total{size}',
    'colour',
  ])
})

test('every panel names metrics and labels of the catalogue, and legends name labels of its expression', () => {
  for (const name of DASHBOARDS) {
    assert.ok(expressionsOf(name).length > 7)
    for (const expression of expressionsOf(name)) assert.deepEqual(unknownIn(expression), [], expression)
    const { panels } = JSON.parse(grafanaDashboard(name)) as {
      panels: { title: string; targets: { expr: string; legendFormat: string }[] }[]
    }
    for (const { targets, title } of panels)
      for (const { expr, legendFormat } of targets)
        for (const [, label = ''] of legendFormat.matchAll(/\{\{(\w+)\}\}/gu))
          assert.ok(label === 'instance' || expr.includes(label), `${title}: ${label}`)
  }
})

test('the rules for Prometheus are valid YAML with a rule for each alarm', () => {
  const { groups } = parse(prometheusRules(alarmTable, 'https://wiki.example/runbooks')) as {
    groups: { rules: { alert: string; annotations: { runbook_url: string }; labels: { severity: string } }[] }[]
  }
  const rules = groups.flatMap((group) => group.rules)
  assert.equal(rules.length, alarmTable.length)
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, alarmTable.length)
  const down = rules.find(({ alert }) => alert === 'LaneDown')
  assert.deepEqual(
    [down?.labels.severity, down?.annotations.runbook_url],
    ['page', 'https://wiki.example/runbooks/lane-down.md'],
  )
})

test('expressions of each kind of condition', () => {
  const of = (id: string) => expressionOf(alarmTable.find((alarm) => alarm.id === id)!)
  assert.equal(of('lane-down'), 'max by (lane) (mangaassist_lane_down_seconds{lane!~"redis|dynamodb"}) > 60')
  assert.equal(of('node-lost'), 'sum (increase(mangaassist_node_lost_total[10m])) > 0')
  assert.match(of('server-errors'), /status=~"500\|501\|502\|503\|504",route!~"\/healthz\|\/readyz\|\/metrics"/)
  assert.match(of('first-words-burn'), /_count\[1h\]\)\) - sum \(increase\(\w+_bucket\{le="2\.5"\}\[1h\]\)\)\)/)
})

const Statistic = Type.Object(
  {
    Metric: Type.Object(
      {
        Namespace: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^:].*' }),
        MetricName: Type.String({ minLength: 1, maxLength: 255 }),
      },
      { additionalProperties: false },
    ),
    Period: Type.Integer({ minimum: 1 }),
    Stat: Type.String({ pattern: '^(Sum|Maximum|Average|p\\d+(\\.\\d+)?|PR\\(:[\\d.]+\\))$' }),
  },
  { additionalProperties: false },
)
/** From the types of `PutMetricAlarmInput`, as far as they are used, with the limits of the service. */
const PutMetricAlarm = Type.Object(
  {
    AlarmName: Type.String({ minLength: 1, maxLength: 255 }),
    AlarmDescription: Type.String({ maxLength: 1024 }),
    ActionsEnabled: Type.Boolean(),
    ComparisonOperator: Type.Enum(['GreaterThanThreshold', 'LessThanThreshold']),
    EvaluationPeriods: Type.Integer({ minimum: 1 }),
    DatapointsToAlarm: Type.Integer({ minimum: 1 }),
    Threshold: Type.Number(),
    TreatMissingData: Type.Enum(['breaching', 'notBreaching', 'ignore', 'missing']),
    Metrics: Type.Array(
      Type.Object(
        {
          Id: Type.String({ pattern: '^[a-z][a-zA-Z0-9_]{0,254}$' }),
          Expression: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
          Period: Type.Optional(Type.Integer({ minimum: 60, multipleOf: 60 })),
          MetricStat: Type.Optional(Statistic),
          ReturnData: Type.Boolean(),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 20 },
    ),
    Tags: Type.Array(
      Type.Object(
        { Key: Type.String({ minLength: 1, maxLength: 128 }), Value: Type.String({ maxLength: 256 }) },
        { additionalProperties: false },
      ),
      { maxItems: 50 },
    ),
  },
  { additionalProperties: false },
)

test('every alarm is a valid PutMetricAlarm, within the limits of the service', () => {
  const schema = Compile(PutMetricAlarm)
  for (const alarm of alarmTable) {
    const input = cloudWatchAlarm(alarm, runbookUrl)
    assert.deepEqual([...schema.Errors(input)], [], alarm.id)
    assert.equal(input.Metrics.filter(({ ReturnData }) => ReturnData).length, 1, alarm.id)
    // An alarm of a period of an hour or more may look back seven days, a shorter one a day.
    const periodS = input.Metrics[0]?.Period ?? input.Metrics[0]?.MetricStat?.Period ?? 0
    assert.ok(periodS * input.EvaluationPeriods <= (periodS >= 3600 ? 604_800 : 86_400), alarm.id)
    for (const { Expression = '' } of input.Metrics) {
      const [, metric = ''] = /\("mangaassist_(\w+)"\)/u.exec(Expression) ?? []
      if (Expression.startsWith('SELECT')) assert.ok(catalogue[metric] !== undefined, Expression)
    }
  }
})

test('definitions of each kind of condition', () => {
  const of = (id: string) =>
    cloudWatchAlarm(
      alarmTable.find((alarm) => alarm.id === id)!,
      runbookUrl,
    )
  assert.deepEqual(of('lane-down').Metrics, [
    {
      Id: 'm1',
      Expression: `SELECT MAX("mangaassist_lane_down_seconds") FROM "MangaAssist" WHERE (lane != 'redis' AND lane != 'dynamodb') GROUP BY lane`,
      Period: 60,
      ReturnData: true,
    },
  ])
  const late = of('first-words-burn')
  assert.deepEqual([late.ComparisonOperator, late.Threshold], ['LessThanThreshold', 28])
  assert.equal(late.Metrics[0]?.MetricStat?.Stat, 'PR(:2.5)')
  const errors = of('server-errors')
  assert.equal(errors.Metrics.at(-1)?.Expression, 'IF(whole >= 20, part / whole, 0)')
})

test('the template for CloudFormation has one resource for each alarm, with the properties of PutMetricAlarm', () => {
  const { Resources } = JSON.parse(cloudWatchTemplate(alarmTable, runbookUrl)) as {
    Resources: Record<string, { Type: string; Properties: Record<string, unknown> }>
  }
  const resources = Object.values(Resources)
  assert.equal(resources.length, alarmTable.length)
  for (const { Properties, Type: type } of resources) {
    assert.equal(type, 'AWS::CloudWatch::Alarm')
    assert.equal(typeof Properties['AlarmName'], 'string')
  }
})
