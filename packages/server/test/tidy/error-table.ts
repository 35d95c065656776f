// Compares `docs/errors.md` with the error catalogue, in both directions.

interface ErrorFacts {
  readonly status: number
  readonly retryAfterSeconds?: number
}

/** Reads rows such as: | `MODEL_TIMEOUT` | 504 | 2 s | … */
function readErrorTable(markdown: string): Map<string, ErrorFacts> {
  const rows = markdown.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (?:(\d+) s|–) \|/gm)
  return new Map(
    [...rows].map(([, code = '', status, seconds]) => [
      code,
      { status: Number(status), ...(seconds === undefined ? {} : { retryAfterSeconds: Number(seconds) }) },
    ]),
  )
}

export function errorTableProblems(markdown: string, catalogue: Readonly<Record<string, ErrorFacts>>): string[] {
  const documented = readErrorTable(markdown)
  const undocumented = Object.entries(catalogue).flatMap(([code, facts]) => {
    const row = documented.get(code)
    if (!row) return [`${code} is not documented`]
    const same = row.status === facts.status && row.retryAfterSeconds === facts.retryAfterSeconds
    return same ? [] : [`${code} is documented with another status or retry-after`]
  })
  const unknown = [...documented.keys()].filter((code) => !Object.hasOwn(catalogue, code))
  return [...undocumented, ...unknown.map((code) => `${code} is documented and does not exist`)]
}
