// The vectors of one embedder: for each document (a series, or an entry of the FAQ) those of its texts. A text that some document has
// is never embedded again. It is a cache in this process's own folder, so its calls answer at once.
import type { PassageVectors } from '@mangaassist/bookseller/retrieval/embedded-meaning'

export interface VectorDocument extends PassageVectors {
  readonly id: string
  /** A digest of what the document was made from. */
  readonly facts: string
  /** The hash of each text, in the order of the vectors. */
  readonly hashes: readonly string[]
  /** Its direction as a whole. */
  readonly coarse: Float32Array
}

export type DocumentOutline = Pick<VectorDocument, 'id' | 'facts' | 'coarse'>

export interface VectorStore extends Disposable {
  /** In the order of their ids, from the first after `after`. */
  outlines(after: string, limit: number): readonly DocumentOutline[]
  /** The vectors of those texts that a document has. */
  vectorsOf(hashes: readonly string[]): ReadonlyMap<string, Int8Array>
  passages(id: string): PassageVectors | undefined
  /** Replaces documents of the same id. All of them are written, or none. */
  put(documents: readonly VectorDocument[]): void
  remove(ids: readonly string[]): void
  /** A small text beside the vectors. */
  note(name: string): string | undefined
  setNote(name: string, text: string): void
}
