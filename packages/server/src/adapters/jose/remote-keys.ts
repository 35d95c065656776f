// Fetches the public keys of an issuer. Keys rotate: an unknown key id causes a new fetch, at most once per interval
// however many tokens name unknown keys. An unreachable issuer is asked again soon, and its known keys stay valid for a
// day. Used by `token-verifier.ts`.
import { createLocalJWKSet, errors } from 'jose'
import type { CompactJWSHeaderParameters, CryptoKey, FlattenedJWSInput, JSONWebKeySet, LocalJWKSet } from 'jose'
import { NEVER } from '#lib/async/never.ts'
import { LATE, withDeadline } from '#lib/time/with-deadline.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface RemoteKeysParts {
  readonly url: string
  readonly clock: Clock
  readonly telemetry: Telemetry
}

/** Several keys when the token names none. */
export type KeysAnswer =
  | { readonly kind: 'keys'; readonly keys: readonly CryptoKey[] }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'unavailable'; readonly retryAfterMs: number }

const FETCH_MS = 3000
const FRESH_MS = 10 * 60_000
const KEEP_MS = 24 * 3_600_000
/** The interval between two fetches, after a success and after a failure. */
const COOLDOWN_MS = 10_000
const RETRY_MS = 2000
const BYTES_MAX = 256 * 1024
const KEYS_MAX = 64

interface Tried {
  readonly at: number
  readonly failed: boolean
}

export class RemoteKeys {
  readonly #parts: RemoteKeysParts
  #known: { readonly set: LocalJWKSet; readonly fetchedAt: number } | undefined
  #tried: Tried | undefined
  #fetching: Promise<void> | undefined

  constructor(parts: RemoteKeysParts) {
    this.#parts = parts
  }

  async keysFor(header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<KeysAnswer> {
    const ageMs = this.#known === undefined ? Infinity : this.#parts.clock.now() - this.#known.fetchedAt
    // Known keys serve while newer ones are fetched, unless they are too old to be trusted.
    if (ageMs > FRESH_MS) void this.#refresh()
    if (ageMs > KEEP_MS) this.#known = undefined
    const known = await this.#find(header, token)
    if (known.length > 0) return { kind: 'keys', keys: known }
    await this.#refresh()
    const keys = await this.#find(header, token)
    if (keys.length > 0) return { kind: 'keys', keys }
    // The fetch failed, so it is not known whether the key exists.
    return this.#tried?.failed === true ? { kind: 'unavailable', retryAfterMs: RETRY_MS } : { kind: 'unknown' }
  }

  async #find(header: CompactJWSHeaderParameters, token: FlattenedJWSInput): Promise<readonly CryptoKey[]> {
    if (this.#known === undefined) return []
    try {
      return [await this.#known.set(header, token)]
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return listed(error)
      if (error instanceof errors.JOSEError) return []
      throw error
    }
  }

  /** Never rejects. Does nothing when the last fetch was too recent. */
  async #refresh(): Promise<void> {
    const sinceMs = this.#tried === undefined ? Infinity : this.#parts.clock.now() - this.#tried.at
    if (this.#fetching === undefined && sinceMs < (this.#tried?.failed === true ? RETRY_MS : COOLDOWN_MS)) return
    this.#fetching ??= this.#fetch().finally(() => (this.#fetching = undefined))
    await this.#fetching
  }

  async #fetch(): Promise<void> {
    const { clock, telemetry, url } = this.#parts
    let failed = true
    try {
      const keys = await withDeadline(clock, { ms: FETCH_MS, signal: NEVER }, (signal) => download(url, signal))
      if (keys === LATE) throw new Error(`no answer within ${FETCH_MS} ms`)
      this.#known = { set: createLocalJWKSet(keys), fetchedAt: clock.now() }
      failed = false
    } catch (error) {
      telemetry.log(
        'warn',
        'auth.key-fetch-failed',
        { host: new URL(url).host, hasCachedKeys: this.#known !== undefined },
        error,
      )
    }
    telemetry.count('auth_key_fetch_total', { outcome: failed ? 'failed' : 'ok' })
    this.#tried = { at: clock.now(), failed }
  }
}

async function listed(keys: AsyncIterable<CryptoKey>): Promise<readonly CryptoKey[]> {
  const list: CryptoKey[] = []
  for await (const key of keys) list.push(key)
  return list
}

async function download(url: string, signal: AbortSignal): Promise<JSONWebKeySet> {
  // A redirect leads to an address that was not configured.
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' } })
  if (!response.ok) throw new Error(`the issuer answered ${response.status}`)
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of response.body ?? []) {
    bytes += piece.length
    if (bytes > BYTES_MAX) throw new Error(`the keys are more than ${BYTES_MAX} bytes`)
    pieces.push(piece)
  }
  const set = JSON.parse(Buffer.concat(pieces).toString('utf8')) as JSONWebKeySet | null
  if (!Array.isArray(set?.keys) || set.keys.length > KEYS_MAX) throw new Error('the answer is no set of keys')
  return set
}
