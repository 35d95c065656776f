// The hash commands that the adapters use.
import type { KeySpace } from './key-space.ts'
import { integerOf } from './numbers.ts'
import { CommandRefused } from './reply.ts'
import type { Reply } from './reply.ts'

type Arguments = readonly string[]

export const hashCommands = {
  HGET: (keys: KeySpace, [key = '', field = '']: Arguments): Reply => keys.hash(key)?.get(field) ?? null,
  HMGET(keys: KeySpace, [key = '', ...fields]: Arguments): Reply {
    const hash = keys.hash(key)
    return fields.map((field) => hash?.get(field) ?? null)
  },
  HSET(keys: KeySpace, [key = '', ...pairs]: Arguments): Reply {
    if (pairs.length === 0 || pairs.length % 2 === 1) {
      throw new CommandRefused("ERR wrong number of arguments for 'hset' command")
    }
    const hash = keys.hash(key) ?? keys.put(key, new Map<string, string>())
    const before = hash.size
    for (let index = 0; index < pairs.length; index += 2) hash.set(pairs[index] ?? '', pairs[index + 1] ?? '')
    return hash.size - before
  },
  HDEL(keys: KeySpace, [key = '', ...fields]: Arguments): Reply {
    const hash = keys.hash(key)
    if (hash === undefined) return 0
    const removed = fields.filter((field) => hash.delete(field)).length
    if (hash.size === 0) keys.delete(key)
    return removed
  },
  HINCRBY(keys: KeySpace, [key = '', field = '', by]: Arguments): Reply {
    const step = integerOf(by)
    const known = keys.hash(key)
    const sum = readInteger(known?.get(field)) + step
    const hash = known ?? keys.put(key, new Map<string, string>())
    hash.set(field, String(sum))
    return sum
  },
} as const

function readInteger(value: string | undefined): number {
  if (value === undefined) return 0
  try {
    return integerOf(value)
  } catch {
    throw new CommandRefused('ERR hash value is not an integer')
  }
}
