// Vectors in memory: for tests, and the oracle of the store in a file.
import type { VectorDocument, VectorStore } from '#ports/vector-store/port.ts'

export function memoryVectorStore(): VectorStore {
  const documents = new Map<string, VectorDocument>()
  const notes = new Map<string, string>()

  function vectorOf(hash: string): Int8Array | undefined {
    for (const { hashes, vectors } of documents.values()) {
      const at = hashes.indexOf(hash)
      const dimensions = vectors.length / hashes.length
      if (at !== -1) return vectors.slice(at * dimensions, (at + 1) * dimensions)
    }
    return undefined
  }

  return {
    outlines: (after, limit) =>
      [...documents.values()]
        .filter(({ id }) => id > after)
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .slice(0, limit)
        .map(({ id, facts, coarse }) => ({ id, facts, coarse })),
    vectorsOf(hashes) {
      const found = hashes.map((hash) => [hash, vectorOf(hash)] as const)
      return new Map(found.flatMap(([hash, vector]) => (vector === undefined ? [] : [[hash, vector]])))
    },
    passages(id) {
      const document = documents.get(id)
      return document === undefined ? undefined : { fields: document.fields, vectors: document.vectors }
    },
    put(all) {
      for (const document of all) documents.set(document.id, document)
    },
    remove(ids) {
      for (const id of ids) documents.delete(id)
    },
    note: (name) => notes.get(name),
    setNote: (name, text) => void notes.set(name, text),
    [Symbol.dispose]() {},
  }
}
