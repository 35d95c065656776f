// Records: values that have a home, a time and a few fields by which they are found. A kind of record is declared once (`src/stores`), and
// every technology stores every kind. What is read and written of one home is one step; what spans homes is steps that can be repeated.

export type FieldValue = string | number
export type Fields = Readonly<Record<string, FieldValue>>

/** What a technology stores of a value besides its fields, as JSON. */
export interface Codec<Value> {
  readonly pack: (value: Value) => unknown
  /** `fields` are those that the technology stores apart: in SQLite all, in Redis the home. */
  readonly unpack: (json: unknown, fields: Fields) => Value
}

export interface Kind<Value> {
  /** Its name, and its table in SQLite. */
  readonly name: string
  /** What values are found, filtered and ordered by; in SQLite each is a column, `sessionId` is `session_id`. */
  readonly fields: (value: Value) => Fields
  /** The field that identifies a value. */
  readonly id: string
  /** The field whose values are homes. Absent: all values have one home, whose name is empty. */
  readonly home?: string
  /** The field with the time, in milliseconds: lists have the newest first, then the highest id. */
  readonly time: string
  /** The fields that `list` and `change` can ask for, besides the id. */
  readonly indexes?: readonly string[]
  /** A field that no two values of a home have alike. */
  readonly unique?: string
  /** How long after its time a value is readable; later it is removed at the next occasion. */
  readonly keepMs: number
  /** `body` is the column of the JSON. */
  readonly sqlite: Codec<Value> & { readonly body: string }
  readonly redis: Codec<Value> & (RedisHash | RedisValue)
}

/** A hash of values by id, and sorted sets of ids by time. All keys of a home have its hash tag, and expire after its last change. */
export interface RedisHash {
  readonly records: (home: string) => string
  /** The sorted set of all values of a home. */
  readonly all: (home: string) => string
  /** The sorted set of the values with this value of an index. */
  readonly list?: (home: string, field: string, value: FieldValue) => string
  /** The hash of the ids by the unique field. */
  readonly unique?: (home: string) => string
}

/** A home has one value, which is a string. */
export interface RedisValue {
  readonly value: (home: string) => string
}

/** Which values are meant; without `by` all of the home. */
export interface Where {
  readonly by?: string
  readonly is?: FieldValue
  /** Only values after this time. */
  readonly since?: number
  /** Without the newest so many. */
  readonly skip?: number
}

/** The place of a value in a list. */
export interface Position {
  readonly at: number
  readonly id: string
}

export interface Page extends Where {
  readonly limit: number
  /** The last value of the page before. */
  readonly after?: Position | undefined
}

/** What a decision changes, and what its caller learns. */
export interface RecordChange<Value, Result> {
  /** Each replaces the value of its id that was read, or is new. */
  readonly put?: readonly Value[]
  /** Values that were read. */
  readonly remove?: readonly Value[]
  readonly result: Result
}

/** By its name, what each of the reads found: the newest first. */
export type Decide<Value, Reads, Result> = (
  found: { readonly [Name in keyof Reads]: readonly Value[] },
  now: number,
) => RecordChange<Value, Result>

export type Reads = Readonly<Record<string, Where>>

export interface Records<Value> {
  /** The newest first. */
  list(home: string, page: Page): Promise<readonly Value[]>
  /**
   * Reads, decides and writes in one step: nothing that was read has changed when the writes are made. `decide` is pure and may be called
   * again with what is stored then; `now` is the store's time. Durable when it resolves.
   */
  change<Given extends Reads, Result>(home: string, reads: Given, decide: Decide<Value, Given, Result>): Promise<Result>
  /** Removes at most so many values that are not readable any more, and returns how many; 0 where they expire by themselves. */
  sweep(limit: number): Promise<number>
}

/** What each of the reads finds; `place` is its place among them. */
export function readsOf<Value, Given extends Reads>(
  reads: Given,
  find: (where: Where, place: number) => readonly Value[],
): { readonly [Name in keyof Given]: readonly Value[] } {
  const found = Object.entries(reads).map(([name, where], place) => [name, find(where, place)])
  return Object.fromEntries(found) as { readonly [Name in keyof Given]: readonly Value[] }
}

export interface RecordStore {
  open<Value>(kind: Kind<Value>): Records<Value>
}

export function homeOf<Value>({ fields, home }: Kind<Value>, value: Value): string {
  return home === undefined ? '' : String(fields(value)[home])
}

export function positionOf<Value>({ fields, id, time }: Kind<Value>, value: Value): Position {
  const own = fields(value)
  return { at: Number(own[time]), id: String(own[id]) }
}

/** Newest first. */
export function comparePositions(a: Position, b: Position): number {
  return b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : 0)
}
