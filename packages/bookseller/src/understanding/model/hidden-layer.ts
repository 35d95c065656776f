// One hidden layer beside the linear weights: tanh units over the vector of a message, and their weights for each class.
// In the file: three counts, then the arrays as 32-bit floats.

export interface HiddenLayer {
  readonly inputs: number
  readonly units: number
  readonly classes: number
  /** For each unit the weights of all inputs. */
  readonly inner: Float32Array
  /** For each unit the weights of all classes. */
  readonly outer: Float32Array
}

const HEADER_BYTES = 12

/** A layer without units: it adds nothing to any class. */
export const noHiddenLayer = (classes: number): HiddenLayer => ({
  inputs: 0,
  units: 0,
  classes,
  inner: new Float32Array(),
  outer: new Float32Array(),
})

/** How much each unit is moved by the values. */
export function unitsOf({ inputs, units, inner }: HiddenLayer, values: Float32Array): Float64Array {
  const moved = new Float64Array(units)
  for (let unit = 0; unit < units; unit += 1) {
    const from = unit * inputs
    let sum = 0
    for (let k = 0; k < inputs; k += 1) sum += inner[from + k]! * values[k]!
    moved[unit] = Math.tanh(sum)
  }
  return moved
}

/** Adds the weights of the units to the scores of the classes. */
export function addUnits({ classes, outer }: HiddenLayer, moved: Float64Array, scores: Float64Array): void {
  for (let unit = 0; unit < moved.length; unit += 1) {
    const from = unit * classes
    const value = moved[unit]!
    for (let c = 0; c < classes; c += 1) scores[c]! += value * outer[from + c]!
  }
}

export const layerBytes = ({ inner, outer }: HiddenLayer): number =>
  HEADER_BYTES + (inner.length + outer.length) * Float32Array.BYTES_PER_ELEMENT

export function writeLayer(layer: HiddenLayer, bytes: Uint8Array, at: number): void {
  const { inputs, units, classes, inner, outer } = layer
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  for (const [index, count] of [inputs, units, classes].entries()) view.setUint32(at + index * 4, count, true)
  bytes.set(new Uint8Array(inner.buffer, inner.byteOffset, inner.byteLength), at + HEADER_BYTES)
  bytes.set(new Uint8Array(outer.buffer, outer.byteOffset, outer.byteLength), at + HEADER_BYTES + inner.byteLength)
}

/** Reads the layer that begins at `at`; the arrays are views of the buffer. */
export function readLayer(bytes: Uint8Array, at: number): HiddenLayer {
  if (at + HEADER_BYTES > bytes.byteLength) throw new RangeError('the weights are cut off')
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  const [inputs = 0, units = 0, classes = 0] = [0, 4, 8].map((offset) => view.getUint32(at + offset, true))
  const from = bytes.byteOffset + at + HEADER_BYTES
  const outerAt = from + inputs * units * 4
  if (outerAt + units * classes * 4 > bytes.byteOffset + bytes.byteLength)
    throw new RangeError('the weights are cut off')
  return {
    inputs,
    units,
    classes,
    inner: new Float32Array(bytes.buffer, from, inputs * units),
    outer: new Float32Array(bytes.buffer, outerAt, units * classes),
  }
}
