// Shared by all scripts: the path of the workspace, and how to end a script that cannot continue.
import { existsSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Ends the script with a message that says what to do. */
export function fail(message) {
  console.error(message)
  process.exit(1)
}

export function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export function digest(parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}
