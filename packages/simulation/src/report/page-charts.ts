// The charts of one scenario: runs are overlaid in one chart for comparison; charts with several lines per run stand
// side by side. All have the same axes.
import { LEVELS } from '@mangaassist/server/domain/lane/level'
import type { Level } from '@mangaassist/server/domain/lane/level'
import type { FleetRun } from '../fleet/fleet-run.ts'
import { SHARE_AXIS, timeAxis, valueAxis } from './axis.ts'
import type { Axis } from './axis.ts'
import { levelsSvg, swatch, timelineSvg } from './chart.ts'
import type { Line } from './chart.ts'
import { escapeHtml, oneLine } from './plain-text.ts'
import { minuteSecond, percent, whole } from './quantities.ts'
import { bucketsOf, goodShare, highest, LANES_MAX, lanesOf, levelSpans, limitOf, perSecond, points } from './series.ts'
import type { Bucket, Point } from './series.ts'
import type { Shown } from './shown-run.ts'

const BUCKETS_MAX = 360
const LANE_CHARS = 34

interface Drawn extends Shown {
  readonly buckets: readonly Bucket[]
}

interface Scene {
  readonly drawn: readonly Drawn[]
  readonly time: Axis
  readonly incidents: FleetRun['incidents']
}

interface Overlay {
  readonly title: string
  readonly unit: string
  readonly note: string
  readonly behind?: { readonly name: string; readonly points: readonly Point[] }
  readonly share?: boolean
  value(bucket: Bucket): number | null
}

export function charts(shown: readonly Shown[]): string {
  const drawn = shown
    .map((one) => ({ ...one, buckets: bucketsOf(one.run, BUCKETS_MAX) }))
    .filter(({ buckets }) => buckets.length > 0)
  const [first] = drawn
  if (!first) return '<p class="note">No second was run, so there is nothing to draw.</p>'
  const lastMs = Math.max(...drawn.map(({ buckets }) => buckets.at(-1)?.toMs ?? 0))
  const scene = { drawn, time: timeAxis(lastMs), incidents: first.run.incidents }
  return [
    overlay(scene, {
      title: 'Arrivals and provider calls',
      unit: 'per second',
      note: 'Grey: arrivals. Lines: calls that reach a provider. A line above the grey is load that the fleet made itself.',
      behind: { name: 'arrivals', points: points(first.buckets, perSecond('arrivals')) },
      value: perSecond('attempts'),
    }),
    overlay(scene, {
      title: 'Goodput',
      unit: 'of arrivals',
      note: 'Share of the arrivals of each second that saw a model’s first word, or a fresh cached answer, in time.',
      share: true,
      value: goodShare,
    }),
    levelBands(scene),
    flights(scene),
    overlay(scene, {
      title: 'Queue',
      unit: 'questions',
      note: 'Queued questions on all nodes.',
      value: highest('waiting'),
    }),
  ].join('\n')
}

function overlay({ drawn, time, incidents }: Scene, { title, unit, note, behind, share, value }: Overlay): string {
  const series = drawn.map((one) => ({ ...one, points: points(one.buckets, value) }))
  const axis = share ? SHARE_AXIS : valueAxis(most([...series.map((one) => one.points), behind?.points ?? []]))
  const tick = share ? percent : whole
  const back: readonly Line[] = behind ? [{ cssClass: 'crowd', points: behind.points, shape: 'area' }] : []
  // The first entry of the legend is drawn last, on top.
  const lines = series.toReversed().map((one): Line => ({ cssClass: one.cssClass, points: one.points, shape: 'line' }))
  const description = series
    .map((one) => `${one.label}: ${extent(one.points, share ? 'least' : 'most', tick)}`)
    .join('; ')
  return card({
    title,
    note,
    legend: [
      ...(behind ? [legendItem(swatch('crowd', 'area'), behind.name)] : []),
      ...series.map(({ cssClass, label }) => legendItem(swatch(cssClass, 'line'), label)),
    ],
    body: frame(
      'tall',
      timelineSvg({ title, description, unit, time, value: axis, incidents, lines: [...back, ...lines], tick }),
    ),
  })
}

function flights({ drawn, time, incidents }: Scene): string {
  const series = drawn.map((one) => ({ ...one, points: points(one.buckets, highest('inFlight')) }))
  const axis = valueAxis(most(series.map((one) => one.points)) * 1.15)
  const multiples = series.map(({ run, label, cssClass, buckets, points: flying }) => {
    const limits = lanesOf(run)
      .slice(0, LANES_MAX)
      .map((lane, index) => ({
        lane,
        cssClass: `limit k${index}`,
        points: under(points(buckets, limitOf(lane)), axis.max),
      }))
      .filter((limit) => limit.points.some(({ value }) => value !== null))
    const lines: readonly Line[] = [
      { cssClass: `flight ${cssClass}`, points: flying, shape: 'area' },
      { cssClass, points: flying, shape: 'line' },
      ...limits.map((limit): Line => ({ cssClass: limit.cssClass, points: limit.points, shape: 'step' })),
    ]
    const title = `Calls in flight and limits, ${label}`
    const description = `In flight: ${extent(flying, 'most', whole)}`
    const legend = [
      legendItem(swatch(cssClass, 'line'), 'in flight'),
      ...limits.map((limit) => legendItem(swatch(limit.cssClass, 'line'), `limit, ${oneLine(limit.lane, LANE_CHARS)}`)),
    ]
    const svg = timelineSvg({ title, description, unit: 'calls', time, value: axis, incidents, lines, tick: whole })
    return `<div><h4>${escapeHtml(label)}</h4>${legendList(legend)}${frame('short', svg)}</div>`
  })
  return card({
    title: 'Calls in flight',
    note: 'Calls in flight over all lanes, and each lane’s limit while it has one that fits the chart.',
    legend: [],
    body: `<div class="multiples">${multiples.join('')}</div>`,
  })
}

function levelBands({ drawn, time, incidents }: Scene): string {
  const rows = drawn.flatMap(({ run, label, buckets }) =>
    lanesOf(run)
      .slice(0, LANES_MAX)
      .map((lane) => ({ label: `${label} · ${oneLine(lane, LANE_CHARS)}`, spans: levelSpans(buckets, lane) })),
  )
  if (rows.length === 0) return ''
  const left = drawn.reduce((count, { run }) => count + Math.max(0, lanesOf(run).length - LANES_MAX), 0)
  const title = 'Pressure level of each lane'
  const description = rows
    .map(({ label, spans }) => `${label}: ${levelsSeen(spans.map(({ level }) => level))}`)
    .join('; ')
  return card({
    title,
    note: `The taller, the worse; a lane is a model in a region.${left > 0 ? ` ${whole(left)} more lanes are not drawn.` : ''}`,
    legend: LEVELS.map((level) => legendItem(swatch(`l-${level}`, 'level'), level)),
    body: frame('', levelsSvg({ title, description, time, incidents, rows })),
  })
}

function levelsSeen(levels: readonly Level[]): string {
  return LEVELS.filter((level) => levels.includes(level)).join(', ')
}

function card({ title, note, legend, body }: { title: string; note: string; legend: readonly string[]; body: string }) {
  return (
    `<section class="card"><h3>${escapeHtml(title)}</h3><p class="note">${escapeHtml(note)}</p>` +
    `${legend.length === 0 ? '' : legendList(legend)}${body}</section>`
  )
}

const frame = (size: 'tall' | 'short' | '', svg: string): string =>
  `<div class="${size === '' ? 'frame' : `frame ${size}`}">${svg}</div>`

const legendItem = (drawn: string, name: string): string => `<li>${drawn}${escapeHtml(name)}</li>`

const legendList = (items: readonly string[]): string => `<ul class="legend">${items.join('')}</ul>`

function most(series: readonly (readonly Point[])[]): number {
  return series.flat().reduce((highest, { value }) => Math.max(highest, value ?? 0), 0)
}

/** Omits values above the chart's maximum, instead of drawing them at its edge as if they were there. */
function under(of: readonly Point[], max: number): readonly Point[] {
  return of.map((point) => (point.value !== null && point.value > max ? { ...point, value: null } : point))
}

function extent(of: readonly Point[], end: 'least' | 'most', tick: (value: number) => string): string {
  const known = of.flatMap(({ fromMs, value }) => (value === null ? [] : [{ fromMs, value }]))
  const [first] = known
  if (!first) return 'nothing'
  const isBeyond = (value: number, than: number) => (end === 'most' ? value > than : value < than)
  const found = known.reduce((best, point) => (isBeyond(point.value, best.value) ? point : best), first)
  return `${end === 'most' ? 'at most' : 'at least'} ${tick(found.value)}, at ${minuteSecond(found.fromMs)}`
}
