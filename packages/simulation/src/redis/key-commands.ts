// The key and string commands that the adapters use.
import type { KeySpace } from './key-space.ts'
import { integerOf } from './numbers.ts'
import { CommandRefused, OK } from './reply.ts'
import type { Reply } from './reply.ts'

type Arguments = readonly string[]

export const keyCommands = {
  EXISTS: (keys: KeySpace, args: Arguments): Reply => args.filter((key) => keys.has(key)).length,
  DEL: (keys: KeySpace, args: Arguments): Reply => args.filter((key) => keys.delete(key)).length,
  PEXPIRE: (keys: KeySpace, [key = '', ms]: Arguments): Reply => (keys.expire(key, integerOf(ms)) ? 1 : 0),
  GET: (keys: KeySpace, [key = '']: Arguments): Reply => keys.string(key) ?? null,
  GETEX(keys: KeySpace, [key = '', ...options]: Arguments): Reply {
    const found = keys.string(key)
    const { forMs } = optionsOf(options)
    if (found !== undefined && forMs !== undefined) keys.expire(key, forMs)
    return found ?? null
  },
  SET(keys: KeySpace, [key = '', value = '', ...options]: Arguments): Reply {
    const { forMs, isNew } = optionsOf(options)
    if (isNew && keys.has(key)) return null
    keys.put(key, value)
    if (forMs !== undefined) keys.expire(key, forMs)
    return OK
  },
} as const

interface Options {
  readonly forMs: number | undefined
  /** NX: set only if the key does not exist. */
  readonly isNew: boolean
}

function optionsOf(options: Arguments): Options {
  let forMs: number | undefined
  let isNew = false
  for (let index = 0; index < options.length; index += 1) {
    const option = options[index]
    if (option === 'NX') isNew = true
    else if (option === 'PX') forMs = integerOf(options[(index += 1)])
    else throw new CommandRefused('ERR syntax error')
  }
  return { forMs, isNew }
}
