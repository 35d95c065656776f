// Which addresses may become links. A model may write any address: only those on allowed hosts become links. The shop's
// catalogue may use any host, but only http(s), never `javascript:`. Pages of the shop are linked in the reader's language. Pure.
import type { Language } from '@mangaassist/protocol'

export interface LinkPolicy {
  /** The server's origin: relative addresses are resolved against it. */
  readonly base: string
  readonly hosts: readonly string[]
  /** The language of the interface. */
  readonly language: Language
}

/** The storefront's pages as answers and the catalogue name them: in Japanese. The English ones have `/en` before the path. */
const japanesePage = /^\/(?:$|series\/|support(?:$|\/))/

/** The absolute address of a link in an answer, or undefined when it must not be a link. */
export function answerLink(href: string, policy: LinkPolicy): string | undefined {
  const address = webAddress(href, policy)
  // A user name in an address is a trick to make it look like another host.
  if (address === undefined || address.username !== '' || address.password !== '') return undefined
  return policy.hosts.includes(address.host) ? address.href : undefined
}

/** The absolute address of a product: any host, since the shop wrote it, but only http(s). */
export function productLink(url: string, policy: LinkPolicy): string | undefined {
  return webAddress(url, policy)?.href
}

/** `page`: the origin of the current page. An external link opens in a new tab, so that the conversation stays. */
export function isExternal(href: string, page: string): boolean {
  return new URL(href).origin !== page
}

export const linkRel = 'noopener noreferrer nofollow'

function webAddress(href: string, { base, language }: LinkPolicy): URL | undefined {
  const address = URL.parse(href, base)
  if (address === null || !/^https?:$/.test(address.protocol)) return undefined
  const isOurs = address.origin === base && japanesePage.test(address.pathname)
  if (isOurs && language === 'en') address.pathname = `/en${address.pathname}`
  return address
}
