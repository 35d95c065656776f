// Signatures over short texts that a caller carries for us: the guest cookie, the guest token, the ticket. Each is made for
// one use and contains it, so that none is accepted as another although the keys are the same. Text that must not be
// readable on the way, such as the user's id in a ticket, is sealed.
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto'

/** The first key signs; all verify, so that a key can be retired without losing anyone's identity. */
export type SigningKeys = readonly [Uint8Array, ...Uint8Array[]]

/** The signature of a text; its format is `SIGNATURE`. */
export function sign(use: string, text: string, [key]: SigningKeys): string {
  return signature(use, text, key)
}

export const SIGNATURE = '[\\w-]{43}'

interface SignedText {
  readonly text: string
  readonly signature: string
}

/** The index of the key that signed it, 0 being the current one; undefined when none did. */
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

/** Encrypts a text so that only we can read it. The same text gives the same result, which reveals nothing of it. */
export function seal(use: string, text: string, [key]: SigningKeys): string {
  const iv = createHmac('sha256', key).update(`${use}:iv:${text}`).digest().subarray(0, IV_BYTES)
  const cipher = createCipheriv(CIPHER, sealingKey(use, key), iv)
  return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64url')
}

/** The text that was sealed with one of the keys; undefined for anything else. */
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
      // Sealed with another key, or not ours.
    }
  }
  return undefined
}

function sealingKey(use: string, key: Uint8Array): Buffer {
  return createHmac('sha256', key).update(`${use}:seal`).digest()
}
