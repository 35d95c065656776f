// The page around the chat, in the form that the server accepts. Everything that the server would refuse is left out,
// so that no address of a host page can make a question fail. Pure.
import type { PageContext } from '@mangaassist/protocol'

const productPattern = /^[\w.:-]{1,128}$/
const pathPattern = /^\/[\x21-\x7e]{0,511}$/

export function pageContext(product: string | null, path: string): PageContext | undefined {
  const page = {
    ...(product !== null && productPattern.test(product) ? { productId: product } : {}),
    ...(pathPattern.test(path) ? { path } : {}),
  }
  return Object.keys(page).length === 0 ? undefined : page
}
