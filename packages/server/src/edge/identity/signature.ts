// Signatures over short texts that a caller carries for us: the guest cookie, the guest token, the ticket. Each is made
// for one use and named by it, so that none passes for another though the keys are the same. What also must not be read on
// the way, as the user's id in a ticket, is sealed.
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'

/** The first signs; all verify, so that a key can be retired without losing anyone. */
export type SigningKeys = readonly [Uint8Array, ...Uint8Array[]]

/** What is put after a text; its shape is `SIGNATURE`. */
export function sign(use: string, text: string, [key]: SigningKeys): string {
  return signature(use, text, key)
}

export const SIGNATURE = '[\\w-]{43}'

interface SignedText {
  readonly text: string
  readonly signature: string
}

/** Which of the keys signed it, 0 being the one in use; undefined when none did. */
export function signedBy(use: string, signed: SignedText, keys: SigningKeys): number | undefined {
  const bytes = Buffer.from(signed.signature)
  const index = keys.findIndex((key) => {
    const expected = Buffer.from(signature(use, signed.text, key))
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
  return index < 0 ? undefined : index
}

function signature(use: string, text: string, key: Uint8Array): string {
  return createHmac('sha256', key).update(`${use}:${text}`).digest('base64url')
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** A text that only we can read. The same text comes out the same, which tells nobody what it says. */
export function seal(use: string, text: string, [key]: SigningKeys): string {
  const iv = createHmac('sha256', key).update(`${use}:iv:${text}`).digest().subarray(0, IV_BYTES)
  const cipher = createCipheriv(CIPHER, sealingKey(use, key), iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** What was sealed with one of the keys; undefined when it was not. */
export function unseal(use: string, sealed: string, keys: SigningKeys): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
  for (const key of keys) {
    const decipher = createDecipheriv(CIPHER, sealingKey(use, key), bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
    try {
      const text = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES))
      return Buffer.concat([text, decipher.final()]).toString('utf8')
    } catch {
      // Of another key, or not ours.
    }
  }
  return undefined
}

function sealingKey(use: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${use}:seal`).digest()
}
