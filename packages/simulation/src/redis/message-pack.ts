// `cmsgpack` of Redis for numbers, the only type that the scripts pack: the shortest form of each, identical to the
// byte.
import { CommandRefused } from './reply.ts'

const FIXED_MAX = 0x7f
const UINT8 = 0xcc
const UINT16 = 0xcd
const UINT32 = 0xce
const UINT64 = 0xcf
const INT8 = 0xd0
const INT16 = 0xd1
const INT32 = 0xd2
const INT64 = 0xd3
const FLOAT32 = 0xca
const FLOAT64 = 0xcb
const NEGATIVE_FIXED_MIN = 0xe0

const WIDE = 2 ** 63

/** Most bytes of one packed number. */
const NUMBER_BYTES = 9

/** Returns a byte string, one character per byte. */
export function packNumbers(values: readonly number[]): string {
  const into = Buffer.allocUnsafe(values.length * NUMBER_BYTES)
  let at = 0
  for (const value of values) at = isInteger(value) ? packInteger(into, at, value) : packFloat(into, at, value)
  return into.toString('latin1', 0, at)
}

/** Whether the value fits a 64-bit integer. */
function isInteger(value: number): boolean {
  return Number.isInteger(value) && value >= -WIDE && value < WIDE
}

function packInteger(into: Buffer, at: number, value: number): number {
  if (value >= 0) {
    if (value <= FIXED_MAX) return into.writeUInt8(value, at)
    if (value <= 0xff) return into.writeUInt8(value, into.writeUInt8(UINT8, at))
    if (value <= 0xffff) return into.writeUInt16BE(value, into.writeUInt8(UINT16, at))
    if (value <= 0xffff_ffff) return into.writeUInt32BE(value, into.writeUInt8(UINT32, at))
    return writeWide(into, into.writeUInt8(UINT64, at), value)
  }
  if (value >= -32) return into.writeInt8(value, at)
  if (value >= -0x80) return into.writeInt8(value, into.writeUInt8(INT8, at))
  if (value >= -0x8000) return into.writeInt16BE(value, into.writeUInt8(INT16, at))
  if (value >= -0x8000_0000) return into.writeInt32BE(value, into.writeUInt8(INT32, at))
  return writeWide(into, into.writeUInt8(INT64, at), value)
}

function writeWide(into: Buffer, at: number, value: number): number {
  return into.writeUInt32BE(value >>> 0, into.writeInt32BE(Math.floor(value / 2 ** 32), at))
}

function packFloat(into: Buffer, at: number, value: number): number {
  if (Math.fround(value) === value) return into.writeFloatBE(value, into.writeUInt8(FLOAT32, at))
  return into.writeDoubleBE(value, into.writeUInt8(FLOAT64, at))
}

/** Passes each number to `take` and returns their count. */
export function unpackNumbers(
  from: Buffer,
  [start, end]: readonly [start: number, end: number],
  take: (value: number) => void,
): number {
  let count = 0
  for (let at = start; at < end; count += 1) {
    const kind = from[at] ?? 0
    at += 1
    if (kind <= FIXED_MAX) take(kind)
    else if (kind >= NEGATIVE_FIXED_MIN) take(kind - 0x100)
    else {
      take(readNumber(from, at, kind))
      at += widthOf(kind)
    }
  }
  return count
}

function readNumber(from: Buffer, at: number, kind: number): number {
  switch (kind) {
    case UINT8:
      return from.readUInt8(at)
    case UINT16:
      return from.readUInt16BE(at)
    case UINT32:
      return from.readUInt32BE(at)
    case UINT64:
      return from.readUInt32BE(at) * 2 ** 32 + from.readUInt32BE(at + 4)
    case INT8:
      return from.readInt8(at)
    case INT16:
      return from.readInt16BE(at)
    case INT32:
      return from.readInt32BE(at)
    case INT64:
      return from.readInt32BE(at) * 2 ** 32 + from.readUInt32BE(at + 4)
    case FLOAT32:
      return from.readFloatBE(at)
    case FLOAT64:
      return from.readDoubleBE(at)
    default:
      throw new CommandRefused('ERR only numbers can be packed and unpacked here')
  }
}

function widthOf(kind: number): number {
  switch (kind) {
    case UINT8:
    case INT8:
      return 1
    case UINT16:
    case INT16:
      return 2
    case UINT32:
    case INT32:
    case FLOAT32:
      return 4
    default:
      return 8
  }
}
