// The subject of a member's tokens for one visitor of the demo. It is in principal ids, which operators read, and the visitor's cookie
// opens the account: so it has only a digest of the cookie.
import { createHash } from 'node:crypto'
import type { DemoMember } from './demo-members.ts'

export function demoSubject({ id }: DemoMember, visitor: string): string {
  return `${id}.${createHash('sha256').update(visitor).digest('hex').slice(0, 32)}`
}
