// The one item that says which edition is current, which revision of its offers, and who is writing the next one. Every change of the
// catalogue takes effect by a conditional write of it.
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb'
import { digestOf, editionDigests } from '#domain/catalogue/digests.ts'
import { StoreUnavailable } from '#domain/store-unavailable.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Edition } from '#ports/product-store/port.ts'
import type { Random } from '#ports/random/port.ts'
import type { Dynamo } from '../client/dynamo.ts'
import { dynamoFailureOf } from '../client/failure.ts'
import { POINTER_KEY } from './table.ts'

export interface ProductTable {
  readonly dynamo: Dynamo
  readonly clock: Clock
  readonly random: Random
  /** Its full name. */
  readonly table: string
}

export interface Pointer {
  /** The number of writes of this item. */
  readonly stamp: number
  /** The edition that is being written, if any. */
  readonly next?: string | undefined
  /** Absent before the first edition was published. */
  readonly current?: CurrentEdition
}

export interface CurrentEdition {
  /** Names its partitions. */
  readonly key: string
  readonly version: number
  /** The revision of its offers. */
  readonly offers: number
  /** The highest revision that anyone has begun to write. */
  readonly offersBegun: number
  /** Revisions that were begun and never took effect. */
  readonly abandoned: readonly number[]
  readonly writing?: Writing | undefined
  readonly source: string
  readonly count: number
  readonly productsDigest: string
  readonly offersDigest: string
  readonly faq?: FaqPlace | undefined
}

/** Who changes the offers, and until when no other writer may begin to. */
export interface Writing {
  readonly by: string
  readonly revision: number
  readonly until: number
}

export interface FaqPlace {
  readonly key: string
  readonly parts: number
  readonly digest: string
}

/** Writes of other items that take effect together with the pointer. */
export type Alongside = NonNullable<TransactWriteCommandInput['TransactItems']>

/** What a writer wants, given the pointer as it is. */
export type PointerMove<Result> =
  /** It has taken effect already: by an earlier try whose reply was lost. */
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'wait'; readonly ms: number }
  | {
      readonly kind: 'move'
      readonly to: Omit<Pointer, 'stamp'>
      readonly alongside?: Alongside
      readonly result: Result
    }

/** Storms of writers are spread by pauses, so that each gets its turn. */
const TRIES_MAX = 200
const UNANSWERED_MAX = 3
/** The most that a writer waits for others: several leases of writers that died, or one large import. */
const WAIT_MAX_MS = 60_000
const PAUSE_MS = 20

export async function readPointer({ dynamo, table }: Pick<ProductTable, 'dynamo' | 'table'>): Promise<Pointer> {
  const { Item: item } = await dynamo.get({ TableName: table, Key: { ...POINTER_KEY }, ConsistentRead: true })
  if (item === undefined) return { stamp: 0 }
  const { current, next, stamp } = item as unknown as Pointer
  return { stamp, next, ...(current === undefined ? {} : { current }) }
}

/** Moves the pointer as `decide` says, again whenever another writer moved it first. `decide` may throw to give up. */
export async function movePointer<Result>(
  parts: ProductTable,
  decide: (pointer: Pointer) => PointerMove<Result>,
): Promise<Result> {
  const { clock, random } = parts
  const began = clock.now()
  let unanswered = 0
  for (let tries = 1; tries <= TRIES_MAX;) {
    const pointer = await readPointer(parts)
    const move = decide(pointer)
    if (move.kind === 'done') return move.result
    if (move.kind === 'wait') {
      if (clock.now() - began > WAIT_MAX_MS) break
      await clock.sleep(move.ms * (0.5 + random.float()))
      continue
    }
    tries += 1
    try {
      await writePointer(parts, pointer, move)
      return move.result
    } catch (error) {
      // It may have taken effect: then the next reading shows it.
      if (error instanceof StoreUnavailable && error.mayHaveHappened && (unanswered += 1) < UNANSWERED_MAX) continue
      if (error instanceof StoreUnavailable || dynamoFailureOf(error).kind !== 'condition') throw error
      await clock.sleep(PAUSE_MS * (0.5 + random.float()))
    }
  }
  throw new StoreUnavailable('others kept changing the catalogue', { mayHaveHappened: false })
}

async function writePointer(
  { dynamo, table }: ProductTable,
  { stamp }: Pointer,
  { alongside = [], to }: Pick<Extract<PointerMove<unknown>, { kind: 'move' }>, 'to' | 'alongside'>,
): Promise<void> {
  const put = {
    TableName: table,
    Item: { ...POINTER_KEY, ...to, stamp: stamp + 1 },
    ...(stamp === 0
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : { ConditionExpression: 'stamp = :seen', ExpressionAttributeValues: { ':seen': stamp } }),
  }
  if (alongside.length === 0) await dynamo.put(put)
  else await dynamo.transactWrite({ TransactItems: [{ Put: put }, ...alongside] })
}

export function editionOf({ faq, offers, offersDigest, productsDigest, source, version }: CurrentEdition): Edition {
  const faqDigest = faq?.digest ?? digestOf(null)
  return { version, offers, source, ...editionDigests({ productsDigest, offersDigest, faqDigest }) }
}
