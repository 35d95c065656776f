// Measures the scale of an embedder's cosines on the catalogue itself: some passages are asked as questions, and compared with
// themselves and with passages of other series.
import { calibrationOf, cosineWith, wholeNumbers } from '@mangaassist/bookseller/retrieval/embedded-meaning'
import type { Calibration, PassageVectors } from '@mangaassist/bookseller/retrieval/embedded-meaning'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { VectorStore } from '#ports/vector-store/port.ts'
import { isFaqDocument, seriesTexts } from './documents.ts'
import type { EmbeddedTexts } from './embed-texts.ts'

/** Enough for the thousandth part of their cosines to be several. */
const SERIES_MAX = 48
const SAME_TEXT = 0.03

interface Sample {
  readonly text: string
  readonly place: number
  readonly passages: PassageVectors
}

/** Returns why there is no calibration as a text. */
export async function calibrate(
  parts: {
    readonly products: Pick<ProductStore, 'byIds'>
    readonly store: Pick<VectorStore, 'passages'>
    readonly embed: (texts: readonly string[]) => Promise<EmbeddedTexts>
  },
  ids: readonly string[],
): Promise<Calibration | string> {
  const series = ids.filter((id) => !isFaqDocument(id))
  const step = Math.max(1, series.length / SERIES_MAX)
  const chosen = Array.from({ length: Math.min(SERIES_MAX, series.length) }, (_, at) => series[Math.floor(at * step)]!)
  const samples = (await parts.products.byIds(chosen)).flatMap((product): readonly Sample[] => {
    const { texts } = seriesTexts(product, '')
    const passages = parts.store.passages(product.id)
    // The longest passage is the most specific one: a short theme is often shared with other series.
    const place = texts.reduce((longest, { length }, at) => (length > texts[longest]!.length ? at : longest), 0)
    return passages === undefined || texts.length === 0 ? [] : [{ text: texts[place]!, place, passages }]
  })
  const { failure, vectors } = await parts.embed([...new Set(samples.map(({ text }) => text))])
  if (failure !== undefined) return failure
  return calibrationOf(
    samples.map(({ text, place, passages }) => {
      const question = wholeNumbers(vectors.get(text)!)
      const own = cosineWith(question, passages.vectors, place)
      const others = samples
        .filter((other) => other.passages !== passages)
        .flatMap((other) => cosinesWith(question, other.passages))
      // Series may share a text, which is no chance.
      return { own, others: others.filter((cosine) => cosine < own - SAME_TEXT) }
    }),
  )
}

function cosinesWith(question: Int16Array, { fields, vectors }: PassageVectors): readonly number[] {
  return Array.from(fields, (_, place) => cosineWith(question, vectors, place))
}
