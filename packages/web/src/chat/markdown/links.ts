// Where a link may lead. The model's words may hold any address: only those of allowed hosts become links, and a shop's
// catalogue may hold any web address, but nothing else (`javascript:`). Pure.

export interface LinkPolicy {
  /** The server's origin: relative addresses are its. */
  readonly base: string
  readonly hosts: readonly string[]
}

/** The absolute address of a link in an answer, or nothing when it may not be one. */
export function answerLink(href: string, { base, hosts }: LinkPolicy): string | undefined {
  const address = webAddress(href, base)
  // A user name in an address is there to make it look like another one.
  if (address === undefined || address.username !== '' || address.password !== '') return undefined
  return hosts.includes(address.host) ? address.href : undefined
}

/** The absolute address of a product: the shop's own word, so any host, but the web only. */
export function productLink(url: string, { base }: LinkPolicy): string | undefined {
  return webAddress(url, base)?.href
}

/** `page`: where the reader is. What leads away opens beside it, so that the conversation stays. */
export function leadsAway(href: string, page: string): boolean {
  return new URL(href).origin !== page
}

export const linkRel = 'noopener noreferrer nofollow'

function webAddress(href: string, base: string): URL | undefined {
  const address = URL.parse(href, base)
  return address !== null && /^https?:$/.test(address.protocol) ? address : undefined
}
