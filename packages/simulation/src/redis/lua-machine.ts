// Runs the scripts of the Redis adapters, the text that production sends, in Lua 5.1: compiled once, with `redis.call`,
// `cmsgpack` and the conversions of Redis between Lua and replies. Nothing of a script outlives its run, so one machine does
// for every store of a process.
import type { Script } from '@mangaassist/server/adapters/redis/client/script'
import { LuaStack } from './lua-stack.ts'
import type { Reply } from './reply.ts'

type Argument = string | number

/** Carries out one command of a script. */
export type Call = (args: readonly string[]) => Reply

/** In place of the header of a script, so that lines keep their numbers. */
const PARAMETERS = 'local KEYS, ARGV = ...\n'
const HEADER = '#!lua\n'

/** What scripts have in Redis, and no more; globals can be neither made nor missed. */
const SANDBOX = `
local call, pack, unpackNumbers = ...
redis = { call = call }
cmsgpack = { pack = pack, unpack = unpackNumbers }
for _, name in ipairs({ 'os', 'io', 'debug', 'package', 'module', 'require', 'dofile', 'loadfile', 'print', 'newproxy' }) do
  _G[name] = nil
end
math.random, math.randomseed = nil, nil
setmetatable(_G, {
  __index = function(_, name) error('Script attempted to access nonexistent global variable ' .. tostring(name), 2) end,
  __newindex = function(_, name) error('Attempt to modify a readonly table: ' .. tostring(name), 2) end,
})`

/** What a script is given. */
interface Given {
  readonly keys: readonly string[]
  readonly args: readonly Argument[]
}

export class LuaMachine {
  readonly #stack: LuaStack
  /** By the digest of their text. */
  readonly #compiled = new Map<string, number>()
  #call: Call = refuse

  private constructor(stack: LuaStack) {
    this.#stack = stack
    stack.pushFunction(stack.compile(SANDBOX, 'sandbox'))
    stack.pushCallee(() => {
      const args = stack.arguments()
      stack.clear()
      stack.pushReply(this.#call(args))
      return 1
    })
    stack.pushCallee(() => stack.packNumbers())
    stack.pushCallee(() => stack.unpackNumbers())
    stack.run(3)
  }

  static async open(): Promise<LuaMachine> {
    return new LuaMachine(await LuaStack.open())
  }

  /** Throws what the script threw; what it did before that stays done, as in Redis. Not from within `call`. */
  run(script: Script, { keys, args }: Given, call: Call): Reply {
    const stack = this.#stack
    this.#call = call
    try {
      stack.pushFunction(this.#functionOf(script))
      stack.pushTexts(keys)
      // The first argument is the time in tests of the adapters; empty as in production, scripts ask for it.
      stack.pushTexts(['', ...args])
      return stack.run(2)
    } catch (error) {
      throw new Error(`the script ${script.name} failed: ${(error as Error).message}`, { cause: error })
    } finally {
      this.#call = refuse
    }
  }

  #functionOf({ lua, name, sha1 }: Script): number {
    const known = this.#compiled.get(sha1)
    if (known !== undefined) return known
    const text = PARAMETERS + (lua.startsWith(HEADER) ? lua.slice(HEADER.length) : lua)
    const compiled = this.#stack.compile(text, name)
    this.#compiled.set(sha1, compiled)
    return compiled
  }
}

function refuse(): never {
  throw new Error('no script runs')
}
