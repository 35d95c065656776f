// All groups of a ledger, page by page, with the values of a group by the name of its part.
import type { LedgerFilter, LedgerPart, LedgerTotals } from '#domain/ledger/ledger-row.ts'
import type { Ledger } from './port.ts'

const PAGE_GROUPS = 1000

export async function* eachGroup(
  ledger: Pick<Ledger, 'groups'>,
  filter: LedgerFilter,
  by: readonly LedgerPart[],
): AsyncGenerator<LedgerTotals & { readonly key: Readonly<Partial<Record<LedgerPart, string>>> }> {
  let after: readonly string[] | undefined
  for (;;) {
    const page = await ledger.groups(filter, { by, limit: PAGE_GROUPS, ...(after === undefined ? {} : { after }) })
    for (const { key, totals } of page) {
      yield { key: Object.fromEntries(by.map((part, index) => [part, key[index] ?? ''])), ...totals }
    }
    after = page.at(-1)?.key
    if (page.length < PAGE_GROUPS) return
  }
}
