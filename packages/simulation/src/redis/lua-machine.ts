// Runs the production scripts of the Redis adapters, unchanged, in Lua 5.1: compiled once, with `redis.call`,
// `cmsgpack` and Redis's conversions between Lua values and replies. A run leaves no state behind, so one machine
// serves every store of a process.
import type { Script } from '@mangaassist/server/adapters/redis/client/script'
import { LuaStack } from './lua-stack.ts'
import type { Reply } from './reply.ts'

type Argument = string | number

/** Executes one command of a script. */
export type Call = (args: readonly string[]) => Reply

/** Replaces the header of a script, so that line numbers stay the same. */
const PARAMETERS = 'local KEYS, ARGV = ...\n'
const HEADER = '#!lua\n'

/**
 * The globals that scripts have in Redis, and no others; a script can neither create a global nor read a missing one.
 */
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

/** The keys and arguments of a script. */
interface Given {
  readonly keys: readonly string[]
  readonly args: readonly Argument[]
}

export class LuaMachine {
  readonly #stack: LuaStack
  /** Compiled functions by the SHA-1 of the script text. */
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

  /** Throws when the script does; writes before the error remain, as in Redis. Must not be called from within `call`. */
  run(script: Script, { keys, args }: Given, call: Call): Reply {
    const stack = this.#stack
    this.#call = call
    try {
      stack.pushFunction(this.#functionOf(script))
      stack.pushTexts(keys)
      // ARGV[1] is the time in tests of the adapters. It is empty here as in production, so scripts ask for the time.
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
