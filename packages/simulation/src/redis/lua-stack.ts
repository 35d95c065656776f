// Moves values between TypeScript and the stack of Lua by the rules of Redis: a script's number becomes an integer in a
// reply, a missing value is `false` in Lua, a list ends at its first nil. Strings cross as bytes. A call into
// WebAssembly costs more than a value does, so values are read directly from the memory of the stack.
import { isDeepStrictEqual } from 'node:util'
import { LAYOUT, LUA, openLua } from './lua-module.ts'
import type { LuaModule, OpenedLua } from './lua-module.ts'
import { packNumbers, unpackNumbers } from './message-pack.ts'
import { isList } from './reply.ts'
import type { Reply } from './reply.ts'

const SCRATCH_BYTES = 65_536
/** Lua guarantees a C function twenty free stack slots, and each packed number takes at least one byte. */
const PACKED_BYTES_MAX = 19
/** Most UTF-8 bytes for one UTF-16 unit. */
const BYTES_PER_UNIT = 3

export class LuaStack {
  readonly #lua: LuaModule
  readonly #state: number
  /** Scratch memory for strings on their way into Lua. */
  #scratchAt: number
  #scratchBytes = SCRATCH_BYTES
  /** Views of the memory of Lua; replaced when it grows. */
  #bytes: Buffer
  #words: Uint32Array
  #numbers: Float64Array
  /** Node pointer of a table that is a pure list. */
  #noNodes = 0

  private constructor({ module, state }: OpenedLua) {
    this.#lua = module
    this.#state = state
    this.#scratchAt = module._malloc(SCRATCH_BYTES)
    const { buffer } = module.HEAPU8
    this.#bytes = Buffer.from(buffer)
    this.#words = new Uint32Array(buffer)
    this.#numbers = new Float64Array(buffer)
    this.#checkLayout()
  }

  static async open(): Promise<LuaStack> {
    return new LuaStack(await openLua())
  }

  /** Returns the registry index of the compiled function. */
  compile(text: string, name: string): number {
    const label = this.#write(`@${name}\0`, 'utf8')
    const labelAt = this.#lua._malloc(label)
    this.#memory().copy(this.#bytes, labelAt, this.#scratchAt, this.#scratchAt + label)
    const length = this.#write(text, 'utf8')
    const failure = this.#lua._luaL_loadbuffer(this.#state, this.#scratchAt, length, labelAt)
    this.#lua._free(labelAt)
    if (failure !== 0) throw this.#failure()
    return this.#lua._luaL_ref(this.#state, LUA.registry)
  }

  pushFunction(compiled: number): void {
    this.#lua._lua_rawgeti(this.#state, LUA.registry, compiled)
  }

  /**
   * Pushes a TypeScript function that reads its arguments from the stack, pushes its results and returns their count.
   */
  pushCallee(callee: () => number): void {
    const pointer = this.#lua.addFunction(() => {
      let message: string
      try {
        return callee()
      } catch (error) {
        message = (error as Error).message
      }
      this.#pushString(message, 'utf8')
      // lua_error unwinds with its own exception, which must not be caught here.
      return this.#lua._lua_error(this.#state)
    }, 'ii')
    this.#lua._lua_pushcclosure(this.#state, pointer, 0)
  }

  /**
   * Calls the function below its `args` arguments and returns its first result, with bytes decoded as UTF-8. Leaves the
   * stack empty.
   */
  run(args: number): Reply {
    try {
      if (this.#lua._lua_pcall(this.#state, args, 1, 0) !== 0) throw this.#failure()
      return this.#replyAt(this.#top() - LAYOUT.valueBytes)
    } finally {
      this.clear()
    }
  }

  clear(): void {
    this.#lua._lua_settop(this.#state, 0)
  }

  pushTexts(texts: readonly (string | number)[]): void {
    this.#lua._lua_createtable(this.#state, texts.length, 0)
    for (let index = 0; index < texts.length; index += 1) {
      this.#pushString(String(texts[index]), 'utf8')
      this.#lua._lua_rawseti(this.#state, -2, index + 1)
    }
  }

  /** The arguments of a command: strings as bytes, and numbers as Redis writes them. */
  arguments(): string[] {
    const args: string[] = []
    const top = this.#top()
    for (let at = this.#base(); at < top; at += LAYOUT.valueBytes) {
      const type = this.#typeAt(at)
      if (type === LUA.string) args.push(this.#stringAt(at, 'latin1'))
      else if (type === LUA.number) args.push(String(this.#numberAt(at)))
      else throw new Error('ERR Lua redis lib command arguments must be strings or integers')
    }
    return args
  }

  pushReply(reply: Reply): void {
    if (typeof reply === 'string') return this.#pushString(reply, 'latin1')
    if (typeof reply === 'number') return this.#pushNumber(reply)
    if (reply === null) return this.#lua._lua_pushboolean(this.#state, 0)
    if (!isList(reply)) return this.#pushStatus(reply.ok)
    this.#lua._lua_createtable(this.#state, reply.length, 0)
    for (let index = 0; index < reply.length; index += 1) {
      this.pushReply(reply[index] ?? null)
      this.#lua._lua_rawseti(this.#state, -2, index + 1)
    }
  }

  /** Packs all arguments, which must be numbers, into one string. */
  packNumbers(): number {
    const values: number[] = []
    const top = this.#top()
    for (let at = this.#base(); at < top; at += LAYOUT.valueBytes) {
      if (this.#typeAt(at) !== LUA.number) throw new Error('only numbers can be packed here')
      values.push(this.#numberAt(at))
    }
    this.#pushString(packNumbers(values), 'latin1')
    return 1
  }

  /** Unpacks the numbers of the string on top of the stack. */
  unpackNumbers(): number {
    const at = this.#top() - LAYOUT.valueBytes
    if (this.#typeAt(at) !== LUA.string) throw new Error('only a string can be unpacked here')
    const span = this.#spanAt(at)
    const bytes = span[1] - span[0]
    if (bytes > PACKED_BYTES_MAX) this.#lua._lua_checkstack(this.#state, bytes)
    return unpackNumbers(this.#memory(), span, this.#pushNumber)
  }

  /** Same as `lua_pushnumber`, without the call into WebAssembly. */
  readonly #pushNumber = (value: number): void => {
    const top = this.#top()
    this.#numbers[top >>> 3] = value
    this.#words[(top + LAYOUT.valueType) >>> 2] = LUA.number
    this.#words[(this.#state + LAYOUT.stateTop) >>> 2] = top + LAYOUT.valueBytes
  }

  #pushStatus(ok: string): void {
    this.#lua._lua_createtable(this.#state, 0, 1)
    this.#pushString('ok', 'latin1')
    this.#pushString(ok, 'latin1')
    this.#lua._lua_rawset(this.#state, -3)
  }

  #pushString(value: string, encoding: 'utf8' | 'latin1'): void {
    const bytes = this.#write(value, encoding)
    this.#lua._lua_pushlstring(this.#state, this.#scratchAt, bytes)
  }

  /** Writes into the scratch memory and returns the number of bytes. */
  #write(value: string, encoding: 'utf8' | 'latin1'): number {
    const needed = value.length * BYTES_PER_UNIT
    if (needed > this.#scratchBytes) this.#growScratch(needed)
    return this.#memory().write(value, this.#scratchAt, this.#scratchBytes, encoding)
  }

  #growScratch(bytes: number): void {
    this.#lua._free(this.#scratchAt)
    this.#scratchBytes = bytes * 2
    this.#scratchAt = this.#lua._malloc(this.#scratchBytes)
  }

  /** Converts a value to the reply of a script. */
  #replyAt(at: number): Reply {
    switch (this.#typeAt(at)) {
      case LUA.number:
        return Math.trunc(this.#numberAt(at))
      case LUA.string:
        return this.#stringAt(at, 'utf8')
      case LUA.boolean:
        return this.#words[at >>> 2] === 1 ? 1 : null
      case LUA.table:
        return this.#listAt(at)
      default:
        return null
    }
  }

  /**
   * Reads a table up to its first nil. A table with other fields, such as `ok` and `err`, is refused: no production
   * script returns one.
   */
  #listAt(at: number): readonly Reply[] {
    const table = this.#words[at >>> 2] ?? 0
    if (this.#words[(table + LAYOUT.tableNodes) >>> 2] !== this.#noNodes) throw new Error('a reply is not a plain list')
    const start = this.#words[(table + LAYOUT.tableItems) >>> 2] ?? 0
    const end = start + (this.#words[(table + LAYOUT.tableSize) >>> 2] ?? 0) * LAYOUT.valueBytes
    const items: Reply[] = []
    for (let item = start; item < end && this.#typeAt(item) !== LUA.nil; item += LAYOUT.valueBytes) {
      items.push(this.#replyAt(item))
    }
    return items
  }

  #base(): number {
    return this.#words[(this.#state + LAYOUT.stateBase) >>> 2] ?? 0
  }

  /**
   * Address of the top of the stack. Call it before any read that follows a call into Lua: it refreshes the memory
   * views.
   */
  #top(): number {
    this.#memory()
    return this.#words[(this.#state + LAYOUT.stateTop) >>> 2] ?? 0
  }

  #typeAt(at: number): number {
    return this.#words[(at + LAYOUT.valueType) >>> 2] ?? 0
  }

  #numberAt(at: number): number {
    return this.#numbers[at >>> 3] ?? 0
  }

  #stringAt(at: number, encoding: 'utf8' | 'latin1'): string {
    return this.#bytes.toString(encoding, ...this.#spanAt(at))
  }

  #spanAt(at: number): readonly [number, number] {
    const string = this.#words[at >>> 2] ?? 0
    const start = string + LAYOUT.stringText
    return [start, start + (this.#words[(string + LAYOUT.stringLength) >>> 2] ?? 0)]
  }

  #memory(): Buffer {
    // Views of a memory that has grown have length 0.
    if (this.#words.length > 0) return this.#bytes
    const { buffer } = this.#lua.HEAPU8
    this.#words = new Uint32Array(buffer)
    this.#numbers = new Float64Array(buffer)
    this.#bytes = Buffer.from(buffer)
    return this.#bytes
  }

  #failure(): Error {
    const at = this.#top() - LAYOUT.valueBytes
    const message = this.#typeAt(at) === LUA.string ? this.#stringAt(at, 'utf8') : 'an error without a text'
    this.clear()
    return new Error(message)
  }

  /** Checks that this build of Lua has the expected memory layout, and throws at once if not. */
  #checkLayout(): void {
    const base = this.#top()
    this.#lua._lua_createtable(this.#state, 0, 0)
    this.#noNodes = this.#words[((this.#words[base >>> 2] ?? 0) + LAYOUT.tableNodes) >>> 2] ?? 0
    this.clear()
    const sample = [Math.trunc(Math.PI * 1e12), 'layout', null, [-1, []]]
    this.pushReply(sample)
    this.#lua._lua_pushnumber(this.#state, Math.PI)
    this.#pushNumber(Math.PI)
    const numbers = [base + LAYOUT.valueBytes, base + 2 * LAYOUT.valueBytes]
    const isRead = isDeepStrictEqual(this.#replyAt(base), sample) && this.#base() === base
    if (!isRead || numbers.some((at) => this.#typeAt(at) !== LUA.number || this.#numberAt(at) !== Math.PI)) {
      throw new Error('this build of Lua has another layout')
    }
    this.clear()
  }
}
