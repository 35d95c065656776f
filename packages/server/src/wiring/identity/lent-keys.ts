// Keys that all nodes of a cluster must share and that are not configured: the first node shares its own through Redis.
import type { Redis } from '#adapters/redis/client/connection.ts'
import type { SigningKeys } from '#edge/identity/signature.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import { patiently } from '../stores/patiently.ts'
import type { Environment } from '../models/model-secrets.ts'
import { cookieKeysIn } from './cookie-keys.ts'

export const COOKIE_KEY = 'ma:{fleet}:cookie-key'
export const ACCOUNT_KEY = 'ma:{fleet}:account-key'

export interface LentKeys {
  readonly cookieKeys: SigningKeys
  readonly accountKey: Uint8Array
  /** Writes them again to a Redis that has lost them: nodes that start later must recognise the guests and the accounts. */
  lendAgain(): Promise<void>
}

export interface LentKeysParts {
  readonly redis: Redis
  readonly env: Environment
  readonly telemetry: Telemetry
  /** The key in this node's DATA_DIR. */
  readonly own: Uint8Array
}

export async function lentKeys({ env, own, redis, telemetry }: LentKeysParts): Promise<LentKeys> {
  // A key of its own and not the cookie key: accounts are named by it, so a changed key would give every user a new
  // budget.
  const accountKey = (await patiently(() => lendKey(redis, ACCOUNT_KEY, own))) ?? own
  const configured = cookieKeysIn(env)
  const cookieKeys = configured ?? (await sharedCookieKeys(redis, own, telemetry))
  return {
    cookieKeys,
    accountKey,
    async lendAgain() {
      await lendKey(redis, ACCOUNT_KEY, accountKey)
      if (configured === undefined) await lendKey(redis, COOKIE_KEY, cookieKeys[0])
    },
  }
}

/** The node's own key still verifies: a guest from before it joined the cluster is recognised and gets a new cookie. */
async function sharedCookieKeys(redis: Redis, own: Uint8Array, telemetry: Telemetry): Promise<SigningKeys> {
  const advice = 'set MANGA_COOKIE_KEY to the same value on every node; until then they share a key through Redis'
  telemetry.log('warn', 'cluster.cookie-key-shared', { advice })
  const first = await patiently(() => lendKey(redis, COOKIE_KEY, own))
  if (first === undefined || first.equals(own)) return [own]
  return [first, own]
}

/** Returns the key that was already there; undefined if this node's key was stored. */
async function lendKey(redis: Redis, name: string, own: Uint8Array): Promise<Buffer | undefined> {
  const offered = Buffer.from(own).toString('base64url')
  const first = await redis.command(name, 'SET', name, offered, 'NX', 'GET')
  return typeof first === 'string' ? Buffer.from(first, 'base64url') : undefined
}
