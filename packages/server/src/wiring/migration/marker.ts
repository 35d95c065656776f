// The state of a move in the Redis of its target: begun, or complete. It is written together with the keys that make guests and
// accounts recognisable, and only to a Redis that no node has started on. Until it is complete, no node starts.
import type { Redis } from '#adapters/redis/client/connection.ts'
import { script } from '#adapters/redis/client/script.ts'
import { ACCOUNT_KEY, COOKIE_KEY } from '../identity/lent-keys.ts'
import { StartError } from '../start-error.ts'
import { patiently } from '../stores/patiently.ts'

const MARKER = 'ma:{fleet}:migration'
const KEYS = [MARKER, ACCOUNT_KEY, COOKIE_KEY]

/**
 * `unused`: no node has started on this Redis and nothing was moved to it. `begun`: by a run that has not ended. `changed`: the
 * shop has been served from since that run. `other`: another shop was moved to it. `in-use`: nodes have started on it.
 */
export type MarkerState = 'unused' | 'begun' | 'changed' | 'complete' | 'other' | 'in-use'

/** ARGV from 2: the shop, the digest of its data. */
const STATE = `local function state()
  local known = redis.call('HMGET', KEYS[1], 'shop', 'digest', 'completeAt')
  if not known[1] then return redis.call('EXISTS', KEYS[2]) == 1 and 'in-use' or 'unused' end
  if known[1] ~= ARGV[2] then return 'other' end
  if known[3] then return 'complete' end
  return known[2] == ARGV[3] and 'begun' or 'changed'
end
`
const READ = script('migration-state', `${STATE}return state()`)

/** ARGV from 4: the key of the accounts, the key of the cookies or nothing. */
const BEGIN = script(
  'migration-begin',
  `${STATE}local before = state()
if before ~= 'unused' then return before end
redis.call('HSET', KEYS[1], 'shop', ARGV[2], 'digest', ARGV[3], 'begunAt', now)
redis.call('SET', KEYS[2], ARGV[4])
if ARGV[5] ~= '' then redis.call('SET', KEYS[3], ARGV[5]) end
return 'begun'`,
)

const COMPLETE = script(
  'migration-complete',
  `${STATE}if state() ~= 'begun' then return 0 end
redis.call('HSET', KEYS[1], 'completeAt', now)
return 1`,
)

export interface MovedShop {
  /** The same for every run with this folder. */
  readonly id: string
  readonly digest: string
}

export interface ShopKeys {
  readonly account: Uint8Array
  /** Absent when the nodes get their keys from the environment. */
  readonly cookie?: Uint8Array
}

export async function readMarker(redis: Redis, shop: MovedShop): Promise<MarkerState> {
  return (await patiently(() => redis.run(READ, KEYS, [shop.id, shop.digest]))) as MarkerState
}

/** Returns `begun` when the move may write. A repeat continues it. */
export async function beginMove(redis: Redis, shop: MovedShop, keys: ShopKeys): Promise<MarkerState> {
  const shared = [base64url(keys.account), keys.cookie === undefined ? '' : base64url(keys.cookie)]
  return (await patiently(() => redis.run(BEGIN, KEYS, [shop.id, shop.digest, ...shared]))) as MarkerState
}

export async function completeMove(redis: Redis, shop: MovedShop): Promise<void> {
  await patiently(() => redis.run(COMPLETE, KEYS, [shop.id, shop.digest]))
}

/** Throws a StartError: a node on half of a shop would answer people as if their conversations did not exist. */
export async function refuseHalfMoved(redis: Redis): Promise<void> {
  const [shop, completeAt] = (await patiently(() =>
    redis.command(MARKER, 'HMGET', MARKER, 'shop', 'completeAt'),
  )) as readonly (string | null)[]
  if (typeof shop !== 'string' || typeof completeAt === 'string') return
  throw new StartError(
    'A shop is being moved to this Redis, and the move is not complete. Run `mangaassist migrate --apply` to its end, or empty this Redis.',
  )
}

const base64url = (key: Uint8Array): string => Buffer.from(key).toString('base64url')
