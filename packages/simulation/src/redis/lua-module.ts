// Lua 5.1 compiled to WebAssembly: the exported C API, without the conversions of the package around it, which cost
// more than a script does. https://www.lua.org/manual/5.1/manual.html#3
import wasmoon from 'wasmoon-lua5.1'

/** Address in the memory of Lua. */
type Pointer = number
type State = Pointer

export interface LuaModule {
  /** Must be read again after each call: a new array replaces it when the memory grows. */
  readonly HEAPU8: Uint8Array
  addFunction(callee: (state: State) => number, signature: 'ii'): Pointer
  _malloc(bytes: number): Pointer
  _free(at: Pointer): void
  _luaL_loadbuffer(state: State, at: Pointer, bytes: number, name: Pointer): number
  _luaL_ref(state: State, table: number): number
  _lua_checkstack(state: State, values: number): number
  _lua_createtable(state: State, items: number, fields: number): void
  _lua_error(state: State): never
  _lua_pcall(state: State, args: number, results: number, handler: number): number
  _lua_pushboolean(state: State, value: number): void
  _lua_pushcclosure(state: State, callee: Pointer, upvalues: number): void
  _lua_pushlstring(state: State, at: Pointer, bytes: number): void
  _lua_pushnumber(state: State, value: number): void
  _lua_rawgeti(state: State, index: number, item: number): void
  _lua_rawset(state: State, index: number): void
  _lua_rawseti(state: State, index: number, item: number): void
  _lua_settop(state: State, index: number): void
}

export const LUA = {
  registry: -10_000,
  nil: 0,
  boolean: 1,
  number: 3,
  string: 4,
  table: 5,
} as const

/**
 * Byte offsets of the values on a stack, from `lobject.h` and `lstate.h` of Lua 5.1 for 32 bits: a state points to the
 * base and the top of its stack, a value is eight bytes and a type, a string has a header, and a table stores its list
 * apart from the nodes of its other fields.
 */
export const LAYOUT = {
  stateTop: 8,
  stateBase: 12,
  valueType: 8,
  valueBytes: 16,
  stringLength: 12,
  stringText: 16,
  tableItems: 12,
  tableNodes: 16,
  tableSize: 28,
} as const

export interface OpenedLua {
  readonly module: LuaModule
  readonly state: number
}

export async function openLua(): Promise<OpenedLua> {
  const { global, luaApi } = await wasmoon.Lua.create()
  return { module: luaApi.module as LuaModule, state: Number(global.address) }
}
