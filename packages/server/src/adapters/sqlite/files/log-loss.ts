// Whether the write-ahead log beside a database has lost writes: SQLite reads it up to the first frame that is not whole and ignores the rest without a
// word. Called before the database is opened, which would overwrite the log. The format is that of https://sqlite.org/fileformat2.html#walformat.
import { existsSync, readFileSync } from 'node:fs'

export type LogLoss =
  | { readonly what: 'missing' }
  /** So many frames, each a page, follow the first that cannot be read. */
  | { readonly what: 'damaged'; readonly frames: number }

const HEADER_BYTES = 32
const FRAME_HEADER_BYTES = 24
const MAGIC = 0x377f0682
const MAGIC_BIG_ENDIAN = 0x377f0683

/** `wasKilled`: the process that had the database last did not close it, and so left a log. */
export function logLossOf(database: string, { wasKilled }: { readonly wasKilled: boolean }): LogLoss | undefined {
  const path = `${database}-wal`
  if (!existsSync(path)) return wasKilled && existsSync(database) ? { what: 'missing' } : undefined
  const frames = unreadableFrames(readFileSync(path))
  return frames === 0 ? undefined : { what: 'damaged', frames }
}

/**
 * Frames of an earlier round of the log have other salts. One frame that is not whole may be the last write of a process that was killed; if frames of the
 * same round follow it, the log was damaged.
 */
function unreadableFrames(log: Buffer): number {
  if (log.length < HEADER_BYTES + FRAME_HEADER_BYTES) return 0
  const magic = log.readUInt32BE(0)
  const frameBytes = FRAME_HEADER_BYTES + log.readUInt32BE(8)
  let sum: Sum = [0, 0]
  const isBig = magic === MAGIC_BIG_ENDIAN
  const add = (from: number, to: number) => (sum = summed(log, [from, to], { before: sum, isBig }))
  const isSum = (at: number) => log.readUInt32BE(at) === sum[0] && log.readUInt32BE(at + 4) === sum[1]
  add(0, HEADER_BYTES - 8)
  if ((magic !== MAGIC && !isBig) || !isSum(HEADER_BYTES - 8))
    return Math.floor((log.length - HEADER_BYTES) / frameBytes) || 1
  const ofThisRound = (at: number) => log.compare(log, 16, 24, at + 8, at + 16) === 0
  const lastAt = log.length - frameBytes
  let at = HEADER_BYTES
  for (; at <= lastAt && ofThisRound(at); at += frameBytes) {
    add(at, at + 8)
    add(at + FRAME_HEADER_BYTES, at + frameBytes)
    if (!isSum(at + 16)) break
  }
  let following = 0
  for (at += frameBytes; at <= lastAt; at += frameBytes) if (ofThisRound(at)) following += 1
  return following
}

type Sum = readonly [number, number]

interface Summing {
  readonly before: Sum
  readonly isBig: boolean
}

function summed(bytes: Buffer, [from, to]: readonly [number, number], { before, isBig }: Summing): Sum {
  let [one, other] = before
  const word = (at: number) => (isBig ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at))
  for (let at = from; at < to; at += 8) {
    one = (one + word(at) + other) >>> 0
    other = (other + word(at + 4) + one) >>> 0
  }
  return [one, other]
}
