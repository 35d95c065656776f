// Dashboards for Grafana over the metrics of the catalogue, as `mangaassist alarms --grafana NAME` prints them. A
// test checks that every metric and label exists. Pure.
import { PREFIX } from '../../telemetry/catalogue.ts'
import { panels } from './dashboard-panels.ts'
import type { DashboardName, Panel } from './dashboard-panels.ts'

const TITLES: Readonly<Record<DashboardName, string>> = {
  traffic: 'MangaAssist: traffic and latency',
  models: 'MangaAssist: models and lanes',
  money: 'MangaAssist: money and limits',
  stores: 'MangaAssist: stores and nodes',
}

const WIDTH = 12
const HEIGHT = 8

export function grafanaDashboard(name: DashboardName): string {
  const dashboard = {
    uid: `mangaassist-${name}`,
    title: TITLES[name],
    tags: ['mangaassist'],
    timezone: 'browser',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus', current: {} }],
    },
    annotations: {
      list: [
        {
          name: 'Alarms',
          enable: true,
          iconColor: 'red',
          datasource: { type: 'prometheus', uid: '$source' },
          expr: `max by (alarm) (${PREFIX}alarm_firing)`,
          titleFormat: '{{alarm}}',
        },
      ],
    },
    panels: panels[name].map(panelOf),
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}

/** The expressions of a dashboard, with the metrics' full names. */
export function expressionsOf(name: DashboardName): readonly string[] {
  return panels[name].flatMap(({ queries }) => queries.map(([expression]) => fullNames(expression)))
}

function panelOf({ queries, title, unit }: Panel, index: number): object {
  return {
    id: index + 1,
    type: 'timeseries',
    title,
    datasource: { type: 'prometheus', uid: '$source' },
    gridPos: { x: (index % 2) * WIDTH, y: Math.floor(index / 2) * HEIGHT, w: WIDTH, h: HEIGHT },
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: queries.map(([expression, legend], target) => ({
      refId: String.fromCodePoint('A'.codePointAt(0)! + target),
      expr: fullNames(expression),
      legendFormat: legend,
    })),
  }
}

/** Panels write `@name` for a metric of the catalogue. */
function fullNames(expression: string): string {
  return expression.replaceAll('@', PREFIX)
}
