// Makes an edition the one that is searched: its documents are written to an index of its own beside the one in use, counted, and
// the alias is moved in one call; the indexes of other editions are removed a round later. An index is named by the edition, so two
// nodes that write it at once write the same documents to the same places.
import type { Clock } from '#ports/clock/port.ts'
import { EngineFailure } from '#ports/search-engine/failure.ts'
import type { EngineEdition, IndexOutcome } from '#ports/search-engine/port.ts'
import type { CallLimit, OpenSearchClient } from '../client/client.ts'
import { writeDocuments } from './bulk.ts'
import { ENGINE_LAYOUT } from './template.ts'
import type { EngineNames } from './template.ts'

export interface IndexingParts {
  readonly client: OpenSearchClient
  readonly names: EngineNames
  readonly clock: Pick<Clock, 'after' | 'now'>
}

export type IndexEdition = (edition: EngineEdition, signal: AbortSignal) => Promise<IndexOutcome>

const CALL_MS = 10_000
/** Serverless shows what was written after up to a minute. */
const COUNT_MS = 120_000
const COUNT_EVERY_MS = 1000
/** An index whose documents have not become more for so long has lost its writer. */
const STALLED_MS = 60_000
/** Longer than any writer, or the node that continues its work, can need between two documents. */
const ABANDONED_MS = 600_000
/** Indexes that one remembers to have replaced. */
const SUPERSEDED_MAX = 50
const EXISTS = 'resource_already_exists_exception'

interface Meta {
  readonly superseded?: readonly string[]
}

export function indexer({ client, clock, names }: IndexingParts): IndexEdition {
  /** What another node had written when it was last seen. */
  let seen: { readonly index: string; readonly count: number; readonly at: number } | undefined
  let removable: ReadonlySet<string> = new Set()
  /** Indexes that are neither in use nor replaced: their documents, and since when they have this number. */
  let strays = new Map<string, { readonly count: number; readonly at: number }>()
  const remove = (limit: CallLimit, index: string) =>
    client.find(limit, (to, options) => to.indices.delete({ index }, options))

  return async (edition, signal) => {
    const limit: CallLimit = { ms: CALL_MS, signal }
    const index = names.indexOf(edition.name)
    const current = await currentIndexes(limit)
    if (current.includes(index)) {
      await removeOthers(limit, index)
      return 'current'
    }
    const meta = await metaOf(limit, current)
    if (!edition.isNew && meta.superseded?.includes(index) === true) return 'superseded'
    await requireTemplate(limit)
    const superseded = [...new Set([...current, ...(meta.superseded ?? [])])].filter((name) => name !== index)
    if (!(await claim(limit, index))) return 'elsewhere'
    await write(edition, index, signal)
    await remember(limit, index, { superseded: superseded.slice(0, SUPERSEDED_MAX) })
    await moveAlias(limit, current, index)
    return 'indexed'
  }

  async function currentIndexes(limit: CallLimit): Promise<readonly string[]> {
    const found = await client.find(limit, (to, options) => to.indices.getAlias({ name: names.alias }, options))
    return Object.keys(found ?? {})
  }

  async function metaOf(limit: CallLimit, [index]: readonly string[]): Promise<Meta> {
    if (index === undefined) return {}
    const found = await client.find(limit, (to, options) => to.indices.getMapping({ index }, options))
    return found?.[index]?.mappings._meta ?? {}
  }

  /** Without it OpenSearch would guess the fields. */
  async function requireTemplate(limit: CallLimit): Promise<void> {
    const name = names.template
    const found = await client.find(limit, (to, options) => to.indices.getIndexTemplate({ name }, options))
    if (found?.index_templates[0]?.index_template.version === ENGINE_LAYOUT) return requirePipeline(limit)
    const what = found === undefined ? 'is missing' : 'is of another version'
    throw new EngineFailure('refused', `the index template ${name} ${what}: run mangaassist setup --apply`)
  }

  /** Without it no hybrid query is answered. */
  async function requirePipeline(limit: CallLimit): Promise<void> {
    const id = names.pipeline
    const found = await client.find(limit, (to, options) => to.searchPipeline.get({ id }, options))
    if (found !== undefined) return
    throw new EngineFailure('refused', `the search pipeline ${id} is missing: run mangaassist setup --apply`)
  }

  /** Whether this node writes the index: it created it, or the node that did has stopped. */
  async function claim(limit: CallLimit, index: string): Promise<boolean> {
    try {
      await client.call(limit, (to, options) => to.indices.create({ index }, options))
      return true
    } catch (error) {
      if (!(error instanceof EngineFailure) || !error.message.endsWith(EXISTS)) throw error
    }
    const count = await countOf(limit, index)
    if (seen?.index !== index || seen.count !== count) {
      seen = { index, count, at: clock.now() }
      return false
    }
    if (clock.now() - seen.at < STALLED_MS) return false
    seen = undefined
    // Serverless collections assign ids of their own, so old documents would stay beside the new ones: remove the index
    // first.
    if (client.isServerless) {
      await remove(limit, index)
      return claim(limit, index)
    }
    return true
  }

  async function countOf(limit: CallLimit, index: string): Promise<number> {
    if (!client.isServerless) await client.call(limit, (to, options) => to.indices.refresh({ index }, options))
    return (await client.call(limit, (to, options) => to.count({ index }, options))).count
  }

  async function write(edition: EngineEdition, index: string, signal: AbortSignal): Promise<void> {
    const limit: CallLimit = { ms: CALL_MS, signal }
    try {
      const written = await writeDocuments({ client, clock, signal }, index, edition.documents())
      if (written !== edition.size)
        throw new EngineFailure('refused', `the edition has ${edition.size} products, and ${written} were written`)
      await verify(limit, index, written)
    } catch (error) {
      await removeBroken(limit, index).catch(() => {})
      throw error
    }
  }

  /** An index that is not whole must not be continued by guess. Another node may have completed it meanwhile. */
  async function removeBroken(limit: CallLimit, index: string): Promise<void> {
    if ((await currentIndexes(limit)).includes(index)) return
    await remove(limit, index)
  }

  async function verify(limit: CallLimit, index: string, expected: number): Promise<void> {
    const until = clock.now() + (client.isServerless ? COUNT_MS : 0)
    for (;;) {
      const count = await countOf(limit, index)
      if (count === expected) return
      if (clock.now() >= until)
        throw new EngineFailure('refused', `the index has ${count} documents of ${expected} that were written`)
      await new Promise<void>((resolve) => void clock.after(COUNT_EVERY_MS, resolve))
      limit.signal.throwIfAborted()
    }
  }

  /** So that a node with an edition before this one does not put it back. */
  async function remember(limit: CallLimit, index: string, meta: Meta): Promise<void> {
    await client.call(limit, (to, options) => to.indices.putMapping({ index, body: { _meta: meta } }, options))
  }

  async function moveAlias(limit: CallLimit, current: readonly string[], index: string): Promise<void> {
    const { alias } = names
    const actions = [
      ...current.map((other) => ({ remove: { index: other, alias, must_exist: false } })),
      { add: { index, alias } },
    ]
    await client.call(limit, (to, options) => to.indices.updateAliases({ body: { actions } }, options))
  }

  /** Removes the indexes that were already not in use a round ago: a search may still read the one before. */
  async function removeOthers(limit: CallLimit, index: string): Promise<void> {
    const pattern = `${names.alias}-v*`
    const all = await client.find(limit, (to, options) => to.indices.getMapping({ index: pattern }, options))
    const meta: Meta | undefined = all?.[index]?.mappings._meta
    const isReplaced = (other: string) => meta?.superseded?.includes(other) === true
    const others = Object.keys(all ?? {}).filter((other) => other !== index)
    for (const other of others.filter((name) => isReplaced(name) && removable.has(name))) await remove(limit, other)
    removable = new Set(others.filter(isReplaced))
    await removeAbandoned(
      limit,
      others.filter((other) => !isReplaced(other)),
    )
  }

  /** An index that none has replaced is the next edition, which another node writes now, or an edition that no node has any more. */
  async function removeAbandoned(limit: CallLimit, indexes: readonly string[]): Promise<void> {
    const before = strays
    strays = new Map()
    for (const index of indexes) {
      // Another node may have removed it already.
      const count = (await client.find(limit, (to, options) => to.count({ index }, options)))?.count
      if (count === undefined) continue
      const known = before.get(index)
      const stray = known?.count === count ? known : { count, at: clock.now() }
      if (clock.now() - stray.at >= ABANDONED_MS) await remove(limit, index)
      else strays.set(index, stray)
    }
  }
}
