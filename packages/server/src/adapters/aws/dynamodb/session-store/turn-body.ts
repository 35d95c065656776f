// The text of a turn or a summary as it is stored: short texts as they are, longer ones compressed, because a write is paid by the
// kilobyte; and cut into parts where it would come near the 400 KB that DynamoDB allows an item.
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'

export type Body = string | Uint8Array

/** With the keys, a text of this size still costs one write unit. */
const PLAIN_BYTES_MAX = 640
const PART_BYTES_MAX = 300 * 1024
/** A transaction has at most 4 MB, and 100 items. */
const BODY_BYTES_MAX = 3584 * 1024
/** Half of the time of the best, and within some percent of its size. */
const QUALITY = 5

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** At least one part. */
export async function packed(text: string): Promise<readonly [Body, ...Body[]]> {
  if (Buffer.byteLength(text) <= PLAIN_BYTES_MAX) return [text]
  const { BROTLI_MODE_TEXT, BROTLI_PARAM_MODE, BROTLI_PARAM_QUALITY } = constants
  const params = { [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT, [BROTLI_PARAM_QUALITY]: QUALITY }
  const bytes = await compress(text, { params })
  if (bytes.length > BODY_BYTES_MAX) throw new RangeError(`a text of ${bytes.length} bytes cannot be stored`)
  const first = bytes.subarray(0, PART_BYTES_MAX)
  const rest: Body[] = []
  for (let from = PART_BYTES_MAX; from < bytes.length; from += PART_BYTES_MAX)
    rest.push(bytes.subarray(from, from + PART_BYTES_MAX))
  return [first, ...rest]
}

/** The text whose parts these are, in order. */
export async function unpacked(parts: readonly Body[]): Promise<string> {
  const [first] = parts
  if (typeof first === 'string') return first
  const bytes = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  return (await decompress(bytes)).toString()
}
