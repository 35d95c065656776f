// Lists of turn records over a full SQLite file: the time of every filter on the first, a middle and the last page, while turns are
// recorded, the longest pause of the event loop meanwhile, and what a record costs to write.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { openDatabase } from '../packages/server/src/adapters/sqlite/files/database.ts'
import { sqliteTurnRecords } from '../packages/server/src/adapters/sqlite/turn-records/turn-records.ts'
import { systemClock } from '../packages/server/src/adapters/system/clock.ts'
import { idOf } from '../packages/server/src/domain/turn-records/records-filter.ts'
import type { RecordPosition, RecordsFilter, StoredRecord } from '../packages/server/src/ports/turn-records/port.ts'
import { HEAVY_KEY, MONTH_MS, recordMaker } from './records/sample-records.ts'

const RECORDS = Number(process.env['RECORDS'] ?? 1_000_000)
const ROUNDS = Number(process.env['ROUNDS'] ?? 15)
/** Turns recorded a second while lists are read. */
const TURNS_PER_SECOND = Number(process.env['TURNS_PER_SECOND'] ?? 50)
const PAGE = 100
const FILL_BATCH = 20_000
const WRITE_EVERY_MS = 500

const clock = systemClock()
const folder = mkdtempSync(join(tmpdir(), 'mangaassist-records-'))
const path = join(folder, 'records.sqlite')
const database = openDatabase({ path, clock, sync: 'aside' })
const records = sqliteTurnRecords({ database, clock })
const from = clock.now() - MONTH_MS
const make = recordMaker({ from, of: RECORDS, seed: 'kept' })

const kept: StoredRecord[] = []
const began = performance.now()
for (let index = 0; index < RECORDS; index += FILL_BATCH) {
  const batch = Array.from({ length: Math.min(FILL_BATCH, RECORDS - index) }, (_, place) => make(index + place))
  await records.add(batch)
  if (batch[0] !== undefined) kept.push(batch[0])
}
const fillMs = performance.now() - began
const megabytes = statSync(path).size / 1e6
process.stdout.write(
  `${RECORDS} records in ${(fillMs / 1000).toFixed(0)} s, ${((fillMs * 1000) / RECORDS).toFixed(0)} µs each; the file has ${megabytes.toFixed(0)} MB\n`,
)

const known = kept[Math.floor(kept.length / 2)] ?? kept[0]
if (known === undefined) throw new Error('there are no records')
const anyPerson = kept.findLast((record) => record.principalId !== HEAVY_KEY)?.principalId ?? ''
const DAY = 86_400_000

const FILTERS: readonly (readonly [string, RecordsFilter])[] = [
  ['everything', {}],
  ['turn', { recordId: idOf(known) }],
  ['request', { requestId: known.requestId ?? '' }],
  ['user', { principalId: anyPerson }],
  ['user with a third of all', { principalId: HEAVY_KEY }],
  ['session', { sessionId: known.sessionId }],
  ['model', { model: 'anthropic.claude-haiku' }],
  ['tier', { tier: 'cached' }],
  ['reason', { reason: 'circuit-open' }],
  ['outcome', { outcome: 'timeout' }],
  ['refused', { outcome: 'refused' }],
  ['refused by one limit', { outcome: 'QUOTA_EXCEEDED' }],
  ['cost at least', { costMicroUsdMin: 20_000 }],
  ['cost at least, odd number', { costMicroUsdMin: 14_321 }],
  ['cost at most', { costMicroUsdMax: 100 }],
  ['slow', { totalMsMin: 20_000 }],
  ['slow, odd number', { totalMsMin: 13_579 }],
  ['degraded', { isDegraded: true }],
  ['thumb', { feedback: 'down' }],
  ['experiment', { experiment: 'prompt' }],
  ['kind', { kind: 'completion' }],
  ['door', { door: 'rest' }],
  ['a day', { from: from + 12 * DAY, to: from + 13 * DAY }],
  ['model, degraded, slow', { model: 'anthropic.claude-haiku', isDegraded: true, totalMsMin: 5000 }],
  ['tier, outcome, cost', { tier: 'primary', outcome: 'interrupted', costMicroUsdMin: 10_000 }],
  ['nothing matches', { tier: 'cached', model: 'anthropic.claude-sonnet' }],
  ['nothing matches, by cost', { tier: 'embedded', costMicroUsdMin: 1 }],
  ['heavy user, rare outcome', { principalId: HEAVY_KEY, outcome: 'timeout', isDegraded: true }],
  ['heavy user, nothing matches', { principalId: HEAVY_KEY, door: 'rest' }],
  ['heavy user, thumb', { principalId: HEAVY_KEY, feedback: 'up' }],
  ['experiment, rare outcome', { experiment: 'prompt', outcome: 'timeout', isDegraded: true }],
  ['thumb, experiment', { feedback: 'down', experiment: 'prompt' }],
  ['a day, slow, degraded', { from: from + 10 * DAY, to: from + 11 * DAY, totalMsMin: 2000, isDegraded: true }],
]

let written = 0
const writeMs: number[] = []
const makeNew = recordMaker({ from: clock.now(), of: RECORDS, seed: 'new' })
const writer = setInterval(() => {
  const count = Math.round((TURNS_PER_SECOND * WRITE_EVERY_MS) / 1000)
  const batch = Array.from({ length: count }, (_, index) => ({ ...makeNew(written + index), at: clock.now() }))
  written += count
  const started = performance.now()
  void records.add(batch).then(() => writeMs.push(performance.now() - started))
}, WRITE_EVERY_MS)

const places: readonly (readonly [string, RecordPosition | undefined])[] = [
  ['first', undefined],
  ['middle', { at: from + MONTH_MS / 2, turnId: '' }],
  ['last', { at: from + MONTH_MS / 500, turnId: '' }],
]

const pauses = monitorEventLoopDelay({ resolution: 1 })
pauses.enable()
const all: number[] = []
process.stdout.write('\nfilter                          page     rows    p50      p95      p99 ms\n')
for (const [name, filter] of FILTERS) {
  for (const [place, after] of places) {
    const times: number[] = []
    let rows = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const started = performance.now()
      const page = await records.list(filter, PAGE, after)
      times.push(performance.now() - started)
      rows = page.records.length
      // As a request would: what waits runs first.
      await new Promise((resolve) => setImmediate(resolve))
    }
    all.push(...times)
    const figures = [0.5, 0.95, 0.99].map((share) => quantile(times, share).toFixed(1).padStart(8))
    process.stdout.write(`${name.padEnd(31)} ${place.padEnd(7)} ${String(rows).padStart(5)} ${figures.join(' ')}\n`)
  }
}
pauses.disable()
clearInterval(writer)
process.stdout.write(`
every list: p50 ${quantile(all, 0.5).toFixed(1)} ms, p95 ${quantile(all, 0.95).toFixed(1)} ms, p99 ${quantile(all, 0.99).toFixed(1)} ms, longest ${Math.max(...all).toFixed(1)} ms
event loop: longest pause ${(pauses.max / 1e6).toFixed(1)} ms, p99 ${(pauses.percentile(99) / 1e6).toFixed(1)} ms
${written} turns were recorded meanwhile, ${TURNS_PER_SECOND} a second: a batch was durable after ${quantile(writeMs, 0.5).toFixed(1)} ms (p95 ${quantile(writeMs, 0.95).toFixed(1)} ms)
`)
database.close()
rmSync(folder, { recursive: true, force: true })

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
