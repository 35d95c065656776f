// The offer of a product in the table, in its last two revisions. A change of many offers writes each item, then makes its revision the
// current one in a single step: a reader takes the newest revision that is current, so that it sees all of the change or nothing.
import type { ProductOffer } from '@mangaassist/bookseller/catalogue/offer'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { CurrentEdition } from './pointer.ts'
import { offerKey } from './table.ts'
import type { TableItemKey } from './table.ts'

/** What is read is no longer there: the current edition is another. */
export class EditionReplaced extends StoreUnavailable {
  constructor(message: string) {
    super(message, { mayHaveHappened: false })
  }
}

export interface OfferItem extends TableItemKey {
  /** The digest of the product's facts. */
  readonly facts: string
  readonly revision: number
  readonly offer: string
  readonly before?: OfferBefore
}

interface OfferBefore {
  readonly revision: number
  readonly offer: string
}

export function firstOffer(
  edition: string,
  id: string,
  made: { readonly facts: string; readonly offer: ProductOffer },
) {
  return { ...offerKey(edition, id), facts: made.facts, revision: 0, offer: JSON.stringify(made.offer) }
}

/** The item with a further revision. What no reader may see is dropped. */
export function revised(
  item: OfferItem,
  at: CurrentEdition,
  next: { revision: number; offer: ProductOffer },
): OfferItem {
  const { offer, revision } = seenRevision(item, at)
  return { ...item, revision: next.revision, offer: JSON.stringify(next.offer), before: { revision, offer } }
}

export function seenOffer(item: OfferItem, at: CurrentEdition): ProductOffer {
  return JSON.parse(seenRevision(item, at).offer) as ProductOffer
}

function seenRevision(item: OfferItem, { abandoned, offers }: CurrentEdition): OfferBefore {
  const revisions = item.before === undefined ? [item] : [item, item.before]
  const seen = revisions.find(({ revision }) => revision <= offers && !abandoned.includes(revision))
  if (seen === undefined) throw new EditionReplaced('the catalogue changed twice while it was read')
  return seen
}
