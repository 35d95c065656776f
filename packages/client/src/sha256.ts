// SHA-256 of a text as UTF-8. It uses the platform's implementation where there is one. A page over plain http has no
// `crypto.subtle`, and answers must be verified there too, so there is a fallback.

export async function sha256Hex(text: string): Promise<string> {
  const bytes = new TextEncoder().encode(text)
  // By its type `subtle` always exists; in insecure contexts it does not.
  const subtle = crypto.subtle as typeof crypto.subtle | undefined
  return toHex(subtle === undefined ? sha256(bytes) : new Uint8Array(await subtle.digest('SHA-256', bytes)))
}

/** The synchronous variant; a whole answer takes about a millisecond. */
export function sha256HexNow(text: string): string {
  return toHex(sha256(new TextEncoder().encode(text)))
}

/** FIPS 180-4, in plain arithmetic. */
export function sha256(message: Uint8Array): Uint8Array {
  const state = Uint32Array.from(initialState)
  const view = new DataView(pad(message).buffer)
  for (let at = 0; at < view.byteLength; at += 64) compress(state, view, at)
  const digest = new DataView(new ArrayBuffer(32))
  state.forEach((word, index) => digest.setUint32(index * 4, word))
  return new Uint8Array(digest.buffer)
}

function pad(message: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6)
  padded.set(message)
  padded[message.length] = 0x80
  const view = new DataView(padded.buffer)
  view.setUint32(padded.length - 8, Math.floor(message.length / 2 ** 29))
  view.setUint32(padded.length - 4, message.length << 3)
  return padded
}

function compress(state: Uint32Array, view: DataView, at: number): void {
  const words = schedule(view, at)
  let [a, b, c, d, e, f, g, h] = state as unknown as Eight
  for (let i = 0; i < 64; i++) {
    const choice = (e & f) ^ (~e & g)
    const majority = (a & b) ^ (a & c) ^ (b & c)
    const one = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + word(roundConstants, i) + word(words, i)
    const two = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority
    ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
  }
  ;[a, b, c, d, e, f, g, h].forEach((value, i) => {
    state[i] = word(state, i) + value
  })
}

function schedule(view: DataView, at: number): Uint32Array {
  const words = new Uint32Array(64)
  for (let i = 0; i < 16; i++) words[i] = view.getUint32(at + i * 4)
  for (let i = 16; i < 64; i++) {
    const near = word(words, i - 2)
    const far = word(words, i - 15)
    const small = rotate(far, 7) ^ rotate(far, 18) ^ (far >>> 3)
    const large = rotate(near, 17) ^ rotate(near, 19) ^ (near >>> 10)
    words[i] = word(words, i - 16) + small + word(words, i - 7) + large
  }
  return words
}

type Eight = [number, number, number, number, number, number, number, number]

const rotate = (value: number, by: number): number => (value >>> by) | (value << (32 - by))
const word = (words: Uint32Array, index: number): number => words[index] as number
const toHex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

// The constants are fractions of the roots of the first primes: computing them is shorter and safer than listing them.
const primes = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && !hasDivisor(n))
const initialState = Uint32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const roundConstants = Uint32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))

function hasDivisor(n: number): boolean {
  for (let d = 2; d * d <= n; d++) if (n % d === 0) return true
  return false
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32)
}
