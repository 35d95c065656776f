// The `resume` frame of a client that has this text of the turn `t1`: its length, and its hash unless it is empty.
import { createHash } from 'node:crypto'
import type { ResumeFrame } from '@mangaassist/protocol'

export function resumeFrame(text: string): ResumeFrame {
  const proof = text === '' ? {} : { sha256: createHash('sha256').update(text).digest('hex') }
  return { type: 'resume', turnId: 't1', offset: text.length, ...proof }
}
