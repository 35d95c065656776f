// Products of vectors of signed bytes are those that plain arithmetic gives, whatever their number and dimensions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ByteVectors } from './byte-vectors.ts'

let state = 11
const random = (): number => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32
const someBytes = (length: number) => Int8Array.from({ length }, () => Math.floor(random() * 256) - 128)

function some(size: number, dimensions: number): { readonly bytes: Int8Array; readonly vectors: ByteVectors } {
  const bytes = someBytes(size * dimensions)
  const vectors = new ByteVectors(size, dimensions)
  vectors.set(bytes)
  return { bytes, vectors }
}

function product(a: Int8Array, b: Int8Array, dimensions = a.length): number {
  return a.subarray(0, dimensions).reduce((sum, value, k) => sum + value * b[k]!, 0)
}

for (const [size, dimensions] of [
  [1, 1],
  [3, 8],
  [40, 13],
  [200, 96],
] as const)
  test(`each row is multiplied with each of the others: ${size} vectors of ${dimensions} dimensions`, () => {
    const { bytes, vectors } = some(size, dimensions)
    const vector = (row: number) => bytes.subarray(row * dimensions, (row + 1) * dimensions)
    const rows = Uint32Array.from({ length: size * 2 }, () => Math.floor(random() * size))
    const others = Uint32Array.from({ length: 5 }, () => Math.floor(random() * size))
    const into = new Int32Array(rows.length * others.length)
    vectors.multiply(rows, others, { into, leading: dimensions, leadingMin: -(2 ** 31) })
    const expected = [...rows].flatMap((row) => [...others].map((other) => product(vector(row), vector(other))))
    assert.deepEqual([...into], expected)
  })

test('a product is zero where the leading dimensions have less than the least', () => {
  const { vectors } = some(300, 96)
  const rows = Uint32Array.from({ length: 300 }, (_, row) => row)
  const others = Uint32Array.of(7)
  const into = new Int32Array(300)
  vectors.multiply(rows, others, { into, leading: 24, leadingMin: 1000 })
  const expected = [...rows].map((row) => {
    const [a, b] = [vectors.at(row), vectors.at(7)]
    return product(a, b, 24) < 1000 ? 0 : product(a, b)
  })
  assert.deepEqual([...into], expected)
  assert.ok(expected.includes(0) && expected.some((value) => value !== 0))
})

test('more rows than one call takes give the same products', () => {
  const { vectors } = some(10_000, 16)
  const direction = someBytes(16)
  const all = vectors.multiplyAll(direction, 8)
  const rows = Uint32Array.from({ length: 10_000 }, (_, row) => row)
  const into = new Int32Array(rows.length * 3)
  vectors.multiply(rows, Uint32Array.of(0, 1, 9999), { into, leading: 16, leadingMin: -(2 ** 31) })
  for (let row = 0; row < 10_000; row += 1) {
    assert.equal(all[row], product(vectors.at(row), direction, 8))
    assert.equal(into[row * 3 + 2], product(vectors.at(row), vectors.at(9999)))
  }
})

test('vectors are written from any number on', () => {
  const vectors = new ByteVectors(3, 5)
  vectors.set(Int8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 1)
  assert.deepEqual([...vectors.at(0)], [0, 0, 0, 0, 0])
  assert.deepEqual([...vectors.at(2)], [6, 7, 8, 9, 10])
})
