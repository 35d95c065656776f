// Source files that the documents name must exist: a reader who is sent to a file finds it there. Decisions and the changelog
// may name files of their time.
import type { SourceFile, Violation } from './source-file.ts'

/** A path in code quotes with a folder, without placeholders such as `<port>` or `*`. */
const SOURCE_PATH = /`(?:\.\/|#)?([\w@.-]+(?:\/[\w@.-]+)+\.(?:ts|js))`/g

interface Document {
  readonly path: string
  readonly text: string
}

export function documentPathViolations(documents: readonly Document[], files: readonly SourceFile[]): Violation[] {
  const isThere = (named: string) => files.some(({ path }) => path === named || path.endsWith(`/${named}`))
  return documents.flatMap(({ path, text }) =>
    [...text.matchAll(SOURCE_PATH)]
      .map(([, named = '']) => named)
      .filter((named) => !isThere(named))
      .map((named) => ({ path, what: `names ${named}, which does not exist` })),
  )
}
