// Follows the catalogue that other nodes change, too: the FAQ in memory, the search index and the announced edition follow the node's
// copy, whichever call changed that. An import on this node may have copied what another node imported a moment before.
import type { Ports } from './app-ports.ts'
import type { Round } from './upkeep.ts'

const FOLLOW_EVERY_MS = 2000

export function followRounds(
  { faq, live, products }: Pick<Ports, 'faq' | 'live' | 'products'>,
  published: () => Promise<void>,
): readonly Round[] {
  if (live === undefined) return []
  /** The edition that this process uses throughout. */
  let used: string | undefined
  const work = async () => {
    await live.follow()
    const digest = (await products.edition())?.digest
    if (digest === used) return
    const imported = await products.faq()
    if (imported !== undefined) faq.replace(imported)
    await published()
    used = digest
  }
  return [{ name: 'catalogue', everyMs: FOLLOW_EVERY_MS, work }]
}
