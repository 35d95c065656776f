// The state of the embedder for `/readyz`. It never decides readiness: without it, words are compared.
import type { Embeddings } from '#ports/embedder/embeddings.ts'

type EmbedderHealth = {
  readonly status: 'ok' | 'degraded'
  readonly model: string
  /** What gives the meaning score of a search now. */
  readonly meaningBy: 'embedder' | 'words'
  /** Series and FAQ entries, and how many of them have vectors. */
  readonly documents: number
  readonly embedded: number
  /** Why it is degraded, where a call failed. */
  readonly reason?: string
}

export function embedderHealth(
  embeddings: Pick<Embeddings, 'status' | 'model'> | undefined,
): Readonly<Record<string, EmbedderHealth>> {
  if (embeddings === undefined) return {}
  const { documents, embedded, failure, state } = embeddings.status()
  const isOk = state === 'ready' && failure === undefined
  return {
    embedder: {
      status: isOk ? 'ok' : 'degraded',
      model: embeddings.model,
      meaningBy: isOk ? 'embedder' : 'words',
      documents,
      embedded,
      ...(failure === undefined ? {} : { reason: failure }),
    },
  }
}
