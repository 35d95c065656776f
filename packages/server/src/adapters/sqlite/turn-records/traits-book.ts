// The traits that records have, each with a number: thousands at most, so they are held in memory. A filter about traits is answered
// from here as a set of numbers, and no record is read for it.
import { TRAIT_FILTERS, traitsMatch, traitsOf, UNKNOWN_CLASS } from '#domain/turn-records/record-traits.ts'
import type { RecordTraits } from '#domain/turn-records/record-traits.ts'
import type { RecordsFilter, StoredRecord } from '#ports/turn-records/port.ts'
import type { Database } from '../files/database.ts'

/** Above this number, new traits are written without the classes of cost and time. */
const TRAITS_MAX = 20_000

/** The numbers of the traits that match, or of those that do not, whichever are fewer; undefined when all match. */
export type TraitsAsked =
  | { readonly are: 'in'; readonly numbers: readonly number[] }
  | { readonly are: 'not in'; readonly numbers: readonly number[] }

export class TraitsBook {
  readonly #sql: Database['statement']
  readonly #numbers = new Map<string, number>()
  readonly #traits = new Map<number, RecordTraits>()
  #last = 0

  constructor(sql: Database['statement']) {
    this.#sql = sql
  }

  /** Only inside a write. When the write is undone, `forget` must be called. */
  numberOf(record: StoredRecord): number {
    const traits = traitsOf(record)
    const isFull = this.#numbers.size >= TRAITS_MAX
    const key = keyOf(isFull ? { ...traits, costFrom: UNKNOWN_CLASS, totalMsFrom: UNKNOWN_CLASS } : traits)
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    this.#sql('INSERT INTO turn_record_traits (traits) VALUES (?) ON CONFLICT DO NOTHING').run(key)
    this.#read()
    return this.#numbers.get(key) ?? 0
  }

  /** Which traits a filter means. */
  asked(filter: RecordsFilter, turnsOnly: boolean): TraitsAsked | undefined {
    const isAsked = TRAIT_FILTERS.some((field) => filter[field] !== undefined)
    if (!isAsked && !turnsOnly) return undefined
    this.#read()
    const [numbers, others]: [number[], number[]] = [[], []]
    for (const [number, traits] of this.#traits) {
      const matches = traitsMatch(traits, filter) !== 'none' && !(turnsOnly && traits.kind === 'refusal')
      const list = matches ? numbers : others
      list.push(number)
    }
    if (others.length === 0) return undefined
    return numbers.length <= others.length ? { are: 'in', numbers } : { are: 'not in', numbers: others }
  }

  /** All that match as numbers, for a merge of their lists. */
  numbersOf(asked: TraitsAsked): readonly number[] {
    if (asked.are === 'in') return asked.numbers
    const others = new Set(asked.numbers)
    return [...this.#traits.keys()].filter((number) => !others.has(number))
  }

  /** Removes the traits that no record has any more, when there are many. Only inside a write. */
  sweep(): void {
    if (this.#traits.size < TRAITS_MAX / 2) return
    const unused = 'NOT EXISTS (SELECT 1 FROM turn_records WHERE turn_records.traits = turn_record_traits.id)'
    this.#sql(`DELETE FROM turn_record_traits WHERE ${unused}`).run()
    this.forget()
  }

  forget(): void {
    this.#numbers.clear()
    this.#traits.clear()
    this.#last = 0
  }

  #read(): void {
    const rows = this.#sql('SELECT id, traits FROM turn_record_traits WHERE id > ? ORDER BY id').all(this.#last)
    for (const row of rows) {
      const [number, key] = [Number(row['id']), String(row['traits'])]
      this.#numbers.set(key, number)
      this.#traits.set(number, traitsIn(key))
      this.#last = number
    }
  }
}

/** In this order, which is that of the stored lists. */
function keyOf(traits: RecordTraits): string {
  const { costFrom, door, isDegraded, kind, model, outcome, reason, tier, totalMsFrom } = traits
  return JSON.stringify([kind, door, tier, model, outcome, reason, isDegraded ? 1 : 0, costFrom, totalMsFrom])
}

function traitsIn(key: string): RecordTraits {
  const [kind, door, tier, model, outcome, reason, isDegraded, costFrom, totalMsFrom] = JSON.parse(key) as [
    RecordTraits['kind'],
    string,
    string,
    string,
    string,
    string,
    number,
    number,
    number,
  ]
  return { kind, door, tier, model, outcome, reason, isDegraded: isDegraded === 1, costFrom, totalMsFrom }
}
