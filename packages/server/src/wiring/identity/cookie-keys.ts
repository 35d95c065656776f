// The keys that sign guests' cookies, from the environment: MANGA_COOKIE_KEY, base64url of at least 32 bytes, or several with
// commas between them while one is being retired. The first one signs. A key is never shown, not even an invalid one.
import type { SigningKeys } from '#edge/identity/signature.ts'
import { COOKIE_KEY_VARIABLE } from '#config/load-config.ts'
import type { ConfigProblem } from '#config/load-config.ts'
import type { Environment } from '../models/model-secrets.ts'

/** 43 characters of six bits are 32 bytes. */
const KEY_SHAPE = /^[A-Za-z0-9_-]{43,1024}$/
const KEYS_MAX = 8

/** Undefined when the environment has none. */
export function cookieKeysIn(env: Environment): SigningKeys | undefined {
  const [first, ...rest] = given(env).map((key) => Buffer.from(key, 'base64url'))
  return first === undefined ? undefined : [first, ...rest]
}

export function cookieKeyProblems(env: Environment): readonly ConfigProblem[] {
  const keys = given(env)
  if (keys.length <= KEYS_MAX && keys.every((key) => KEY_SHAPE.test(key))) return []
  return [
    {
      path: COOKIE_KEY_VARIABLE,
      given: 'a value that is not a list of keys (not shown: it may contain one)',
      allowed: `up to ${KEYS_MAX} keys with commas between them, each at least 32 bytes as base64url`,
      fix: `Make one with: node -e "console.log(crypto.randomBytes(32).toString('base64url'))"`,
    },
  ]
}

/** An empty variable, as a compose file leaves it, has no keys; an empty part between commas is an invalid key. */
function given(env: Environment): readonly string[] {
  const parts = (env[COOKIE_KEY_VARIABLE] ?? '').split(',').map((part) => part.trim())
  return parts.length === 1 && parts[0] === '' ? [] : parts
}
