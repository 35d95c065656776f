// The conversation as the server keeps it.
import type { ErrorEnvelope, SessionDetail } from '@mangaassist/protocol'

type Envelope = { readonly success: true; readonly data: SessionDetail } | ErrorEnvelope

/** `gone`: it expired, was deleted or never was ours; throws when the server cannot be asked. */
export async function loadSession(sessionId: string): Promise<SessionDetail | 'gone'> {
  const response = await fetch(`/api/sessions/${encodeURIComponent(sessionId)}`)
  if (response.status === 404 || response.status === 410) return 'gone'
  const envelope = (await response.json()) as Envelope
  if (!envelope.success) throw new Error(envelope.error.message)
  return envelope.data
}
