// Writes documents in bulk requests of a bounded size. Documents that OpenSearch refuses for the moment are sent again; one that it
// refuses for good ends the edition.
import { IN_NAME_WEIGHT } from '@mangaassist/bookseller/retrieval/term-index'
import { searchTerms } from '@mangaassist/bookseller/text/search-terms'
import type { Clock } from '#ports/clock/port.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { EngineDocument } from '#ports/search-engine/port.ts'
import type { OpenSearchClient } from '../client/client.ts'

export interface BulkParts {
  readonly client: OpenSearchClient
  readonly clock: Pick<Clock, 'after'>
  readonly signal: AbortSignal
}

const BULK_MS = 30_000
const BULK_DOCUMENTS = 100
const BULK_CHARACTERS = 1_000_000
const ATTEMPTS_MAX = 5
const PAUSE_MS = 500
const BYTE_SCALE = 127

type Line = { readonly id: string; readonly source: string }

/** Returns how many were written. A document whose answer was lost is sent again under the same id. */
export async function writeDocuments(
  parts: BulkParts,
  index: string,
  documents: AsyncIterable<EngineDocument>,
): Promise<number> {
  let written = 0
  let lines: Line[] = []
  let characters = 0
  const flush = async () => {
    if (lines.length > 0) await writeAll(parts, index, lines)
    written += lines.length
    lines = []
    characters = 0
  }
  for await (const document of documents) {
    parts.signal.throwIfAborted()
    const source = JSON.stringify(sourceOf(document))
    lines.push({ id: document.id, source })
    characters += source.length
    if (lines.length >= BULK_DOCUMENTS || characters >= BULK_CHARACTERS) await flush()
  }
  await flush()
  return written
}

function sourceOf({ age, fame, firstYear, id, keys, names, text, vector, volumes }: EngineDocument) {
  return {
    id,
    terms: termsOf(names, text),
    names,
    text,
    keys,
    volumes,
    ...(firstYear === undefined ? {} : { first_year: firstYear }),
    ...(age === undefined ? {} : { age }),
    fame,
    direction: Array.from(vector, (value) => value / BYTE_SCALE),
  }
}

/** A term of a name counts as often as the node's own index counts it. */
function termsOf(names: readonly string[], text: string): string {
  const ofNames = searchTerms(names.join('\n'))
  return [...Array.from({ length: IN_NAME_WEIGHT }, () => ofNames).flat(), ...searchTerms(text)].join(' ')
}

async function writeAll(parts: BulkParts, index: string, lines: readonly Line[]): Promise<void> {
  let left = lines
  for (let attempt = 1; left.length > 0; attempt += 1) {
    left = await attemptBulk(parts, index, left)
    if (left.length === 0) return
    if (attempt === ATTEMPTS_MAX)
      throw new EngineFailure('overload', `OpenSearch refused ${left.length} documents ${ATTEMPTS_MAX} times`)
    await pause(parts, PAUSE_MS * 2 ** (attempt - 1))
  }
}

/** Returns the documents that are to be sent again. */
async function attemptBulk({ client, signal }: BulkParts, index: string, lines: readonly Line[]): Promise<Line[]> {
  // A vector collection of Serverless accepts no ids of ours.
  const action = ({ id }: Line) => ({ index: { _index: index, ...(client.isServerless ? {} : { _id: id }) } })
  // The client sends each text as a line.
  const body = lines.flatMap((line) => [JSON.stringify(action(line)), line.source]) as unknown as object[]
  try {
    const { items } = await client.call({ ms: BULK_MS, signal }, (to, options) => to.bulk({ body }, options))
    return lines.filter((_, at) => isPostponed(Object.values(items[at] ?? {})[0]))
  } catch (error) {
    const isRetried = error instanceof EngineFailure && error.kind !== 'refused'
    // Without ids, documents that may have been written would be written twice.
    if (!isRetried || (client.isServerless && error.mayHaveHappened)) throw error
    return [...lines]
  }
}

interface BulkItem {
  readonly status?: number
  readonly error?: { readonly type?: string }
}

function isPostponed(item: BulkItem | undefined): boolean {
  const status = item?.status ?? 0
  if (status >= 200 && status < 300) return false
  if (status === 429 || status >= 500 || status === 0) return true
  const type = /^[a-z_]{1,80}$/u.exec(item?.error?.type ?? '')?.[0] ?? 'an error'
  throw new EngineFailure('refused', `OpenSearch refused a document: ${status} ${type}`, { status })
}

function pause({ clock, signal }: BulkParts, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(ms, resolve)
    signal.addEventListener('abort', () => (timer[Symbol.dispose](), reject(signal.reason)), { once: true })
  })
}
