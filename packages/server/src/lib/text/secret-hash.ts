// Hashes a key or token for storage in the configuration. A fast digest is safe for them because they are random, so guessing
// is hopeless, and a slow digest would cost time in every request. Passwords would need a slow one; there are none here.
import { createHash } from 'node:crypto'

/** `sha256:` and the digest in hex. */
export function secretHash(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex')}`
}
