// Turns texts into vectors of one length, of length one, so that a dot product is a similarity. A text of which
// the embedder knows nothing is all zeros: near nothing.

export interface Embedder {
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}
