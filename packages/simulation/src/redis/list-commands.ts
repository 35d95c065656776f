// The list commands that the adapters use.
import type { KeySpace } from './key-space.ts'
import { integerOf, sliceOf } from './numbers.ts'
import { CommandRefused, OK } from './reply.ts'
import type { Reply } from './reply.ts'

type Arguments = readonly string[]

export const listCommands = {
  RPUSH(keys: KeySpace, [key = '', ...values]: Arguments): Reply {
    const list = keys.list(key) ?? keys.put(key, [] as string[])
    for (const value of values) list.push(value)
    return list.length
  },
  LINDEX: (keys: KeySpace, [key = '', position]: Arguments): Reply => keys.list(key)?.at(integerOf(position)) ?? null,
  LRANGE(keys: KeySpace, [key = '', from, to]: Arguments): Reply {
    const [first, last] = [integerOf(from), integerOf(to)]
    const list = keys.list(key)
    return list === undefined ? [] : list.slice(...sliceOf(list.length, first, last))
  },
  LSET(keys: KeySpace, [key = '', position, value = '']: Arguments): Reply {
    const list = keys.list(key)
    if (list === undefined) throw new CommandRefused('ERR no such key')
    const index = integerOf(position)
    const at = index < 0 ? list.length + index : index
    if (at < 0 || at >= list.length) throw new CommandRefused('ERR index out of range')
    list[at] = value
    return OK
  },
  LTRIM(keys: KeySpace, [key = '', from, to]: Arguments): Reply {
    const [first, last] = [integerOf(from), integerOf(to)]
    const list = keys.list(key)
    if (list === undefined) return OK
    const [start, end] = sliceOf(list.length, first, last)
    list.splice(end)
    list.splice(0, start)
    if (list.length === 0) keys.delete(key)
    return OK
  },
} as const
