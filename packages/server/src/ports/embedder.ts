// Turns texts into vectors of one length, unit-normalised, so that a dot product is a similarity.

export interface Embedder {
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}
