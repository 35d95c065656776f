// The vectors of the products on one shelf, by their number there.
import {
  COARSE_DIMENSIONS,
  CoarseShelf,
  matchPassages,
  wholeNumbers,
} from '@mangaassist/bookseller/retrieval/embedded-meaning'
import type { Calibration, EmbeddedMeaning, PassageVectors } from '@mangaassist/bookseller/retrieval/embedded-meaning'
import type { Shelf } from '@mangaassist/bookseller/retrieval/shelf'
import type { VectorStore } from '#ports/vector-store/port.ts'
import { storedOutlines } from './survey.ts'

export interface EmbeddedShelf {
  meaning(question: Float32Array, calibration: Calibration): EmbeddedMeaning
}

export async function embeddedShelf(
  {
    model,
    read,
    store,
    pause,
  }: {
    readonly model: string
    readonly store: Pick<VectorStore, 'outlines'>
    readonly read: (id: string) => PassageVectors | undefined
    readonly pause: () => Promise<void>
  },
  shelf: Shelf,
): Promise<EmbeddedShelf> {
  const none = new Float32Array(COARSE_DIMENSIONS)
  const coarse: Float32Array[] = shelf.ids.map(() => none)
  for await (const outline of storedOutlines(store, pause)) {
    const product = shelf.numberOf(outline.id)
    if (product !== undefined) coarse[product] = outline.coarse
  }
  const directions = new CoarseShelf(coarse)
  return {
    meaning(question, calibration) {
      const asked = wholeNumbers(question)
      return {
        model,
        near: directions.near(question),
        match(product, words) {
          const passages = read(shelf.ids[product] ?? '')
          return passages === undefined ? undefined : matchPassages(passages, asked, { calibration, words })
        },
      }
    },
  }
}
