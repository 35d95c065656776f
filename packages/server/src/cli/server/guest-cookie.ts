// The identity of the terminal: a guest, and the same one the next time, because conversations belong to their guest.
// The cookie is stored in DATA_DIR, readable only by its owner.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundServer } from './find-server.ts'

const FILE = 'cli-guests.json'

/** A Cookie header for this server. */
export async function guestCookie({ url, isOwn, dataDir }: FoundServer): Promise<string> {
  const path = join(dataDir, FILE)
  const server = isOwn ? 'own' : new URL(url).origin
  const known = await readCookies(path)
  const cookie = known[server] ?? ''
  const answer = await fetch(new URL('/api/quota', url), { headers: { cookie } })
  await answer.body?.cancel()
  const issued = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  if (issued.length === 0) return cookie
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, JSON.stringify({ ...known, [server]: issued.join('; ') }), { mode: 0o600 })
  return issued.join('; ')
}

// Without the file, or when it cannot be parsed, the terminal becomes a new guest.
async function readCookies(path: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}
