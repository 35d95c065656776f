// The turns of a conversation, each in an item of its own, a very long one in several. A turn is written once and never changed, so an
// inexpensive read that may be late suffices if it finds every turn that the head promises; otherwise it is repeated as a consistent one.
import type { StoredTurn } from '#ports/session-store/port.ts'
import { getItems } from '../client/batches.ts'
import type { Item } from '../client/batches.ts'
import { queryItems } from '../client/query-pages.ts'
import type { Head, SessionTable } from './heads.ts'
import { conversationOf, partKey, storedTurnKey } from './table.ts'
import { packed, unpacked } from './turn-body.ts'
import type { Body } from './turn-body.ts'
import type { TurnCache } from './turn-cache.ts'

interface Range {
  readonly from: number
  readonly to: number
}

export class Turns {
  readonly #table: SessionTable
  readonly #cache: TurnCache

  constructor(table: SessionTable, cache: TurnCache) {
    this.#table = table
    this.#cache = cache
  }

  /** The newest `limit` turns, oldest first, and whether they are all: the conversation may be removed meanwhile. */
  async newest(
    head: Head,
    limit: number,
  ): Promise<{ readonly turns: readonly StoredTurn[]; readonly isWhole: boolean }> {
    const wanted = { from: Math.max(1, head.version - limit + 1), to: head.version }
    const versions = Array.from({ length: wanted.to - wanted.from + 1 }, (_, index) => wanted.from + index)
    const turns = new Map(versions.flatMap((version) => pairOf(version, this.#cache.turn(head, version))))
    for (const consistent of [false, true]) {
      const missing = versions.filter((version) => !turns.has(version))
      const [first, last] = [missing[0], missing.at(-1)]
      if (first === undefined || last === undefined) break
      for (const [version, turn] of await this.#read(head, { from: first, to: last }, consistent))
        turns.set(version, turn)
    }
    this.#cache.keep(head, turns)
    const found = versions.flatMap((version) => turns.get(version) ?? [])
    return { turns: found, isWhole: found.length === versions.length }
  }

  /** The items of the turn at the version. */
  async itemsOf(head: Head, version: number, turn: StoredTurn): Promise<readonly Item[]> {
    const [body, ...rest] = await packed(JSON.stringify(turn))
    const parts = rest.length === 0 ? {} : { parts: rest.length }
    return [
      { ...storedTurnKey(head, version), version, body, ...parts },
      ...rest.map((part, index) => ({ ...partKey(head, version, index), body: part })),
    ]
  }

  async #read(head: Head, { from, to }: Range, consistent: boolean): Promise<Map<number, StoredTurn>> {
    const { dynamo, table } = this.#table
    const range = { ':from': storedTurnKey(head, from).sk, ':to': storedTurnKey(head, to).sk }
    const where = '#pk = :pk AND #sk BETWEEN :from AND :to'
    const values = { ':pk': conversationOf(head.id), ...range }
    const items = await queryItems(dynamo, { table, where, values, consistent })
    const turns = await Promise.all(items.map((item) => this.#toTurn(head, item)))
    return new Map(turns.flatMap((turn, index) => pairOf(Number(items[index]?.['version']), turn)))
  }

  /** Undefined if a part is missing. */
  async #toTurn(head: Head, { body, parts = 0, version }: Item): Promise<StoredTurn | undefined> {
    const keys = Array.from({ length: Number(parts) }, (_, index) => partKey(head, Number(version), index))
    const items = await getItems(this.#table, keys, { consistent: true })
    const rest = keys.map(({ sk }) => items.find((item) => item['sk'] === sk)?.['body'] as Body | undefined)
    const bodies = [body as Body, ...rest]
    const whole = bodies.filter((part) => part !== undefined)
    return whole.length < bodies.length ? undefined : (JSON.parse(await unpacked(whole)) as StoredTurn)
  }
}

function pairOf(version: number, turn: StoredTurn | undefined): [number, StoredTurn][] {
  return turn === undefined ? [] : [[version, turn]]
}
