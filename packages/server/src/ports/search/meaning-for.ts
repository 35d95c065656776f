// The meaning of a query by the embedder, if one is configured and the query has words to compare.
import type { EmbeddedMeaning } from '@mangaassist/bookseller/retrieval/embedded-meaning'
import type { Shelf } from '@mangaassist/bookseller/retrieval/shelf'
import type { Embeddings } from '../embedder/embeddings.ts'
import type { SearchQuery } from './port.ts'

export async function meaningFor(
  embeddings: Pick<Embeddings, 'ask'> | undefined,
  { text, wish }: Pick<SearchQuery, 'text' | 'wish'>,
  shelf: Shelf,
): Promise<EmbeddedMeaning | undefined> {
  const wanted = (wish?.want ?? []).map((one) => one.text).filter((words) => !text.includes(words))
  const said = [text, ...wanted].join('\n').trim()
  return said === '' ? undefined : embeddings?.ask({ text: said, shelf })
}
