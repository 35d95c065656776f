// Timelines as inline SVG. Positions along the time axis are percentages and text has a fixed size, so that one drawing
// fits a phone, a wide screen and paper; only the lines are stretched. Colours are CSS classes of the page.
import type { Level } from '@mangaassist/server/domain/lane/level'
import type { Span } from '../fleet/fleet-run.ts'
import type { Axis } from './axis.ts'
import { escapeHtml } from './plain-text.ts'
import { minuteSecond } from './quantities.ts'
import type { LevelSpan, Point } from './series.ts'

export interface Line {
  /** CSS class of the page that sets colour and stroke. */
  readonly cssClass: string
  readonly points: readonly Point[]
  readonly shape: 'line' | 'area' | 'step'
}

interface Frame {
  readonly title: string
  readonly description: string
  readonly time: Axis
  readonly incidents: readonly Span[]
}

interface Timeline extends Frame {
  readonly unit: string
  readonly value: Axis
  readonly lines: readonly Line[]
  tick(value: number): string
}

interface LevelRow {
  readonly label: string
  readonly spans: readonly LevelSpan[]
}

const WIDTH = 1000
const HEIGHT = 100
const ROW_PX = 46
const BAND_PX = 22
/** A worse level is taller, so that the bands can be read without their colours. */
const LEVEL_SHARE: Readonly<Record<Level, number>> = { normal: 0.2, slight: 0.4, high: 0.65, recovery: 0.85, open: 1 }

export function timelineSvg({ title, description, unit, time, value, incidents, lines, tick }: Timeline): string {
  const grid = value.ticks.map((at) => {
    const y = percentOf(1 - at / value.max)
    return (
      `<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/>` +
      `<text class="tick" x="-8" y="${y}" dy=".32em" text-anchor="end">${escapeHtml(tick(at))}</text>`
    )
  })
  const paths = lines.map((line) => pathOf(line, time.max, value.max))
  return [
    `<svg class="plot" role="img" width="100%" height="100%">`,
    naming({ title, description }),
    faultsRects(incidents, time),
    ...grid,
    `<text class="tick unit" x="-44" y="-12">${escapeHtml(unit)}</text>`,
    `<svg width="100%" height="100%" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none">${paths.join('')}</svg>`,
    timeTicks(time),
    faultsLabel(incidents, time),
    '</svg>',
  ].join('')
}

/** One band for each lane, under the same time axis as the timelines. */
export function levelsSvg({
  title,
  description,
  time,
  incidents,
  rows,
}: Frame & { rows: readonly LevelRow[] }): string {
  const bands = rows.map(({ label, spans }, index) => {
    const bottom = (index + 1) * ROW_PX - 6
    return (
      `<text class="band-label" x="0" y="${bottom - BAND_PX - 6}">${escapeHtml(label)}</text>` +
      spans.map((span) => bandOf(span, time, bottom)).join('') +
      `<line class="base" x1="0" x2="100%" y1="${bottom}" y2="${bottom}"/>`
    )
  })
  return [
    `<svg class="plot" role="img" width="100%" height="${rows.length * ROW_PX}">`,
    naming({ title, description }),
    faultsRects(incidents, time),
    ...bands,
    timeTicks(time),
    faultsLabel(incidents, time),
    '</svg>',
  ].join('')
}

/** A sample of a line or a level, for a legend. */
export function swatch(cssClass: string, shape: Line['shape'] | 'level'): string {
  const drawn =
    shape === 'level' || shape === 'area'
      ? `<rect class="${shape === 'level' ? 'level' : 'area'} ${cssClass}" width="22" height="10" rx="2"/>`
      : `<path class="stroke ${cssClass}" d="M0 5H22"/>`
  return `<svg class="swatch" width="22" height="10" aria-hidden="true">${drawn}</svg>`
}

function naming({ title, description }: Pick<Frame, 'title' | 'description'>): string {
  return `<title>${escapeHtml(title)}</title><desc>${escapeHtml(description)}</desc>`
}

function bandOf({ fromMs, toMs, level }: LevelSpan, time: Axis, bottom: number): string {
  const height = BAND_PX * LEVEL_SHARE[level]
  return (
    `<rect class="level l-${level}" x="${percentOf(fromMs / time.max)}" y="${fixed(bottom - height)}"` +
    ` width="${percentOf((toMs - fromMs) / time.max)}" height="${fixed(height)}">` +
    `<title>${level}, ${minuteSecond(fromMs)} to ${minuteSecond(toMs)}</title></rect>`
  )
}

function timeTicks({ max, ticks }: Axis): string {
  const marks = ticks.map((at, index) => {
    const x = percentOf(at / max)
    // Every other label is hidden where space is short.
    const cssClass = index % 2 === 1 ? 'tick odd' : 'tick'
    return (
      `<line class="base" x1="${x}" x2="${x}" y1="0" y2="4"/>` +
      `<text class="${cssClass}" x="${x}" y="17" text-anchor="middle">${minuteSecond(at)}</text>`
    )
  })
  return (
    `<svg class="ticks" y="100%" width="100%" height="36"><line class="base" x1="0" x2="100%" y1="0" y2="0"/>` +
    `${marks.join('')}<text class="tick unit" x="100%" y="33" text-anchor="end">time in the run, min:s</text></svg>`
  )
}

function faultsRects(incidents: readonly Span[], { max }: Axis): string {
  return incidents
    .map((incident) => within(incident, max))
    .filter(({ from, to }) => to > from)
    .map(
      ({ from, to }) =>
        `<rect class="faults" x="${percentOf(from)}" y="0" width="${percentOf(to - from)}" height="100%"/>`,
    )
    .join('')
}

/** Above the longest: labels of several might overlap. */
function faultsLabel(incidents: readonly Span[], { max }: Axis): string {
  const [longest] = incidents
    .map((incident) => within(incident, max))
    .toSorted((a, b) => b.to - b.from - (a.to - a.from))
  if (longest === undefined || longest.to <= longest.from) return ''
  const { from, to } = longest
  return `<text class="faults-label" x="${percentOf((from + to) / 2)}" y="-12" text-anchor="middle">faults</text>`
}

function within({ fromMs, toMs }: Span, max: number): { readonly from: number; readonly to: number } {
  return { from: Math.max(0, fromMs / max), to: Math.min(1, toMs / max) }
}

function pathOf({ cssClass, points, shape }: Line, timeMax: number, valueMax: number): string {
  const x = (ms: number) => fixed((ms / timeMax) * WIDTH)
  const y = (value: number) => fixed((1 - value / valueMax) * HEIGHT)
  const strokes = runsOf(points).map((stretch) => {
    if (shape === 'area') return `${stepPath(stretch, x, y)}V${HEIGHT}H${x(stretch[0]?.fromMs ?? 0)}Z`
    // A step, or a single bucket: drawn over its whole time, since a point has no length.
    return shape === 'step' || stretch.length === 1 ? stepPath(stretch, x, y) : linePath(stretch, x, y)
  })
  return strokes.length === 0
    ? ''
    : `<path class="${shape === 'area' ? 'area' : 'stroke'} ${cssClass}" d="${strokes.join('')}"/>`
}

type Scale = (value: number) => string

function linePath(stretch: readonly Known[], x: Scale, y: Scale): string {
  return stretch
    .map(({ fromMs, toMs, value }, index) => `${index === 0 ? 'M' : 'L'}${x((fromMs + toMs) / 2)} ${y(value)}`)
    .join('')
}

interface Known extends Point {
  readonly value: number
}

function stepPath(stretch: readonly Known[], x: Scale, y: Scale): string {
  return stretch
    .map(({ fromMs, toMs, value }, index) =>
      index === 0 ? `M${x(fromMs)} ${y(value)}H${x(toMs)}` : `V${y(value)}H${x(toMs)}`,
    )
    .join('')
}

/** Splits the points into runs without missing values. */
function runsOf(points: readonly Point[]): readonly (readonly Known[])[] {
  const found: Known[][] = []
  let open: Known[] | undefined
  for (const { fromMs, toMs, value } of points) {
    if (value === null) {
      open = undefined
      continue
    }
    if (!open) found.push((open = []))
    open.push({ fromMs, toMs, value })
  }
  return found
}

const fixed = (value: number): string => (Math.round(value * 10) / 10).toString()

const percentOf = (share: number): string => `${Math.round(share * 10_000) / 100}%`
