// Random numbers from the system's generator. Ids are 22 characters of base 62, about 131 bits, so they cannot be guessed.
import { randomFillSync } from 'node:crypto'
import type { Random } from '#ports/random/port.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const ID_LENGTH = 22
/** Each byte as two digits. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** The largest multiple of 62 in a byte: bytes above it are discarded, so that every character is equally likely. */
const UNBIASED_BELOW = 248

export function systemRandom(): Random {
  // Random bytes are drawn in bulk: one system call for each byte would cost more than the id.
  const pool = new Uint8Array(4096)
  let next = pool.length
  const byte = (): number => {
    if (next === pool.length) {
      randomFillSync(pool)
      next = 0
    }
    const value = pool[next] ?? 0
    // A used byte is cleared, so that it cannot be read from memory later.
    pool[next] = 0
    next += 1
    return value
  }

  return {
    float() {
      let value = 0
      for (let index = 0; index < 6; index += 1) value = value * 256 + byte()
      return (value * 32 + (byte() >> 3)) / 2 ** 53
    },
    id(prefix) {
      let letters = ''
      while (letters.length < ID_LENGTH) {
        const value = byte()
        if (value < UNBIASED_BELOW) letters += ALPHABET[value % ALPHABET.length]
      }
      return `${prefix}_${letters}`
    },
    hex(bytes) {
      let digits = ''
      for (let index = 0; index < bytes; index += 1) digits += HEX[byte()]
      return digits
    },
  }
}
