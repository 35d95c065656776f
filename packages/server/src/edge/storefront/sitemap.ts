// The files that search engines ask for: every page in both languages with its alternate, and what they may not crawl.
import { hrefIn, LANGUAGES, seriesPath } from './addresses.ts'

/** The bound of the format; a larger catalogue lists its first series. */
const PATHS_MAX = 50_000 / LANGUAGES.length

export function sitemap(origin: string, ids: readonly string[]): string {
  const paths = ['/', '/support', ...ids.map(seriesPath)].slice(0, PATHS_MAX)
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${paths.flatMap((path) => LANGUAGES.map((language) => entry(origin, path, hrefIn(language, path)))).join('\n')}
</urlset>
`
}

/** An id has no character that XML reserves, and the path is encoded. */
function entry(origin: string, path: string, href: string): string {
  const alternates = LANGUAGES.map(
    (language) => `<xhtml:link rel="alternate" hreflang="${language}" href="${origin}${hrefIn(language, path)}"/>`,
  )
  const fallback = `<xhtml:link rel="alternate" hreflang="x-default" href="${origin}${path}"/>`
  return `<url><loc>${origin}${href}</loc>${alternates.join('')}${fallback}</url>`
}

/** Searches and the pages of programs and operators are not for crawlers. */
export function robots(origin: string): string {
  const closed = ['/api/', '/v1/', '/console', '/*?q=', '/*&q=', '/*?sort=', '/*&sort=']
  return ['User-agent: *', ...closed.map((path) => `Disallow: ${path}`), '', `Sitemap: ${origin}/sitemap.xml`, ''].join(
    '\n',
  )
}
