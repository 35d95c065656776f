// Parses forms of our own pages. Only routes registered here accept them; any other route refuses a form by its content
// type. Forms of other sites were refused before, by their Origin.
import type { FastifyRequest } from 'fastify'
import type { Routes } from './route-parts.ts'

const FORM = 'application/x-www-form-urlencoded'
const HERE = 'http://here.invalid'

/** Registers routes that accept forms, besides the content types of all routes. */
export async function formRoutes(http: Routes, add: (forms: Routes) => void): Promise<void> {
  await http.register(async (forms) => {
    forms.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
      done(null, new URLSearchParams(String(body))),
    )
    add(forms)
  })
}

/** The fields of a form; none when something else was sent. */
export function formIn({ body }: Pick<FastifyRequest, 'body'>): URLSearchParams {
  return body instanceof URLSearchParams ? body : new URLSearchParams()
}

/** The path of the next page, which is ours; what leads elsewhere becomes the home page. */
export function ownPath(given: string | null): string {
  const url = given === null || !given.startsWith('/') ? null : URL.parse(given, HERE)
  // `/.//elsewhere` is ours, but its path begins with two slashes, which a browser reads as a host.
  const isOwn = url !== null && url.origin === HERE && !url.pathname.startsWith('//')
  return isOwn ? `${url.pathname}${url.search}` : '/'
}
