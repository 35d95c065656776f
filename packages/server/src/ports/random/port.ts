// Random numbers and ids as a port: seeded in tests and simulations, from the system's generator in production.

export interface Random {
  /** Uniform in [0, 1). */
  float(): number
  /** A new id that cannot be guessed, such as `turn_7hGk…`; at most 64 characters of `A–Z a–z 0–9 _`. */
  id(prefix: string): string
  /** Returns this many random bytes as lower-case hexadecimal digits, two for each byte. */
  hex(bytes: number): string
}
