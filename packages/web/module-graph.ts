// The modules of a built entry: what a browser loads before the entry runs. For the build, which writes and prints it, and for the
// tests of weights.
import { readFileSync } from 'node:fs'

const staticImport = /(?:^|[;}\n])import(?:[^;'"`()]*?from)?\s*["'`]\.\/([^"'`]+)["'`]/g

/** Paths below `dist`, the entry first. */
export function moduleGraph(dist: string, entry: string): string[] {
  const found = new Set([entry])
  for (const path of found) {
    for (const [, name] of readFileSync(dist + path, 'utf8').matchAll(staticImport))
      found.add(path.replace(/[^/]+$/, String(name)))
  }
  return [...found]
}
