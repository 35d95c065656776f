// A list that is followed live: new records are put in front, each once, and the list stays bounded. Pure.

export interface Tail<Row> {
  readonly rows: readonly Row[]
  /** Where the next request continues; absent while nothing was recorded. */
  readonly newest?: string | undefined
}

interface TailParts<Row> {
  readonly idOf: (row: Row) => string
  readonly rowsMax: number
}

export function withNewer<Row>(tail: Tail<Row>, newer: Tail<Row>, { idOf, rowsMax }: TailParts<Row>): Tail<Row> {
  // The server repeats the last seconds, because nodes write behind their turns; the later version of a record counts.
  const repeated = new Set(newer.rows.map(idOf))
  return {
    rows: [...newer.rows, ...tail.rows.filter((row) => !repeated.has(idOf(row)))].slice(0, rowsMax),
    newest: newer.newest ?? tail.newest,
  }
}
