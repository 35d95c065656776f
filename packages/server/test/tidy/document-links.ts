// Links of the documents to other files of the workspace: the file exists, and where a link names a heading, the page has it.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Violation } from './source-file.ts'

/** `[text](target)` and `![text](target)`, without a title. */
const LINK = /\]\((?<target>[^()\s]+(?:\([^()\s]*\)[^()\s]*)*)\)/g
const OUTSIDE = /^[a-z]+:/

export function documentLinkViolations(root: string, paths: readonly string[]): Violation[] {
  const text = (path: string) => readFileSync(join(root, path), 'utf8')
  return paths.flatMap((path) =>
    linksOf(text(path)).flatMap((target) => {
      const [file = '', anchor] = target.split('#')
      const linked = file === '' ? path : join(dirname(path), decodeURIComponent(file))
      if (!existsSync(join(root, linked))) return [{ path, what: `links to ${target}: there is no such file` }]
      if (anchor === undefined || !linked.endsWith('.md')) return []
      const isThere = anchorsOf(text(linked)).includes(decodeURIComponent(anchor))
      return isThere ? [] : [{ path, what: `links to ${target}: the page has no such heading` }]
    }),
  )
}

/** The links of a page that lead to files; code is no link. */
export function linksOf(markdown: string): readonly string[] {
  const prose = withoutBlocks(markdown).replaceAll(/`[^`\n]*`/g, '')
  return [...prose.matchAll(LINK)]
    .map(({ groups }) => groups?.['target'] ?? '')
    .filter((target) => !OUTSIDE.test(target))
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(markdown: string): readonly string[] {
  const seen = new Map<string, number>()
  return [...withoutBlocks(markdown).matchAll(/^#{1,6} (?<heading>.*)$/gm)].map(({ groups }) => {
    const heading = (groups?.['heading'] ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    const anchor = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-')
    const count = seen.get(anchor) ?? 0
    seen.set(anchor, count + 1)
    return count === 0 ? anchor : `${anchor}-${count}`
  })
}

function withoutBlocks(markdown: string): string {
  return markdown.replaceAll(/^(?<fence>`{3,}|~{3,})[^]*?^\k<fence>\s*$/gm, '')
}
