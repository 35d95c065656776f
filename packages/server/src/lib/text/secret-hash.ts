// A key or token as configuration may keep it. A plain digest is right for them: they are random, so nobody finds one by
// trying, and a slow digest would be paid with every request. A password is another thing; there are none here.
import { createHash } from 'node:crypto'

/** `sha256:` and the digest in hex. */
export function secretHash(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex')}`
}
