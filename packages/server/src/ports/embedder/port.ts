// Turns texts into unit vectors of one dimension, so that a dot product is a similarity. A text without known words becomes
// the zero vector, which is near nothing.

export interface Embedder {
  readonly dimensions: number
  embed(texts: readonly string[]): Promise<readonly Float32Array[]>
}
