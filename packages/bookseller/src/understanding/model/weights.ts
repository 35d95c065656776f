// The weights of a linear model: for each feature the labels it speaks for or against, in one buffer as it lies in the
// file. Features are 32-bit hashes in ascending order, found by interpolation, so nothing is built when it is opened.

export interface Weights {
  /** Adds the weights of the feature to the scores of its labels. */
  add(feature: number, scores: Float64Array): void
}

/** How weights lie in the file: counts, then the arrays one after the other, each aligned to four bytes. */
export interface WeightTable {
  readonly features: Uint32Array
  /** For each feature the start of its entries; one more than there are features. */
  readonly starts: Uint32Array
  readonly labels: Uint8Array
  readonly values: Int16Array
  /** A stored value times this is the weight. */
  readonly scale: number
}

export function weights(table: WeightTable): Weights {
  const { starts, labels, values, scale } = table
  return {
    add(feature, scores) {
      const row = find(table.features, feature)
      if (row === -1) return
      for (let entry = starts[row]!; entry < starts[row + 1]!; entry += 1)
        scores[labels[entry]!]! += values[entry]! * scale
    },
  }
}

/** Hashes are spread evenly, so a few guesses by proportion find one of a hundred thousand. */
function find(sorted: Uint32Array, wanted: number): number {
  let low = 0
  let high = sorted.length - 1
  while (low <= high) {
    const first = sorted[low]!
    const last = sorted[high]!
    if (wanted < first || wanted > last) return -1
    const guess = last === first ? low : low + Math.floor(((wanted - first) / (last - first)) * (high - low))
    const found = sorted[guess]!
    if (found === wanted) return guess
    if (found < wanted) low = guess + 1
    else high = guess - 1
  }
  return -1
}

const aligned = (bytes: number): number => (bytes + 3) & ~3
const TABLE_HEADER_BYTES = 12

export function tableBytes({ features, labels }: WeightTable): number {
  return TABLE_HEADER_BYTES + features.length * 8 + 4 + aligned(labels.length) + aligned(labels.length * 2)
}

export function writeTable(table: WeightTable, bytes: Uint8Array, at: number): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  view.setUint32(at, table.features.length, true)
  view.setUint32(at + 4, table.labels.length, true)
  view.setFloat32(at + 8, table.scale, true)
  let next = at + TABLE_HEADER_BYTES
  for (const array of [table.features, table.starts, table.labels, table.values]) {
    bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), next)
    next += aligned(array.byteLength)
  }
  return next
}

/** Reads a table that begins at `at`; the arrays are views of the buffer. */
export function readTable(bytes: Uint8Array, at: number): { readonly table: WeightTable; readonly next: number } {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const count = view.getUint32(at, true)
  const entries = view.getUint32(at + 4, true)
  const scale = view.getFloat32(at + 8, true)
  const from = bytes.byteOffset + at + TABLE_HEADER_BYTES
  const startsAt = from + count * 4
  const labelsAt = startsAt + (count + 1) * 4
  const valuesAt = labelsAt + aligned(entries)
  const end = valuesAt + aligned(entries * 2)
  if (end > bytes.byteOffset + bytes.byteLength) throw new RangeError('the weights are cut off')
  return {
    table: {
      features: new Uint32Array(bytes.buffer, from, count),
      starts: new Uint32Array(bytes.buffer, startsAt, count + 1),
      labels: new Uint8Array(bytes.buffer, labelsAt, entries),
      values: new Int16Array(bytes.buffer, valuesAt, entries),
      scale,
    },
    next: end - bytes.byteOffset,
  }
}

/** The weights of one feature by label. */
export type Row = (label: number) => number

/** Weights near zero change nothing and are left out; the others become whole numbers. */
export function packedTable(
  rows: ReadonlyMap<number, Row>,
  { labelsCount, smallest }: { readonly labelsCount: number; readonly smallest: number },
): WeightTable {
  let most = 0
  for (const row of rows.values())
    for (let label = 0; label < labelsCount; label += 1) most = Math.max(most, Math.abs(row(label)))
  // As it is stored.
  const scale = Math.fround(most / 32_767) || 1
  const features: number[] = []
  const starts: number[] = [0]
  const labels: number[] = []
  const values: number[] = []
  for (const [feature, row] of [...rows].sort(([a], [b]) => a - b)) {
    const before = labels.length
    for (let label = 0; label < labelsCount; label += 1) {
      const value = row(label)
      if (Math.abs(value) < smallest) continue
      labels.push(label)
      values.push(Math.round(value / scale))
    }
    if (labels.length === before) continue
    features.push(feature)
    starts.push(labels.length)
  }
  return {
    features: Uint32Array.from(features),
    starts: Uint32Array.from(starts),
    labels: Uint8Array.from(labels),
    values: Int16Array.from(values),
    scale,
  }
}
