// The reports of simulated runs: the page is well-formed, safe and the same each time; texts fit their columns; runs of
// zero, one and many seconds can be drawn.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  POLICIES,
  sampleComparison,
  sampleFigures,
  sampleRun,
  sampleSecond,
  shapedRun,
} from '../../test/fixtures/fleet-runs.ts'
import type { FleetRun, Second } from '../fleet/fleet-run.ts'
import { timeAxis, valueAxis } from './axis.ts'
import { reportPage } from './page.ts'
import { oneLine } from './plain-text.ts'
import { duration, percent, usd, whole } from './quantities.ts'
import { bucketsOf } from './series.ts'
import { runSummary } from './summary.ts'
import { comparisonTable } from './table.ts'

const HOSTILE = `"><script>alert('x')</script>&\u001b[31m\u202e`

/** Checks that every opened element is closed, in order, and that every attribute is quoted. */
function assertWellFormed(html: string): void {
  const body = html.replace('<!doctype html>', '').replace(/<style>[^<]*<\/style>/, '')
  const open: string[] = []
  const element = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*="[^"<]*")*)\s*(\/?)>/y
  for (let at = 0; at < body.length;) {
    const next = body.indexOf('<', at)
    const text = body.slice(at, next === -1 ? undefined : next)
    assert.doesNotMatch(text, />|&(?!(?:amp|lt|gt|quot|#39);)/, `bare markup in ${text}`)
    if (next === -1) break
    element.lastIndex = next
    const match = element.exec(body)
    assert.ok(match, `no element at ${body.slice(next, next + 120)}`)
    const [, closing, name = '', , empty] = match
    if (closing) assert.equal(open.pop(), name)
    else if (!empty) open.push(name)
    at = element.lastIndex
  }
  assert.deepEqual(open, [])
}

const widest = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length))

const HOSTILE_LANES: Second['lanes'] = {
  [HOSTILE]: { level: 'open', limit: 5 },
  ...Object.fromEntries([['toString', { level: 'high', limit: null } as const]]),
}

const hostileRun = (over: Partial<FleetRun> = {}) =>
  sampleRun({
    scenario: HOSTILE,
    moments: [{ atMs: 1000, what: HOSTILE }],
    seconds: [sampleSecond({ lanes: HOSTILE_LANES }), sampleSecond()],
    traceHash: HOSTILE,
    breaches: [HOSTILE],
    ...over,
  })

test('the page is well-formed, loads nothing and runs nothing', () => {
  const page = reportPage({
    runs: POLICIES.flatMap((policy) => [shapedRun(policy), shapedRun(policy, { scenario: 'outage' })]),
    comparison: sampleComparison(['throttle', 'outage', 'blip']),
  })
  assertWellFormed(page)
  assert.doesNotMatch(page, /<script|<link|<img|url\(|@import|https?:|NaN|undefined|Infinity|\[object/)
  assert.equal(page.match(/<h2>/g)?.length, 2)
  assert.match(page, /href="#s2">outage</)
  assert.match(
    page,
    /<b>Ours:<\/b> peak 1\.08 attempts per arrival, 81 % served in time[^<]*, back to normal 6 s after the heal/,
  )
  assert.match(page, /<b>Naive:<\/b> peak 4\.31 [^<]*not back to normal within the run, 1,873 left without an answer\./)
})

test('hostile text of a scenario file is only text on the page and in the terminal', () => {
  const comparison = sampleComparison([HOSTILE])
  const page = reportPage({ runs: [hostileRun()], comparison })
  assertWellFormed(page)
  assert.doesNotMatch(page, /<script|\u001b|\u202e/)
  assert.match(page, /&quot;&gt;&lt;script&gt;alert\(&#39;x&#39;\)&lt;\/script&gt;&amp;/)
  for (const text of [runSummary(hostileRun()), comparisonTable(comparison)])
    assert.doesNotMatch(text, /[^\n\P{Cc}]|\p{Cf}/u)
})

test('the same runs give the same bytes', () => {
  const all = () => {
    const runs = POLICIES.map((policy) => shapedRun(policy))
    const comparison = sampleComparison(['throttle'])
    return [reportPage({ runs, comparison }), comparisonTable(comparison), ...runs.map(runSummary)]
  }
  assert.deepEqual(all(), all())
})

test('runs of zero seconds, of one second and without arrivals can be reported', () => {
  const none = sampleRun({ seconds: [], moments: [] })
  const still = sampleRun({ seconds: [sampleSecond({ arrivals: 0, attempts: 0, good: 0, inFlight: 0, lanes: {} })] })
  for (const runs of [[], [none], [sampleRun()], [still], [none, sampleRun({ policy: 'naive' })]]) {
    const page = reportPage({ runs })
    assertWellFormed(page)
    assert.doesNotMatch(page, /NaN|Infinity|undefined/)
  }
  assert.match(reportPage({ runs: [none] }), /nothing to draw/)
  assert.match(runSummary(none), /nothing to draw/)
  assert.doesNotMatch(runSummary(still), /NaN|Infinity/)
  assert.equal(comparisonTable([]), 'Nothing to compare.\n')
})

test('each incident is shaded, and the quiet time between them is not', () => {
  const incidents = [60, 600, 1200].map((atS) => ({ fromMs: atS * 1000, toMs: (atS + 30) * 1000 }))
  const run = { ...shapedRun('ours', { seconds: 1440 }), incidents }
  const page = reportPage({ runs: [run] })
  const [drawn = ''] = page.split('Goodput</h3>').slice(1)
  assert.equal(drawn.slice(0, drawn.indexOf('</section>')).match(/<rect class="faults"/g)?.length, 3)
  assert.match(runSummary(run), /faults +━━ {2,}━+ {2,}━+\n/)
})

test('a run says which nodes and which quota would have served everybody', () => {
  const text = runSummary(sampleRun())
  assert.match(text, /Enough to serve everybody in time\n {2}Nodes +23 {2}For 118 arrivals/)
  assert.match(text, /claude\/us-east-1 +6,400,000 {2}tokens a minute, 402 calls in flight/)
  assert.match(reportPage({ runs: [sampleRun()] }), /<td>6,400,000<\/td><td>402<\/td>/)
})

test('a single second is drawn over its whole time', () => {
  assert.match(reportPage({ runs: [sampleRun()] }), /<path class="stroke c0" d="M0 [\d.]+H1000"\/>/)
})

test('a long run is drawn in at most the given number of buckets, and no second is lost', () => {
  const run = shapedRun('naive', { seconds: 3601 })
  const buckets = bucketsOf(run, 360)
  assert.ok(buckets.length <= 360)
  assert.equal(buckets.flatMap(({ seconds }) => seconds).length, 3601)
  assert.equal(buckets.at(-1)?.toMs, 3_601_000)
  assert.ok(widest(runSummary(run)) <= 100)
  assert.ok(reportPage({ runs: [run] }).length < 100_000)
})

test('a summary has the run, its timeline, its moments, its figures and its hash within 100 columns', () => {
  const text = runSummary(shapedRun('ours'))
  assert.ok(widest(text) <= 100)
  assert.match(text, /^throttle · policy ours\n50 nodes · seed 7 · 100 arrivals\/s · 5 min long · faults 1:00–3:00$/m)
  assert.match(text, /^ {2}attempts +[▁▂▃▄▅▆▇█]{60} {2}peak 113\/s$/m)
  assert.match(text, /^ {2}claude\/us-east-1 +▁{12}██▒▒▅+▃▃▁+$/m)
  assert.match(text, /^ +3:00 {2}heal$/m)
  assert.match(text, /^ {2}Recovery +6 s {2}Time from the end of the faults/m)
  assert.match(text, /^Trace c0ffee/m)
})

test('a broken invariant is reported before anything is drawn, and every list is bounded', () => {
  const moments = Array.from({ length: 500 }, (_, index) => ({ atMs: index * 1000, what: `moment ${index}` }))
  const breaches = Array.from({ length: 300 }, (_, index) => `breach ${index}`)
  const lanes = Object.fromEntries(
    Array.from({ length: 50 }, (_, index) => [`lane ${index}`, { level: 'high', limit: 9 } as const]),
  )
  const run = sampleRun({ moments, breaches, seconds: [sampleSecond({ lanes })] })
  const text = runSummary(run)
  assert.ok(text.indexOf('BROKEN INVARIANTS: 300') < text.indexOf('Timeline'))
  assert.match(text, /… 460 more …[^]*moment 499/)
  assert.match(text, /and 44 more lanes/)
  assert.ok(text.split('\n').length < 130)
  const page = reportPage({ runs: [run] })
  assertWellFormed(page)
  assert.ok(page.indexOf('broken invariants, 300') < page.indexOf('<svg class="plot"'))
  assert.match(page, /44 more lanes are not drawn/)
})

test('the table gives median and worst, and failed calls as a share of naive’s', () => {
  const table = comparisonTable(sampleComparison(['throttle']))
  assert.match(table, /^throttle · 30 runs each$/m)
  assert.match(
    table,
    /^ {2}ours +1\.08 \(1\.18\) +1\.08 \(1\.18\) +1\.03 \(1\.08\) +81 % \(73 %\) +6 s \(9 s\) +412 \(577\) +1 % \(1 %\) +0 \(0\)/m,
  )
  assert.match(table, /^ {2}naive .* never \(never\) .* 100 % \(100 %\)/m)
  const alone = sampleComparison(['throttle'], 1).filter(({ policy }) => policy === 'ours')
  assert.match(comparisonTable(alone), /^ {2}ours +1\.08 +1\.08 +1\.03 +81 % +6 s +412 +– +0 +3\.4 s$/m)
})

test('several runs of one policy are labelled by what differs', () => {
  const page = reportPage({ runs: [1, 2].map((seed) => sampleRun({ seed })) })
  assert.match(page, /<span class="key c0"><\/span>ours · seed 1</)
  assert.match(page, /<span class="key c1"><\/span>ours · seed 2</)
  const many = reportPage({ runs: Array.from({ length: 9 }, (_, seed) => sampleRun({ seed })) })
  assert.match(many, /3 more runs not drawn/)
})

test('the best value of a figure is marked, unless all are equal', () => {
  const runs = [sampleRun(), sampleRun({ policy: 'naive', figures: sampleFigures({ recoveryMs: null }) })]
  const page = reportPage({ runs })
  assert.match(page, />Recovery<[^]*?<td class="best">6 s<\/td><td>never<\/td>/)
  assert.equal(page.match(/class="best"/g)?.length, 1)
})

test('numbers have one format everywhere, and percentages never round to 0 or 100', () => {
  assert.deepEqual([whole(1_234_567), whole(-1234.4), whole(Number.NaN)], ['1,234,567', '-1,234', '–'])
  assert.deepEqual([0, 0.0004, 0.004, 0.5, 0.995, 0.9999, 1].map(percent), [
    '0 %',
    '<0.1 %',
    '0.4 %',
    '50 %',
    '99.5 %',
    '>99.9 %',
    '100 %',
  ])
  assert.deepEqual([0, 850, 6000, 6540, 59_990, 119_600, 120_000, 200_400].map(duration), [
    '0 s',
    '850 ms',
    '6 s',
    '6.5 s',
    '60 s',
    '120 s',
    '2 min',
    '3 min 20 s',
  ])
  assert.deepEqual([usd(41_234_567), usd(1_999_999_999), usd(0)], ['$41.23', '$2,000.00', '$0.00'])
})

test('axes have round ticks and cover everything that is drawn', () => {
  for (const most of [0, 0.4, 1, 3, 7, 118, 449, 1000, 1_234_567]) {
    const { max, ticks } = valueAxis(most)
    assert.ok(max >= most && ticks.length >= 2 && ticks.length <= 6 && ticks.every(Number.isInteger), `${most}`)
  }
  assert.deepEqual(valueAxis(449).ticks, [0, 200, 400, 600])
  for (const lastMs of [1000, 90_000, 300_000, 3_600_000, 86_400_000 * 40])
    assert.ok(timeAxis(lastMs).ticks.length <= 12, `${lastMs}`)
})

test('a line is cut between characters and has no control characters', () => {
  assert.equal(oneLine('a\r\n\tb\u001b[2J\u202ec'), 'a b [2Jc')
  assert.equal(oneLine('🦊'.repeat(5), 3), '🦊🦊…')
})
