// Which addresses may become links. A model may write any address: only those on allowed hosts become links. The shop's
// catalogue may use any host, but only http(s), never `javascript:`. Pure.

export interface LinkPolicy {
  /** The server's origin: relative addresses are resolved against it. */
  readonly base: string
  readonly hosts: readonly string[]
}

/** The absolute address of a link in an answer, or undefined when it must not be a link. */
export function answerLink(href: string, { base, hosts }: LinkPolicy): string | undefined {
  const address = webAddress(href, base)
  // A user name in an address is a trick to make it look like another host.
  if (address === undefined || address.username !== '' || address.password !== '') return undefined
  return hosts.includes(address.host) ? address.href : undefined
}

/** The absolute address of a product: any host, since the shop wrote it, but only http(s). */
export function productLink(url: string, { base }: LinkPolicy): string | undefined {
  return webAddress(url, base)?.href
}

/** `page`: the origin of the current page. An external link opens in a new tab, so that the conversation stays. */
export function isExternal(href: string, page: string): boolean {
  return new URL(href).origin !== page
}

export const linkRel = 'noopener noreferrer nofollow'

function webAddress(href: string, base: string): URL | undefined {
  const address = URL.parse(href, base)
  return address !== null && /^https?:$/.test(address.protocol) ? address : undefined
}
