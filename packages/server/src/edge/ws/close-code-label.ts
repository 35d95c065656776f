// The close code of a WebSocket as a label. A client may send any of two thousand codes, so those that neither the
// protocol nor this server uses are one value.
import { closeCodes } from '@mangaassist/protocol'

const KNOWN = new Set<number>([
  1000,
  1001,
  1002,
  1003,
  1005,
  1006,
  1007,
  1008,
  1009,
  1010,
  1011,
  1012,
  1013,
  ...Object.values(closeCodes),
])

export function closeCodeLabel(code: number): number | 'other' {
  return KNOWN.has(code) ? code : 'other'
}
