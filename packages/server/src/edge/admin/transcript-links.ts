// Links by which staff read one conversation that a person was called to: signed, valid for a day, for nothing else. The
// webhook gets one with each call. Its holder can read the conversation, and each read is in the audit.
import { Refusal } from '#domain/refusal.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Handover } from '#ports/handover/port.ts'
import { sign, SIGNATURE, signedBy } from '../identity/signature.ts'
import type { SigningKeys } from '../identity/signature.ts'

const USE = 'ma_transcript'
const SHAPE = new RegExp(`^((\\w{1,64})\\.(\\d{1,16}))\\.(${SIGNATURE})$`)
const GOOD_MS = 24 * 3_600_000
export const TRANSCRIPTS_PATH = '/api/staff/transcripts'

export interface TranscriptLinks {
  linkFor(sessionId: string): { readonly url: string; readonly expiresAt: string }
  /** The conversation of a link. Throws NOT_FOUND when it is forged or expired. */
  sessionOf(token: string): string
}

export function createTranscriptLinks({
  keys,
  clock,
  publicUrl = '',
}: {
  readonly keys: SigningKeys
  readonly clock: Pick<Clock, 'now'>
  /** Where staff reach the server; without one the link is a path. */
  readonly publicUrl?: string | undefined
}): TranscriptLinks {
  return {
    linkFor(sessionId) {
      const expiresAt = clock.now() + GOOD_MS
      const claim = `${sessionId}.${expiresAt}`
      return {
        url: `${publicUrl}${TRANSCRIPTS_PATH}/${claim}.${sign(USE, claim, keys)}`,
        expiresAt: isoTime(expiresAt),
      }
    },
    sessionOf(token) {
      const [, claim, sessionId, expiresAt, signature] = SHAPE.exec(token) ?? []
      const isOurs =
        claim !== undefined && signature !== undefined && signedBy(USE, { text: claim, signature }, keys) !== undefined
      if (!isOurs || sessionId === undefined || Number(expiresAt) <= clock.now()) {
        throw new Refusal('NOT_FOUND', { details: { field: 'token' } })
      }
      return sessionId
    },
  }
}

/** Adds a link to its conversation to every call. */
export function linkedHandover(handover: Handover, links: Pick<TranscriptLinks, 'linkFor'>): Handover {
  return {
    isFree: () => handover.isFree(),
    call: (call) => handover.call({ ...call, transcript: links.linkFor(call.sessionId) }),
  }
}
