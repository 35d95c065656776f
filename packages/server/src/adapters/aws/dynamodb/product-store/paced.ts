// Writes of many items at a pace that a new table bears, so that an import throttles neither itself nor the turns of its node.
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import { putItems } from '../client/batches.ts'
import type { Item } from '../client/batches.ts'
import type { ProductTable } from './pointer.ts'

/** A new table takes 4,000 units a second when it is paid by request. */
const UNITS_PER_SECOND = 2500
const UNIT_BYTES = 1024
const ITEMS_AT_ONCE = 25
const TRIES_MAX = 4
const REPEAT_FIRST_MS = 100

export async function writePaced(parts: ProductTable, items: readonly Item[]): Promise<void> {
  for (let from = 0; from < items.length; from += ITEMS_AT_ONCE) {
    const some = items.slice(from, from + ITEMS_AT_ONCE)
    const at = parts.clock.now()
    await putPatiently(parts, some)
    await restAfter(parts, at, some)
  }
}

/** The same items may be put again, whether or not they were before: an import need not fail by one lost reply. */
async function putPatiently(parts: ProductTable, items: readonly Item[]): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await putItems(parts, items)
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || tries === TRIES_MAX) throw error
      await parts.clock.sleep(REPEAT_FIRST_MS * 2 ** tries)
    }
  }
}

/** Waits until these items, of which writing began at `at`, are within the pace. */
export async function restAfter({ clock }: ProductTable, at: number, items: readonly Item[]): Promise<void> {
  const units = items.reduce((sum, item) => sum + unitsOf(item), 0)
  const left = (units * 1000) / UNITS_PER_SECOND - (clock.now() - at)
  if (left > 1) await clock.sleep(left)
}

function unitsOf(item: Item): number {
  const bytes = Object.values(item).reduce<number>((sum, value) => sum + sizeOf(value), 0)
  return Math.ceil(bytes / UNIT_BYTES)
}

function sizeOf(value: unknown): number {
  if (value instanceof Uint8Array) return value.length
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value ?? ''))
}
