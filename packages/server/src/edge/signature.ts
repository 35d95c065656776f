// Signatures over short texts that a caller carries for us: the guest cookie, the guest token, the ticket. Each is made
// for one use and named by it, so that none passes for another though the keys are the same.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** The first signs; all verify, so that a key can be retired without losing anyone. */
export type SigningKeys = readonly [Uint8Array, ...Uint8Array[]]

/** What is put after a text; its shape is `SIGNATURE`. */
export function sign(use: string, text: string, [key]: SigningKeys): string {
  return signature(use, text, key)
}

export const SIGNATURE = '[\\w-]{43}'

/** Which of the keys signed it, 0 being the one in use; undefined when none did. */
export function signedBy(use: string, text: string, given: string, keys: SigningKeys): number | undefined {
  const bytes = Buffer.from(given)
  const index = keys.findIndex((key) => {
    const expected = Buffer.from(signature(use, text, key))
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
  return index < 0 ? undefined : index
}

function signature(use: string, text: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`${use}:${text}`).digest('base64url')
}
