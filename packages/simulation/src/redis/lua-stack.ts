// Values between TypeScript and the stack of Lua, by the rules of Redis: a number of a script becomes an integer in a reply, a
// missing value is `false` in Lua, a list ends at its first nil. Strings cross as bytes. A call into WebAssembly costs more than
// a value does, so values on the stack are read where they lie.
import { isDeepStrictEqual } from 'node:util'
import { LAYOUT, LUA, openLua } from './lua-module.ts'
import type { LuaModule, OpenedLua } from './lua-module.ts'
import { packNumbers, unpackNumbers } from './message-pack.ts'
import { isList } from './reply.ts'
import type { Reply } from './reply.ts'

const SCRATCH_BYTES = 65_536
/** A function has room for twenty values on the stack, and each number takes at least a byte. */
const PACKED_BYTES_MAX = 19
/** UTF-8 of one unit of UTF-16. */
const BYTES_PER_UNIT = 3

export class LuaStack {
  readonly #lua: LuaModule
  readonly #state: number
  /** Where strings lie on their way into Lua. */
  #scratchAt: number
  #scratchBytes = SCRATCH_BYTES
  /** The memory of Lua, which is another one after it has grown. */
  #bytes: Buffer
  #words: Uint32Array
  #numbers: Float64Array
  /** What a table has that is nothing but a list. */
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

  /** Answers the number that the function is stored under. */
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

  /** A function of ours: reads its arguments from the stack, pushes results and answers how many. */
  pushCallee(callee: () => number): void {
    const pointer = this.#lua.addFunction(() => {
      let message: string
      try {
        return callee()
      } catch (error) {
        message = (error as Error).message
      }
      this.#pushString(message, 'utf8')
      // Unwinds by an exception of its own, which must not be caught here.
      return this.#lua._lua_error(this.#state)
    }, 'ii')
    this.#lua._lua_pushcclosure(this.#state, pointer, 0)
  }

  /** Calls the function under its `args` arguments; answers its first result, with text. Leaves the stack empty. */
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
    for (let place = 0; place < texts.length; place += 1) {
      this.#pushString(String(texts[place]), 'utf8')
      this.#lua._lua_rawseti(this.#state, -2, place + 1)
    }
  }

  /** What a command is given: bytes, and numbers as Redis writes them. */
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
    for (let place = 0; place < reply.length; place += 1) {
      this.pushReply(reply[place] ?? null)
      this.#lua._lua_rawseti(this.#state, -2, place + 1)
    }
  }

  /** All arguments, which are numbers, as one string. */
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

  /** The numbers of the string on the stack. */
  unpackNumbers(): number {
    const at = this.#top() - LAYOUT.valueBytes
    if (this.#typeAt(at) !== LUA.string) throw new Error('only a string can be unpacked here')
    const span = this.#spanAt(at)
    const bytes = span[1] - span[0]
    if (bytes > PACKED_BYTES_MAX) this.#lua._lua_checkstack(this.#state, bytes)
    return unpackNumbers(this.#memory(), span, this.#pushNumber)
  }

  /** As `lua_pushnumber` does. */
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

  /** Into the scratch memory; answers how many bytes. */
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

  /** A value as the reply of a script. */
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

  /** A table up to its first nil. Items that lie outside of its array, such as `ok` and `err`, no script answers with. */
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

  /** Where the stack ends. Whatever is read after a call into Lua begins with this. */
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
    // A memory that has grown leaves its former views empty.
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

  /** The places that are read here are those of this build of Lua: another one is refused at once. */
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
