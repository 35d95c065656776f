// Changes offers of the current edition: each changed item is written with a further revision, then the pointer makes that revision
// the current one. One writer at a time; a writer that died leaves a revision that no reader uses.
import { changedOffer } from '@mangaassist/bookseller/catalogue/offer'
import type { OfferChange } from '@mangaassist/bookseller/catalogue/offer'
import { combined, offerDigest } from '#domain/catalogue/digests.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Edition, Published } from '#ports/product-store/port.ts'
import { getItems } from '../client/batches.ts'
import { dynamoFailureOf } from '../client/failure.ts'
import { revised, seenOffer } from './offer-item.ts'
import type { OfferItem } from './offer-item.ts'
import { restAfter } from './paced.ts'
import { endedParts, writeFaq } from './parts.ts'
import { editionOf, movePointer } from './pointer.ts'
import type { CurrentEdition, ProductTable } from './pointer.ts'
import { offerKey } from './table.ts'

const ITEMS_AT_ONCE = 25
const ITEM_TRIES_MAX = 4
/** Renewed while the writer writes: one that died delays the others by no more. */
const LEASE_MS = 10_000
const WAIT_MS = 100
/** Revisions of writers that died in one edition; a new edition begins without any. */
const ABANDONED_MAX = 100

export async function changeOffers(
  parts: ProductTable,
  changes: readonly OfferChange[],
  { faq, source }: Published,
): Promise<Edition> {
  const place = faq === undefined ? undefined : await writeFaq(parts, faq)
  const by = parts.random.id('change')
  const at = await beginWriting(parts, by)
  const progress = { hasWritten: false }
  try {
    const offersDigest = await writeChanges(parts, { ...at, progress }, changes)
    return await makeCurrent(parts, at, { offersDigest, source, faq: place })
  } catch (error) {
    // Others need not wait for the lease. If this fails too, they do.
    await giveUp(parts, by, progress.hasWritten).catch(() => {})
    throw error
  }
}

interface Begun {
  readonly by: string
  readonly revision: number
  /** As it is before the change. */
  readonly edition: CurrentEdition
  /** When the lease ends. */
  readonly until: number
}

interface Writer extends Begun {
  readonly progress: { hasWritten: boolean }
}

function beginWriting(parts: ProductTable, by: string): Promise<Begun> {
  return movePointer(parts, (pointer) => {
    const { current } = pointer
    if (current === undefined) throw new Error('there is no catalogue yet')
    const { writing } = current
    const now = parts.clock.now()
    if (writing?.by === by) return { kind: 'done', result: { ...writing, edition: current } }
    if (writing !== undefined && writing.until > now) return { kind: 'wait', ms: WAIT_MS }
    const revision = current.offersBegun + 1
    const abandoned = writing === undefined ? current.abandoned : [...current.abandoned, writing.revision]
    if (abandoned.length > ABANDONED_MAX)
      throw new Error('too many changes of prices and stock were interrupted: import the whole catalogue')
    const next = { by, revision, until: now + LEASE_MS }
    const edition = { ...current, offersBegun: revision, abandoned, writing: next }
    return { kind: 'move', to: { ...pointer, current: edition }, result: { ...next, edition } }
  })
}

/** Returns when the lease ends. */
function renewLease(parts: ProductTable, { by, edition }: Begun): Promise<number> {
  return movePointer(parts, (pointer) => {
    const { current } = pointer
    if (current?.key !== edition.key || current.writing?.by !== by)
      throw new Error('another import took the place of this one')
    const until = parts.clock.now() + LEASE_MS
    const renewed = { ...current, writing: { ...current.writing, until } }
    return { kind: 'move', to: { ...pointer, current: renewed }, result: until }
  })
}

/** Returns the digest of all offers after the changes. */
async function writeChanges(parts: ProductTable, begun: Writer, changes: readonly OfferChange[]): Promise<string> {
  const byId = [...Map.groupBy(changes, ({ id }) => id)]
  let digest = begun.edition.offersDigest
  let { until } = begun
  for (let from = 0; from < byId.length; from += ITEMS_AT_ONCE) {
    const some = new Map(byId.slice(from, from + ITEMS_AT_ONCE))
    const began = parts.clock.now()
    if (until - began < LEASE_MS / 2) until = await renewLease(parts, begun)
    const items = await readOffers(parts, begun.edition.key, [...some.keys()])
    const written = await Promise.all(
      items.map((first) => writeChange(parts, begun, { first, changes: some.get(first.sk) ?? [] })),
    )
    for (const { after, before } of written) digest = combined(combined(digest, before), after)
    await restAfter(parts, began, items.map((item) => ({ ...item }))) // prettier-ignore
  }
  return digest
}

async function readOffers(parts: ProductTable, edition: string, ids: readonly string[]): Promise<readonly OfferItem[]> {
  const keys = ids.map((id) => ({ ...offerKey(edition, id) }))
  return (await getItems(parts, keys, { consistent: true })) as unknown as readonly OfferItem[]
}

async function writeChange(
  parts: ProductTable,
  { edition, progress, revision }: Writer,
  { changes, first }: { readonly first: OfferItem; readonly changes: readonly OfferChange[] },
): Promise<{ readonly before: string; readonly after: string }> {
  let item: OfferItem = first
  for (let tries = 1; ; tries += 1) {
    // This writer was taken for dead: what it knows of the edition is out of date.
    if (item.revision > revision) throw new Error('another import took the place of this one')
    const before = seenOffer(item, edition)
    const offer = changes.reduce(changedOffer, before)
    const digests = { before: offerDigest(item.sk, before), after: offerDigest(item.sk, offer) }
    if (item.revision === revision) return digests
    progress.hasWritten = true
    try {
      await parts.dynamo.put({
        TableName: parts.table,
        Item: { ...revised(item, edition, { revision, offer }) },
        // A writer that was given up for dead may still be at it.
        ConditionExpression: 'revision = :seen',
        ExpressionAttributeValues: { ':seen': item.revision },
      })
      return digests
    } catch (error) {
      const isLost = error instanceof StoreUnavailable && error.mayHaveHappened
      if ((!isLost && dynamoFailureOf(error).kind !== 'condition') || tries === ITEM_TRIES_MAX) throw error
    }
    const [again] = await readOffers(parts, edition.key, [item.sk])
    if (again === undefined) throw new Error('another edition took the place of this one')
    item = again
  }
}

function makeCurrent(
  parts: ProductTable,
  { by, edition, revision }: Begun,
  { faq: imported, offersDigest, source }: Pick<CurrentEdition, 'offersDigest' | 'source' | 'faq'>,
): Promise<Edition> {
  return movePointer(parts, (pointer) => {
    const { current } = pointer
    // Revisions begin at 0 in each edition: in another one the same number is not this change.
    if (current?.key !== edition.key) throw new Error('another edition took the place of this one')
    if (current.writing === undefined && current.offers === revision)
      return { kind: 'done', result: editionOf(current) }
    if (current.writing?.by !== by) throw new Error('another import took the place of this one')
    const { writing: _, ...rest } = current
    const next = { ...rest, offers: revision, offersDigest, source, faq: imported ?? current.faq }
    const ended = endedParts(parts, [imported === undefined ? undefined : current.faq?.key])
    return { kind: 'move', to: { ...pointer, current: next }, alongside: ended, result: editionOf(next) }
  })
}

/** Ends the lease. A revision that no item has is forgotten: only so many may be abandoned in an edition. */
function giveUp(parts: ProductTable, by: string, hasWritten: boolean): Promise<void> {
  return movePointer(parts, (pointer) => {
    const { current } = pointer
    if (current?.writing?.by !== by) return { kind: 'done', result: undefined }
    const { writing, ...rest } = current
    const given = hasWritten ? { ...rest, abandoned: [...current.abandoned, writing.revision] } : rest
    return { kind: 'move', to: { ...pointer, current: given }, result: undefined }
  })
}
