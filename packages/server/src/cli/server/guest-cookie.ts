// Who the terminal is to the server: a guest, and the same one the next time, because conversations belong to whoever
// began them. The cookie is kept in DATA_DIR, readable by its owner only.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FoundServer } from './find-server.ts'

const FILE = 'cli-guests.json'

/** A Cookie header for this server. */
export async function guestCookie({ url, isOwn, dataDir }: FoundServer): Promise<string> {
  const path = join(dataDir, FILE)
  const place = isOwn ? 'own' : new URL(url).origin
  const known = await readCookies(path)
  const cookie = known[place] ?? ''
  const answer = await fetch(new URL('/api/quota', url), { headers: { cookie } })
  await answer.body?.cancel()
  const issued = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  if (issued.length === 0) return cookie
  await mkdir(dataDir, { recursive: true })
  await writeFile(path, JSON.stringify({ ...known, [place]: issued.join('; ') }), { mode: 0o600 })
  return issued.join('; ')
}

// A file that is not there yet, or not ours to understand, makes a new guest.
async function readCookies(path: string): Promise<Record<string, string>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Record<string, string>
  } catch {
    return {}
  }
}
