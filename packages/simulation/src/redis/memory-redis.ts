// An in-memory Redis on the world's clock, with what the adapters use: their commands, their production scripts, and
// channels. Deterministic; calls run one after another. A property test compares it with a real Redis.
import type { Script } from '@mangaassist/server/adapters/redis/client/script'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import { bytesOf, textOf } from './byte-string.ts'
import { hashCommands } from './hash-commands.ts'
import { keyCommands } from './key-commands.ts'
import { KeySpace } from './key-space.ts'
import { listCommands } from './list-commands.ts'
import { LuaMachine } from './lua-machine.ts'
import { CommandRefused, isList } from './reply.ts'
import type { Reply } from './reply.ts'
import { sortedSetCommands } from './sorted-set-commands.ts'

type Argument = string | number
type Command = (keys: KeySpace, args: readonly string[]) => Reply

export interface Subscriber {
  receive(message: string): void
}

const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>(
  Object.entries({ ...keyCommands, ...hashCommands, ...listCommands, ...sortedSetCommands }),
)

/** Shared by all stores: it holds no state of any store. */
const lua = await LuaMachine.open()

export class MemoryRedis {
  readonly #keys: KeySpace
  readonly #channels = new Map<string, Set<Subscriber>>()
  /** Messages published by the running script; delivered when the script has ended. */
  #published: (readonly [channel: string, message: string])[] = []

  constructor(clock: Pick<Clock, 'now'>) {
    this.#keys = new KeySpace(clock)
  }

  run(script: Script, keys: readonly string[], args: readonly Argument[]): unknown {
    const reply = lua.run(script, { keys, args }, this.#execute)
    this.#deliver()
    return reply
  }

  command(args: readonly string[]): unknown {
    const reply = this.#execute(args.map(bytesOf))
    this.#deliver()
    return readable(reply)
  }

  subscribe(channel: string, subscriber: Subscriber): void {
    const known = this.#channels.get(channel)
    if (known === undefined) this.#channels.set(channel, new Set([subscriber]))
    else known.add(subscriber)
  }

  unsubscribe(channel: string, subscriber: Subscriber): void {
    const known = this.#channels.get(channel)
    known?.delete(subscriber)
    if (known?.size === 0) this.#channels.delete(channel)
  }

  /** Removes every subscription, and every key that passes. */
  lose(passes: (key: string) => boolean): void {
    this.#keys.deleteWhere(passes)
    this.#channels.clear()
  }

  readonly #execute = ([name = '', ...args]: readonly string[]): Reply => {
    if (name === 'TIME') return this.#time()
    if (name === 'SPUBLISH') return this.#publish(args)
    const command = COMMANDS.get(name)
    if (command === undefined) throw new CommandRefused(`ERR unknown command '${name}'`)
    return command(this.#keys, args)
  }

  #time(): Reply {
    const now = this.#keys.now()
    const seconds = Math.floor(now / 1000)
    return [String(seconds), String(Math.floor((now - seconds * 1000) * 1000))]
  }

  #publish([channel = '', message = '']: readonly string[]): number {
    const subscribers = this.#channels.get(textOf(channel))?.size ?? 0
    if (subscribers > 0) this.#published.push([textOf(channel), textOf(message)])
    return subscribers
  }

  #deliver(): void {
    if (this.#published.length === 0) return
    const published = this.#published
    this.#published = []
    for (const [channel, message] of published) {
      for (const subscriber of this.#channels.get(channel) ?? []) subscriber.receive(message)
    }
  }
}

/** Decodes the bytes of a reply as text for the caller. */
function readable(reply: Reply): unknown {
  if (typeof reply === 'string') return textOf(reply)
  if (typeof reply === 'number' || reply === null) return reply
  return isList(reply) ? reply.map(readable) : reply.ok
}
