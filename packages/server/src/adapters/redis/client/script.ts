// A Lua script as a value: its text and the digest by which Redis knows it. Every script is idempotent by an operation id
// or by its nature, declares all its keys, keeps them on one slot, sets their expiry, and takes the time from the server.
import { createHash } from 'node:crypto'

export interface Script {
  readonly name: string
  readonly lua: string
  readonly sha1: string
  /** Sent even while the circuit is open: it must not wait until the circuit closes. */
  readonly isUrgent?: true
}

/** Makes Redis refuse undeclared and cross-slot keys, on one server as on a cluster. */
const HEADER = '#!lua\n'

/**
 * `now` in milliseconds: the server's clock, or a test's, which is ARGV[1] (empty in production). Every script begins with
 * it, so its own arguments begin at ARGV[2].
 */
const TIME = `local now
if ARGV[1] ~= '' then now = tonumber(ARGV[1]) else
  local t = redis.call('TIME')
  now = t[1] * 1000 + math.floor(t[2] / 1000)
end
`

export function script(name: string, body: string): Script {
  const lua = HEADER + TIME + body
  return { name, lua, sha1: createHash('sha1').update(lua).digest('hex') }
}
