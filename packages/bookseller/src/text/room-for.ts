// Typed arrays that grow while something is read into them.

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array

/** The array itself if it has that length, else a copy of at least twice the length, with zeros at the end. */
export function roomFor<Of extends Numbers>(array: Of, length: number): Of {
  if (length <= array.length) return array
  const larger = new (array.constructor as new (length: number) => Of)(Math.max(length, array.length * 2))
  larger.set(array)
  return larger
}
