// The facts of the conversation so far, for the prompt: its state as lines, with the titles of the current catalogue.
import { replay } from '@mangaassist/bookseller/dialogue/replay'
import type { Read } from '@mangaassist/bookseller/dialogue/understood'
import { idsInState, stateLines } from '@mangaassist/bookseller/dialogue/state-lines'
import type { ProductStore } from '#ports/product-store/port.ts'
import type { Said } from './meaning.ts'

export async function stateFacts(
  products: ProductStore,
  { history, language }: Pick<Said, 'history' | 'language'>,
  read: Read,
): Promise<readonly string[]> {
  if (history.length === 0) return []
  const state = replay(history, read)
  const ids = idsInState(state)
  return stateLines(state, ids.length === 0 ? [] : await products.byIds(ids), language)
}
