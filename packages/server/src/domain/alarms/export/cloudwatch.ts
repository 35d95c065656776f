// The table of alarms as a CloudFormation template of CloudWatch alarms. Metrics come to CloudWatch through OTLP, with their names of
// the catalogue in one namespace; counters arrive as deltas. Alarms over series use Metrics Insights, which looks back three hours at
// most: the slow pair of a burn rate is left to the process and to Prometheus. Pure.
import type { Alarm, Condition, Counted, GaugeSelection, LabelFilter, QuantileCondition } from '../alarm.ts'
import { PREFIX } from '../../telemetry/catalogue.ts'
import { runbookOf } from '../message.ts'
import { ruleName } from './prometheus.ts'

export const CLOUDWATCH_NAMESPACE = 'MangaAssist'

/** One alarm, as `PutMetricAlarm` takes it. */
export interface CloudWatchAlarm {
  readonly AlarmName: string
  readonly AlarmDescription: string
  readonly ActionsEnabled: boolean
  readonly ComparisonOperator: 'GreaterThanThreshold' | 'LessThanThreshold'
  readonly EvaluationPeriods: number
  readonly DatapointsToAlarm: number
  readonly Threshold: number
  readonly TreatMissingData: 'notBreaching'
  readonly Metrics: readonly CloudWatchQuery[]
  readonly Tags: readonly { readonly Key: string; readonly Value: string }[]
}

export interface CloudWatchQuery {
  readonly Id: string
  readonly Expression?: string
  readonly Period?: number
  readonly ReturnData: boolean
  readonly MetricStat?: {
    readonly Metric: { readonly Namespace: string; readonly MetricName: string }
    readonly Period: number
    readonly Stat: string
  }
}

const PERIOD_MIN_S = 60
/** What Metrics Insights looks back at most, in an alarm. */
const INSIGHTS_MS_MAX = 3 * 3_600_000
const DESCRIPTION_MAX = 1024

export function cloudWatchTemplate(alarms: readonly Alarm[], runbookUrl: string): string {
  const entries = alarms.map((alarm) => [
    ruleName(alarm.id),
    {
      Type: 'AWS::CloudWatch::Alarm',
      Properties: {
        ...cloudWatchAlarm(alarm, runbookUrl),
        AlarmActions: { 'Fn::If': ['HasTopic', [{ Ref: 'TopicArn' }], { Ref: 'AWS::NoValue' }] },
        OKActions: { 'Fn::If': ['HasTopic', [{ Ref: 'TopicArn' }], { Ref: 'AWS::NoValue' }] },
      },
    },
  ])
  const template = {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: 'Alarms of MangaAssist, printed by `mangaassist alarms --cloudwatch`',
    Parameters: {
      TopicArn: { Type: 'String', Default: '', Description: 'The SNS topic that is notified; empty: none' },
    },
    Conditions: { HasTopic: { 'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'TopicArn' }, ''] }] } },
    Resources: Object.fromEntries(entries) as Record<string, unknown>,
  }
  return `${JSON.stringify(template, null, 2)}\n`
}

export function cloudWatchAlarm(alarm: Alarm, runbookUrl: string): CloudWatchAlarm {
  const { condition, forMs, group, id, severity, title } = alarm
  const { isBelow = false, metrics, periodS, threshold } = queriesOf(condition, alarm.by)
  const periods = Math.max(1, Math.ceil(forMs / 1000 / periodS))
  return {
    AlarmName: `mangaassist-${id}`,
    AlarmDescription: `${title.en}. ${title.ja}. ${runbookOf(runbookUrl, id)}`.slice(0, DESCRIPTION_MAX),
    ActionsEnabled: true,
    ComparisonOperator: isBelow ? 'LessThanThreshold' : 'GreaterThanThreshold',
    EvaluationPeriods: periods,
    DatapointsToAlarm: periods,
    Threshold: threshold,
    TreatMissingData: 'notBreaching',
    Metrics: metrics,
    Tags: [
      { Key: 'severity', Value: severity },
      { Key: 'group', Value: group },
    ],
  }
}

interface Queries {
  readonly metrics: readonly CloudWatchQuery[]
  readonly periodS: number
  readonly threshold: number
  readonly isBelow?: boolean
}

function queriesOf(condition: Condition, by: readonly string[]): Queries {
  const { above } = condition
  switch (condition.kind) {
    case 'gauge':
      return {
        metrics: [insight('m1', largest(condition.of, by), PERIOD_MIN_S)],
        periodS: PERIOD_MIN_S,
        threshold: above,
      }
    case 'used': {
      const query = (id: string, of: GaugeSelection) => operand(id, least(of), PERIOD_MIN_S)
      const metrics = [
        query('free', condition.free),
        query('capacity', condition.capacity),
        math('1 - free / capacity', PERIOD_MIN_S),
      ]
      return { metrics, periodS: PERIOD_MIN_S, threshold: above }
    }
    case 'increase': {
      const periodS = periodOf(condition.windowMs)
      return { metrics: [insight('m1', occurrences(condition.of, by), periodS)], periodS, threshold: above }
    }
    case 'ratio':
      return ratio(condition, condition.windowMs, above)
    case 'quantile':
      return quantile(condition)
    case 'burn': {
      const pair = condition.pairs.find(({ longMs }) => longMs <= INSIGHTS_MS_MAX)
      const { longMs, rate } = pair ?? { longMs: INSIGHTS_MS_MAX, rate: 1 }
      if ('over' in condition.part && condition.part.over !== undefined)
        return rank(condition.part, longMs, rate * above)
      return ratio(condition, longMs, rate * above)
    }
  }
}

/** The ratio of all series together: metric math does not divide two queries that are grouped by labels. */
function ratio(
  { part, volumeMin, whole }: { readonly part: Counted; readonly whole: Counted; readonly volumeMin: number },
  windowMs: number,
  threshold: number,
): Queries {
  const periodS = periodOf(windowMs)
  const metrics = [
    operand('part', occurrences(part, []), periodS),
    operand('whole', occurrences(whole, []), periodS),
    math(`IF(whole >= ${volumeMin}, part / whole, 0)`, periodS),
  ]
  return { metrics, periodS, threshold: Number(threshold.toPrecision(10)) }
}

function quantile({ above, of, quantile: q, windowMs }: QuantileCondition): Queries {
  const periodS = periodOf(windowMs)
  return { metrics: [statistic(of.metric, `p${q * 100}`, periodS)], periodS, threshold: above }
}

/** The percentage of observations up to the limit: it is too low when too many are above. */
function rank(
  { metric, over }: Extract<Counted, { readonly over?: number }>,
  windowMs: number,
  share: number,
): Queries {
  const periodS = periodOf(windowMs)
  const threshold = Number((100 * (1 - Math.min(1, share))).toPrecision(10))
  return { metrics: [statistic(metric, `PR(:${over})`, periodS)], periodS, threshold, isBelow: true }
}

function periodOf(windowMs: number): number {
  return Math.max(PERIOD_MIN_S, Math.ceil(Math.min(windowMs, INSIGHTS_MS_MAX) / 1000 / PERIOD_MIN_S) * PERIOD_MIN_S)
}

function insight(Id: string, Expression: string, Period: number): CloudWatchQuery {
  return { Id, Expression, Period, ReturnData: true }
}

/** A part of the metric math, which is not compared by itself. */
function operand(Id: string, Expression: string, Period: number): CloudWatchQuery {
  return { Id, Expression, Period, ReturnData: false }
}

function math(Expression: string, Period: number): CloudWatchQuery {
  return { Id: 'result', Expression, Period, ReturnData: true }
}

function statistic(metric: string, Stat: string, Period: number): CloudWatchQuery {
  const Metric = { Namespace: CLOUDWATCH_NAMESPACE, MetricName: PREFIX + metric }
  return { Id: 'm1', MetricStat: { Metric, Period, Stat }, ReturnData: true }
}

function largest({ metric, where }: GaugeSelection, by: readonly string[]): string {
  return `SELECT MAX("${PREFIX}${metric}") FROM "${CLOUDWATCH_NAMESPACE}"${conditions(where)}${groupedBy(by)}`
}

/** The node with the least: metric math does not divide by node. */
function least({ metric, where }: GaugeSelection): string {
  return `SELECT MIN("${PREFIX}${metric}") FROM "${CLOUDWATCH_NAMESPACE}"${conditions(where)}`
}

function occurrences({ metric, where }: Counted, by: readonly string[]): string {
  const statisticName = metric.endsWith('_total') ? 'SUM' : 'COUNT'
  return `SELECT ${statisticName}("${PREFIX}${metric}") FROM "${CLOUDWATCH_NAMESPACE}"${conditions(where)}${groupedBy(by)}`
}

function conditions(where: LabelFilter = {}): string {
  const terms = Object.entries(where).map(([label, values]) => {
    const [list, operator, joiner] =
      'not' in values ? ([values.not, '!=', ' AND '] as const) : ([values, '=', ' OR '] as const)
    const each = list.map((value) => `${label} ${operator} '${value}'`)
    return each.length === 1 ? each[0] : `(${each.join(joiner)})`
  })
  return terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`
}

function groupedBy(by: readonly string[]): string {
  return by.length === 0 ? '' : ` GROUP BY ${by.join(', ')}`
}
