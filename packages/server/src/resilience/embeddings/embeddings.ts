// The meaning of texts by an embedder while the embedder may fail: vectors of the catalogue and the FAQ are made in the background and
// stored; a question that gets no vector in time, and an edition that is not embedded as a whole, leave it to the vectors of words.
import { matchPassages, wholeNumbers } from '@mangaassist/bookseller/retrieval/embedded-meaning'
import type { Calibration, PassageVectors } from '@mangaassist/bookseller/retrieval/embedded-meaning'
import type { FaqEntry, Product } from '@mangaassist/bookseller/catalogue/catalogue'
import type { Shelf } from '@mangaassist/bookseller/retrieval/shelf'
import type { NodeLane } from '#domain/lane/node-lane.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Embeddings } from '#ports/embedder/embeddings.ts'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { VectorStore } from '#ports/vector-store/port.ts'
import { calibrate } from './calibrate.ts'
import { faqDocumentId, faqTexts, isFaqDocument, seriesTexts, vectorDocument } from './documents.ts'
import type { DocumentTexts } from './documents.ts'
import { asBytes, CIRCUIT_OPEN, embedTexts, reasonOf } from './embed-texts.ts'
import { embeddedShelf } from './embedded-shelf.ts'
import type { EmbeddedShelf } from './embedded-shelf.ts'
import type { GuardedEmbedder } from './guarded-embedder.ts'
import { questionVectors } from './question-vectors.ts'
import { survey } from './survey.ts'
import type { Surveyed } from './survey.ts'

export interface EmbeddingsParts {
  readonly guarded: GuardedEmbedder
  readonly lane: NodeLane
  readonly store: VectorStore
  readonly products: Pick<ProductStore, 'byIds' | 'outlines' | 'edition'>
  readonly faq: () => readonly FaqEntry[]
  readonly clock: Clock
  readonly float: () => number
  readonly telemetry: Pick<Telemetry, 'count' | 'log'>
  /** How long a question waits for its vector. */
  readonly questionMs: number
  /** Calls for documents in flight. */
  readonly callsMax: number
}

interface Known extends Surveyed {
  readonly version: number
  readonly faq: readonly FaqEntry[]
}

/** Documents that are embedded and written together. */
const WINDOW_DOCUMENTS = 24
/** The pause after a round that failed; each further one doubles it. */
const PAUSE_MS = 15_000
const PAUSE_MAX_MS = 300_000
const CALIBRATION = 'calibration'
/** The scale is measured again when so much of the catalogue has changed its size. */
const RECALIBRATE_SHARE = 0.2
/** A message that means an entry less well than this may mean anything. */
const FAQ_SCORE_MIN = 0.5
const SENTENCE_WORDS = 8
const PROBES_MAX = 14
const PROBE_MS = 2000

export function createEmbeddings(parts: EmbeddingsParts): Embeddings & Disposable {
  const { clock, guarded, lane, products, store, telemetry } = parts
  const { model, dimensions } = guarded.embedder
  const stopped = new AbortController()
  const embedParts = { ...parts, signal: stopped.signal }
  const questions = questionVectors({ ...parts, ms: parts.questionMs })
  const pause = () => new Promise<void>((resolve) => clock.defer(resolve))
  let known: Known | undefined
  let embedded = 0
  let calibration = storedCalibration(store)
  let shelves = new WeakMap<Shelf, Promise<EmbeddedShelf>>()
  let failure: string | undefined
  let failures = 0
  let nextAt = Number.NEGATIVE_INFINITY

  const isWhole = () => known !== undefined && embedded === known.wanted.size && calibration !== undefined

  async function surveyed(): Promise<Known> {
    const version = (await products.edition())?.version ?? 0
    const faq = parts.faq()
    if (known?.version === version && known.faq === faq && isWhole()) return known
    const found = await survey({ products, faq, store, pause })
    known = { ...found, version, faq }
    embedded = known.wanted.size - known.missing.length
    return known
  }

  function read(id: string): PassageVectors | undefined {
    try {
      return store.passages(id)
    } catch (error) {
      failure = `the stored vectors cannot be read: ${String(error)}`
      return undefined
    }
  }

  async function documentsOf(ids: readonly string[], { faq, wanted }: Known): Promise<readonly DocumentTexts[]> {
    const series = await products.byIds(ids.filter((id) => !isFaqDocument(id)))
    const asked = new Set(ids)
    return [
      ...series.map((product: Product) => seriesTexts(product, wanted.get(product.id) ?? '')),
      ...faq.map(faqTexts).filter(({ id }) => asked.has(id)),
    ]
  }

  /** Embeds the texts of some documents that no document has, and stores those documents whose texts are all embedded. */
  async function embedWindow(documents: readonly DocumentTexts[]): Promise<{ stored: number; failure?: string }> {
    const texts = new Map(
      documents.flatMap(({ hashes, texts: all }) => hashes.map((hash, at) => [hash, all[at]!] as const)),
    )
    const vectors = new Map(store.vectorsOf([...texts.keys()]))
    const needed = [...texts].filter(([hash]) => !vectors.has(hash))
    const made = await embedTexts(
      embedParts,
      needed.map(([, text]) => text),
      'document',
    )
    if (stopped.signal.aborted) return { stored: 0, failure: 'the server stops' }
    for (const [hash, text] of needed) {
      const vector = made.vectors.get(text)
      if (vector !== undefined) vectors.set(hash, asBytes(vector))
    }
    const whole = documents.filter(({ hashes }) => hashes.every((hash) => vectors.has(hash)))
    store.put(whole.map((document) => vectorDocument(document, dimensions, (hash) => vectors.get(hash)!)))
    return { stored: whole.length, ...(made.failure === undefined ? {} : { failure: made.failure }) }
  }

  /** Returns why it ended early. */
  async function embedAll(all: Known): Promise<string | undefined> {
    for (let at = 0; at < all.missing.length; at += WINDOW_DOCUMENTS) {
      const made = await embedWindow(await documentsOf(all.missing.slice(at, at + WINDOW_DOCUMENTS), all))
      embedded += made.stored
      if (made.failure !== undefined) return made.failure
    }
    // A product that was removed meanwhile is missing in the next survey no more.
    store.remove(all.gone)
    const { documents } = calibration ?? { documents: 0 }
    const isOther = Math.abs(all.wanted.size - documents) > RECALIBRATE_SHARE * documents
    if (!isOther) return undefined
    const embed = (texts: readonly string[]) => embedTexts(embedParts, texts, 'question')
    const measured = await calibrate({ products, store, embed }, [...all.wanted.keys()])
    if (typeof measured === 'string') return measured
    if (stopped.signal.aborted) return 'the server stops'
    calibration = { ...measured, documents: all.wanted.size }
    store.setNote(CALIBRATION, JSON.stringify(calibration))
    return undefined
  }

  function ended(all: Known, reason: string | undefined, at: number): void {
    shelves = new WeakMap()
    if (reason === undefined) {
      if (all.missing.length > 0)
        telemetry.log('info', 'embedder.embedded', { documents: all.missing.length, tookMs: clock.now() - at })
      failures = 0
      failure = undefined
      return
    }
    failures += 1
    nextAt = clock.now() + Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** (failures - 1))
    failure = reason === CIRCUIT_OPEN ? (failure ?? reason) : reason
    const missing = all.wanted.size - embedded
    if (failures === 1 && !stopped.signal.aborted) telemetry.log('warn', 'embedder.failed', { reason, missing })
  }

  function shelfOf(shelf: Shelf): Promise<EmbeddedShelf> {
    const known = shelves.get(shelf)
    if (known !== undefined) return known
    const opened = embeddedShelf({ model, read, store, pause }, shelf)
    shelves.set(shelf, opened)
    // A failed build is not cached: the next question tries again.
    opened.catch(() => shelves.delete(shelf))
    return opened
  }

  /** The scale, when all of the current edition is embedded. */
  async function scale(): Promise<Calibration | undefined> {
    const edition = await products.edition()
    return isWhole() && known?.version === (edition?.version ?? 0) ? calibration : undefined
  }

  const notReady = (): undefined => {
    telemetry.count('embedder_questions_total', { outcome: 'not-ready' })
    return undefined
  }

  return {
    model,
    lane,
    async ask({ text, shelf }) {
      try {
        const measured = await scale()
        if (measured === undefined) return notReady()
        const [opened, vector] = await Promise.all([shelfOf(shelf), questions.of(text)])
        return vector === undefined ? undefined : opened.meaning(vector, measured)
      } catch (error) {
        failure = String(error)
        return notReady()
      }
    },
    async faqFor(message) {
      try {
        const measured = await scale()
        if (measured === undefined) return notReady()
        const vector = await questions.of(message)
        if (vector === undefined) return undefined
        const question = wholeNumbers(vector)
        let best = { id: undefined as string | undefined, score: FAQ_SCORE_MIN }
        for (const { id } of parts.faq()) {
          const passages = read(faqDocumentId(id))
          if (passages === undefined) continue
          const { score } = matchPassages(passages, question, { calibration: measured, words: SENTENCE_WORDS })
          if (score > best.score) best = { id, score }
        }
        return best.id
      } catch (error) {
        failure = String(error)
        return notReady()
      }
    },
    async survey() {
      await surveyed()
    },
    async embedMissing() {
      if (clock.now() < nextAt) return
      const at = clock.now()
      const all = await surveyed()
      if (isWhole() && all.gone.length === 0) return
      ended(all, await embedAll(all), at)
      // The missing embeddings are stored and the obsolete ones removed, so read the state again.
      if (!stopped.signal.aborted && failures === 0) known = undefined
      if (!stopped.signal.aborted && failures === 0) await surveyed()
    },
    async heal() {
      for (let probes = 0; probes < PROBES_MAX && lane.view().phase === 'half-open'; probes += 1) {
        const probed = await guarded.embed(['漫画'], { purpose: 'question', ms: PROBE_MS, signal: stopped.signal })
        if (probed.kind !== 'vectors') return
        lane.tick()
      }
    },
    status() {
      const asked = questions.failed()
      const reason = failure ?? (asked === undefined ? undefined : reasonOf(asked))
      return {
        state: known === undefined ? 'unknown' : isWhole() ? 'ready' : 'embedding',
        documents: known?.wanted.size ?? 0,
        embedded,
        ...(reason === undefined ? {} : { failure: reason }),
      }
    },
    takeUsage: guarded.takeUsage,
    [Symbol.dispose]() {
      stopped.abort()
      store[Symbol.dispose]()
    },
  }
}

interface StoredCalibration extends Calibration {
  /** How many documents there were when it was measured. */
  readonly documents: number
}

function storedCalibration(store: Pick<VectorStore, 'note'>): StoredCalibration | undefined {
  const text = store.note(CALIBRATION)
  return text === undefined ? undefined : (JSON.parse(text) as StoredCalibration)
}
