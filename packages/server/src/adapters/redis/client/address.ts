// What the configured address of Redis says: who signs in and how, and what may be shown of it.
import type { SpanFields } from '#domain/telemetry/span-attributes.ts'

export function credentialsIn(url: string): { username?: string; password?: string } {
  const { username, password } = new URL(url)
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
}

export function tlsIn(url: string): { tls?: true } {
  return new URL(url).protocol === 'rediss:' ? { tls: true } : {}
}

/** Removes the password that the address may contain. */
export function addressOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'its address'
}

/** The database is the one of the address: nothing selects another. */
export function redisAddressFields(url: string): SpanFields {
  const { host, pathname } = new URL(url)
  return { dbSystem: 'redis', dbNamespace: pathname.slice(1) || '0', serverAddress: host }
}
