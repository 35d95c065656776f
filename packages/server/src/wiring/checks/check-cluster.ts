// Checks of a cluster's settings that a schema cannot make: an invalid address and invalid keys. Both are secrets, so the given
// value is never shown.
import type { ConfigCheck } from '#config/load-config.ts'
import { cookieKeyProblems } from '../identity/cookie-keys.ts'
import type { Environment } from '../models/model-secrets.ts'

export function checkCluster({ env }: { readonly env: Environment }): ConfigCheck {
  return async ({ state }, isWrong) => {
    const keys = cookieKeyProblems(env)
    if (isWrong('state.redis') || state.redis === undefined || isAddress(state.redis)) return keys
    const path = 'state.redis'
    const given = 'an address that cannot be read (not shown: it may hold a password)'
    const allowed = 'redis://host:6379, or with a password redis://:password@host:6379; rediss:// for TLS'
    const fix = 'Write characters such as / @ # in a password as %2F %40 %23.'
    return [{ path, given, allowed, fix }, ...keys]
  }
}

function isAddress(text: string): boolean {
  // An unescaped character in a password ends it early, and the rest of it becomes the path or the fragment.
  const address = URL.canParse(text) ? new URL(text) : undefined
  return (
    address !== undefined && address.hostname !== '' && /^(?:\/\d*)?$/.test(address.pathname) && address.hash === ''
  )
}
