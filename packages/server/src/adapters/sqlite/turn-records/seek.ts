// Finds the ids of the records that match a filter, newest first. It reads the index of the narrowest filter in chunks, so that other
// work runs in between; for filters about traits alone, it merges the lists of the traits that match, so that it reads about as many
// entries as it returns. Statements are built from names of columns only, never from values.
import { compareRecords } from '#domain/turn-records/records-filter.ts'
import { Heap } from '#lib/collections/heap.ts'
import type { RecordPosition, RecordsFilter } from '#ports/turn-records/port.ts'
import type { Database } from '../files/database.ts'
import type { TraitsAsked, TraitsBook } from './traits-book.ts'

export interface SeekParts {
  readonly sql: Database['statement']
  readonly book: TraitsBook
  /** Lets other work run. */
  readonly pause: () => Promise<void>
}

export interface Sought {
  readonly filter: RecordsFilter
  readonly limit: number
  readonly after: RecordPosition | undefined
  readonly turnsOnly: boolean
}

/** How many entries of an index one statement passes over: some milliseconds. */
const CHUNK = 20_000
/** Fewer lists than this are merged at once; before more of them, one chunk is read in order, which mostly fills the page. */
const LISTS_FEW = 64
const LISTS_AT_ONCE = 500
/** Fewer records with the traits than this are looked at one by one. */
const RARE_MAX = 5000
/** How many entries of one list are read at a time. */
const LIST_ENTRIES = 32
const FIRST: RecordPosition = { at: Number.MAX_SAFE_INTEGER, turnId: '' }

/** An index, and the filter that it is for. */
interface Source {
  readonly from: string
  readonly equals: readonly [column: string, value: string][]
}

interface Range {
  readonly from: number
  readonly below: RecordPosition
}

type Row = Record<string, unknown>

export function createSeek({ book, pause, sql }: SeekParts) {
  /** The position of the last entry of a chunk; undefined when the rest is shorter. */
  function chunkEnd({ equals, from }: Source, range: Range): RecordPosition | undefined {
    const where = [...equals.map(([column]) => `${column} = ?`), 'at >= ?', '(at, turn_id) < (?, ?)'].join(' AND ')
    const select = `SELECT at, turn_id FROM ${from} WHERE ${where} ORDER BY at DESC, turn_id DESC LIMIT 1 OFFSET ?`
    const values = equals.map(([, value]) => value)
    return positionIn(sql(select).get(...values, range.from, range.below.at, range.below.turnId, CHUNK - 1))
  }

  /** The matching positions between two positions. */
  function within(
    source: Source,
    sought: Sought & { readonly traits: TraitsAsked | undefined },
    range: Range & { readonly downTo: RecordPosition },
  ) {
    const { filter, limit, traits } = sought
    const rest = restOf(filter, source)
    const where = [
      ...source.equals.map(([column]) => `${column} = ?`),
      '(at, turn_id) >= (?, ?)',
      '(at, turn_id) < (?, ?)',
      ...FIGURES,
      ...rest.map(([condition]) => condition),
      ...(traits === undefined
        ? []
        : [`traits ${traits.are === 'in' ? 'IN' : 'NOT IN'} (SELECT value FROM json_each(?))`]),
    ].join(' AND ')
    const select = `SELECT at, turn_id FROM ${source.from} WHERE ${where} ORDER BY at DESC, turn_id DESC LIMIT ?`
    const { below, downTo } = range
    const rows = sql(select).all(
      ...source.equals.map(([, value]) => value),
      downTo.at,
      downTo.turnId,
      below.at,
      below.turnId,
      ...figuresOf(filter),
      ...rest.map(([, value]) => value),
      ...(traits === undefined ? [] : [JSON.stringify(traits.numbers)]),
      limit,
    )
    return rows.flatMap((row) => positionIn(row) ?? [])
  }

  /** Reads chunks until the page is full; `chunksMax` of them at most. Returns where it stopped, or nothing at the end. */
  async function inChunks(
    source: Source,
    sought: Sought & { readonly traits: TraitsAsked | undefined },
    { chunksMax, found, ...given }: { readonly chunksMax: number; readonly found: RecordPosition[]; range: Range },
  ): Promise<Range | undefined> {
    let { below } = given.range
    const { from } = given.range
    for (let chunks = 1; ; chunks += 1) {
      const end = chunkEnd(source, { from, below })
      const downTo = end ?? { at: from, turnId: '' }
      found.push(...within(source, { ...sought, limit: sought.limit - found.length }, { from, below, downTo }))
      if (end === undefined || found.length >= sought.limit) return undefined
      below = end
      if (chunks >= chunksMax) return { from, below }
      await pause()
    }
  }

  /** Whether few records have one of these traits. */
  function areRare(numbers: readonly number[], { below, from }: Range): boolean {
    const where = 'traits IN (SELECT value FROM json_each(?)) AND at >= ? AND (at, turn_id) < (?, ?)'
    const some = `SELECT 1 FROM turn_records INDEXED BY turn_records_by_traits WHERE ${where} LIMIT ?`
    const given = [JSON.stringify(numbers), from, below.at, below.turnId, RARE_MAX]
    return Number(sql(`SELECT count(*) AS rows FROM (${some})`).get(...given)?.['rows']) < RARE_MAX
  }

  /** The newest of several lists, each of records with the same traits. */
  async function merged(numbers: readonly number[], sought: Sought, range: Range): Promise<readonly RecordPosition[]> {
    const rest = restOf(sought.filter, { equals: [] })
    const conditions = ['traits = ?', 'at >= ?', '(at, turn_id) < (?, ?)', ...FIGURES]
    const where = [...conditions, ...rest.map(([condition]) => condition)].join(' AND ')
    const from = 'turn_records INDEXED BY turn_records_by_traits'
    const select = `SELECT at, turn_id FROM ${from} WHERE ${where} ORDER BY at DESC, turn_id DESC LIMIT ?`
    const read = (number: number, below: RecordPosition, limit: number): List => {
      const figures = [number, range.from, below.at, below.turnId, ...figuresOf(sought.filter)]
      const given = [...figures, ...rest.map(([, value]) => value), limit]
      const entries = sql(select)
        .all(...given)
        .flatMap((row) => positionIn(row) ?? [])
      return { number, entries, next: 0, isLast: entries.length < limit }
    }
    const heads = new Heap<List>((a, b) => compareRecords(headOf(a), headOf(b)) < 0)
    for (const [index, number] of numbers.entries()) {
      if (index % LISTS_AT_ONCE === LISTS_AT_ONCE - 1) await pause()
      const list = read(number, range.below, 1)
      if (list.entries.length > 0) heads.push({ ...list, isLast: false })
    }
    const found: RecordPosition[] = []
    for (let list = heads.pop(); list !== undefined && found.length < sought.limit; list = heads.pop()) {
      const head = headOf(list)
      found.push(head)
      const rest = list.next + 1 < list.entries.length ? { ...list, next: list.next + 1 } : undefined
      const more = rest ?? (list.isLast ? undefined : read(list.number, head, LIST_ENTRIES))
      if (more !== undefined && more.entries.length > 0) heads.push(more)
    }
    return found
  }

  /** Positions of what matches, newest first. */
  return async function seek(sought: Sought): Promise<readonly RecordPosition[]> {
    const traits = book.asked(sought.filter, sought.turnsOnly)
    if (traits?.are === 'in' && traits.numbers.length === 0) return []
    const source = sourceOf(sought.filter)
    const [range, found] = [rangeOf(sought), [] as RecordPosition[]]
    if (traits === undefined) {
      await inChunks(source, { ...sought, traits }, { chunksMax: Infinity, found, range })
      return found
    }
    const isByTraits = source.equals.length === 0
    const numbers = book.numbersOf(traits)
    if (isByTraits && numbers.length <= LISTS_FEW) return merged(numbers, sought, range)
    const left = await inChunks(source, { ...sought, traits }, { chunksMax: 1, found, range })
    if (left === undefined) return found
    if (isByTraits || areRare(numbers, left))
      return [...found, ...(await merged(numbers, { ...sought, limit: sought.limit - found.length }, left))]
    await inChunks(source, { ...sought, traits }, { chunksMax: Infinity, found, range: left })
    return found
  }
}

/** What is left of the newest records with the same traits. */
interface List {
  readonly number: number
  readonly entries: readonly RecordPosition[]
  readonly next: number
  readonly isLast: boolean
}

function headOf({ entries, next }: List): RecordPosition {
  return entries[next] ?? FIRST
}

const FIGURES = ['cost >= ?', 'cost <= ?', 'total_ms >= ?']

function figuresOf({ costMicroUsdMax, costMicroUsdMin = 0, totalMsMin = 0 }: RecordsFilter): readonly number[] {
  return [costMicroUsdMin, costMicroUsdMax ?? Number.MAX_SAFE_INTEGER, totalMsMin]
}

function rangeOf({ after = FIRST, filter: { from = 0, to } }: Sought): Range {
  const end = to === undefined ? FIRST : { at: to, turnId: '' }
  return { from, below: compareRecords(after, end) > 0 ? after : end }
}

/** The index of the narrowest filter. Thumbs are fewer than the records of a caller with many. */
function sourceOf(filter: RecordsFilter): Source {
  const { experiment, feedback, principalId, recordId, requestId, sessionId } = filter
  const records = (index: string) => `turn_records INDEXED BY turn_records_${index}`
  if (recordId !== undefined) return { from: 'turn_records', equals: [['turn_id', recordId]] }
  if (requestId !== undefined) return { from: records('of_request'), equals: [['request_id', requestId]] }
  if (sessionId !== undefined) return { from: records('of_session'), equals: [['session_id', sessionId]] }
  if (feedback !== undefined) return { from: records('by_feedback'), equals: [['feedback', feedback]] }
  if (principalId !== undefined) return { from: records('of_principal'), equals: [['principal_id', principalId]] }
  if (experiment !== undefined) return { from: 'turn_record_exposures', equals: [['experiment', experiment]] }
  return { from: records('in_order'), equals: [] }
}

/** The conditions that the index does not decide, for the few records that it names. */
function restOf(
  filter: RecordsFilter,
  { equals }: Pick<Source, 'equals'>,
): readonly (readonly [condition: string, value: string])[] {
  const { experiment, feedback, principalId, requestId, sessionId } = filter
  const columns = { session_id: sessionId, principal_id: principalId, request_id: requestId, feedback } as const
  const taken = new Set(equals.map(([column]) => column))
  const exposed = `EXISTS (SELECT 1 FROM turn_record_exposures AS exposures
    WHERE experiment = ? AND exposures.at = turn_records.at AND exposures.turn_id = turn_records.turn_id)`
  return [
    ...Object.entries(columns).flatMap(([column, value]) =>
      value === undefined || taken.has(column) ? [] : [[`${column} = ?`, value] as const],
    ),
    ...(experiment === undefined || taken.has('experiment') ? [] : [[exposed, experiment] as const]),
  ]
}

function positionIn(row: Row | undefined): RecordPosition | undefined {
  return row === undefined ? undefined : { at: Number(row['at']), turnId: String(row['turn_id']) }
}
