// One run as text for a terminal of 100 columns: its parameters, a timeline in blocks, its moments, the figures with
// their meanings, and the hash that a second run with the same seed must give.
import type { Level } from '@mangaassist/server/domain/lane/level'
import type { FleetRun } from '../fleet/fleet-run.ts'
import { ALL_FIGURES, scaleMeaning } from './figure-list.ts'
import { headline } from './headline.ts'
import { bounded, oneLine } from './plain-text.ts'
import { duration, minuteSecond, percent, rate, whole } from './quantities.ts'
import { bucketsOf, goodShare, highest, LANES_MAX, lanesOf, levelOf, perSecond } from './series.ts'
import type { Bucket, Count, State } from './series.ts'

const LABEL_CHARS = 18
const BUCKETS_MAX = 64
const MOMENTS_MAX = 40
const BREACHES_MAX = 20
const COUNTS: readonly (readonly [Count, string])[] = [
  ['arrivals', 'arrivals'],
  ['attempts', 'attempts'],
  ['failedAttempts', 'failed attempts'],
]
const BLOCKS = '▁▂▃▄▅▆▇█'
const LEVEL_BLOCKS: Readonly<Record<Level, string>> = { normal: '▁', slight: '▃', high: '▅', recovery: '▒', open: '█' }

export function runSummary(run: FleetRun): string {
  return [
    ...headerOf(run),
    ...breachesOf(run),
    ...timelineOf(run),
    ...momentsOf(run),
    '',
    'Figures',
    ...ALL_FIGURES.flatMap(({ name, means, text }) =>
      wrapped(`  ${name.padEnd(20)}${text(run.figures).padStart(11)}  `, means),
    ),
    '',
    ...scaleOf(run),
    '',
    `Trace ${oneLine(run.traceHash, 90)}`,
    '',
  ].join('\n')
}

function headerOf(run: FleetRun): readonly string[] {
  const { scenario, policy, nodes, seed, arrivalsPerSecond, faults } = run
  const facts = [
    `${whole(nodes)} ${nodes === 1 ? 'node' : 'nodes'}`,
    `seed ${seed}`,
    `${rate(arrivalsPerSecond)} arrivals/s`,
    `${duration(run.seconds.length * 1000)} long`,
    `faults ${minuteSecond(faults.fromMs)}–${minuteSecond(faults.toMs)}`,
  ]
  const sentences = headline([{ label: policy, figures: run.figures }]).map(({ sentence }) => sentence)
  return [
    `${oneLine(scenario, 60)} · policy ${policy}`,
    facts.join(' · '),
    '',
    ...wrapped('', `${sentences.join('')}.`),
  ]
}

function breachesOf({ breaches }: FleetRun): readonly string[] {
  if (breaches.length === 0) return []
  const { head, left, tail } = bounded(breaches, BREACHES_MAX)
  const lines = [...head, ...(left > 0 ? [`… ${whole(left)} more …`] : []), ...tail]
  return ['', `BROKEN INVARIANTS: ${whole(breaches.length)}`, ...lines.map((breach) => `  ! ${oneLine(breach, 96)}`)]
}

function timelineOf(run: FleetRun): readonly string[] {
  const buckets = bucketsOf(run, BUCKETS_MAX)
  const first = buckets[0]
  if (!first) return ['', 'No second was run, so there is nothing to draw.']
  const lanes = lanesOf(run)
  return [
    '',
    `Timeline, ${duration(first.toMs - first.fromMs)} for each block`,
    row('faults', faultBlocks(run, buckets), ''),
    ...countRows(run, buckets),
    row('goodput', blocks(buckets.map(goodShare), 1), lowestShare(buckets)),
    stateRow(buckets, 'inFlight', 'in flight'),
    stateRow(buckets, 'waiting', 'queue'),
    ...lanes.slice(0, LANES_MAX).map((lane) => row(lane, levelBlocks(buckets, lane), '')),
    ...(lanes.length > LANES_MAX ? [`  and ${whole(lanes.length - LANES_MAX)} more lanes`] : []),
    timeRow(buckets),
    ...(lanes.length === 0 ? [] : [`  lanes: ${levelLegend()}`]),
  ]
}

const levelLegend = (): string =>
  Object.entries(LEVEL_BLOCKS)
    .map(([level, block]) => `${block} ${level}`)
    .join('  ')

/** All rows on one scale, so that load made by the fleet itself stands out. */
function countRows(run: FleetRun, buckets: readonly Bucket[]): readonly string[] {
  const rows = COUNTS.map(([count, label]) => ({ count, label, values: buckets.map(perSecond(count)) }))
  const most = Math.max(...rows.flatMap(({ values }) => values))
  return rows.map(({ count, label, values }) => {
    const peak = run.seconds.reduce((highest, second) => Math.max(highest, second[count]), 0)
    return row(label, blocks(values, most), `peak ${whole(peak)}/s`)
  })
}

function stateRow(buckets: readonly Bucket[], state: State, label: string): string {
  const values = buckets.map(highest(state))
  const most = Math.max(...values)
  return row(label, blocks(values, most), `peak ${whole(most)}`)
}

function lowestShare(buckets: readonly Bucket[]): string {
  const shares = buckets.flatMap((bucket) => goodShare(bucket) ?? [])
  return shares.length === 0 ? '' : `low ${percent(Math.min(...shares))}`
}

function row(label: string, drawn: string, note: string): string {
  return `  ${oneLine(label, LABEL_CHARS - 1).padEnd(LABEL_CHARS)}${drawn}  ${note}`.trimEnd()
}

function blocks(values: readonly (number | null)[], most: number): string {
  return values
    .map((value) => {
      if (value === null) return ' '
      const step = most === 0 ? 0 : Math.round((value / most) * (BLOCKS.length - 1))
      return BLOCKS.charAt(Math.min(BLOCKS.length - 1, Math.max(0, step)))
    })
    .join('')
}

function levelBlocks(buckets: readonly Bucket[], lane: string): string {
  return buckets
    .map(levelOf(lane))
    .map((level) => (level === null ? ' ' : LEVEL_BLOCKS[level]))
    .join('')
}

function faultBlocks({ incidents }: FleetRun, buckets: readonly Bucket[]): string {
  const isIn = (bucket: Bucket) => incidents.some(({ fromMs, toMs }) => bucket.toMs > fromMs && bucket.fromMs < toMs)
  return buckets.map((bucket) => (isIn(bucket) ? '━' : ' ')).join('')
}

function timeRow(buckets: readonly Bucket[]): string {
  const end = minuteSecond(buckets.at(-1)?.toMs ?? 0)
  return row('min:s', `0:00${end.padStart(Math.max(end.length + 1, buckets.length - 4))}`, '')
}

function momentsOf({ moments }: FleetRun): readonly string[] {
  if (moments.length === 0) return []
  const { head, left, tail } = bounded(moments, MOMENTS_MAX)
  const linesOf = (of: typeof head) =>
    of.map(({ atMs, what }) => `  ${minuteSecond(atMs).padStart(6)}  ${oneLine(what, 90)}`)
  return ['', 'Moments', ...linesOf(head), ...(left > 0 ? [`          … ${whole(left)} more …`] : []), ...linesOf(tail)]
}

function scaleOf({ hint }: FleetRun): readonly string[] {
  const models = hint.models.map(
    ({ callsInFlight, name, tokensPerMinute }) =>
      `  ${oneLine(name, 19).padEnd(20)}${whole(tokensPerMinute).padStart(11)}  tokens a minute, ${whole(callsInFlight)} calls in flight`,
  )
  return [
    'Enough to serve everybody in time',
    ...wrapped(`  ${'Nodes'.padEnd(20)}${whole(hint.nodes).padStart(11)}  `, scaleMeaning(hint)),
    ...models,
  ]
}

const COLUMNS_MAX = 100

/** Wraps words after a lead; the following lines are indented by its length. */
function wrapped(lead: string, words: string): readonly string[] {
  const lines = [lead]
  for (const word of words.split(' ')) {
    const last = lines.at(-1) ?? ''
    const fits = last.length + 1 + word.length <= COLUMNS_MAX
    if (last.length === lead.length) lines[lines.length - 1] = `${last}${word}`
    else if (fits) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(`${' '.repeat(lead.length)}${word}`)
  }
  return lines
}
