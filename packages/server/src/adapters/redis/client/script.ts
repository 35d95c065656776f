// A Lua script as a value: its text and the digest Redis knows it by. Every script is idempotent by an operation id or
// by its nature, names all its keys, keeps them on one slot, sets their expiry, and takes the time from the server.
import { createHash } from 'node:crypto'

export interface Script {
  readonly name: string
  readonly lua: string
  readonly sha1: string
  /** Sent also while calls are not made because Redis keeps not answering: it may not wait until the next one is. */
  readonly isUrgent?: true
}

/** The header makes Redis refuse undeclared and cross-slot keys, on one server as on a cluster. */
const HEADER = '#!lua\n'

/**
 * `now` in milliseconds: the server's clock, or what a test says it is, which is ARGV[1] (empty in life).
 * Every script begins with it, so its own arguments begin at ARGV[2].
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
