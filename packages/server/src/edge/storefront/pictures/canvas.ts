// A picture of pixels that polygons are painted on, with smooth edges, and its file in PNG. No library: a motif is a few polygons in flat
// colours.
import { crc32, deflateSync } from 'node:zlib'
import type { Point } from './outline.ts'

interface Edge {
  readonly top: number
  readonly bottom: number
  /** At `top`. */
  readonly x: number
  /** Change of x for each line down. */
  readonly slope: number
  readonly direction: 1 | -1
}

/** Sampled lines in each line of pixels. */
const SAMPLES = 4
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export class Canvas {
  readonly width: number
  readonly height: number
  readonly #pixels: Uint8Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.#pixels = new Uint8Array(width * height * 3)
  }

  /** `colour` is `#rrggbb`. A point inside any of the polygons is painted once. */
  paint(polygons: readonly (readonly Point[])[], colour: string, opacity = 1): void {
    const edges = polygons
      .flatMap(edgesOf)
      .filter(({ bottom, top }) => bottom > 0 && top < this.height)
      .toSorted((one, other) => one.top - other.top)
    const coverage = new Float32Array(this.width)
    const ink = { rgb: rgbOf(colour), opacity }
    let near: Edge[] = []
    let next = 0
    for (let row = 0; row < this.height; row += 1) {
      near = near.filter(({ bottom }) => bottom > row)
      for (let edge = edges[next]; edge !== undefined && edge.top < row + 1; edge = edges[next]) {
        near.push(edge)
        next += 1
      }
      if (near.length === 0) continue
      coverage.fill(0)
      for (let sample = 0; sample < SAMPLES; sample += 1) cover(coverage, near, row + (sample + 0.5) / SAMPLES)
      this.#blend(row, coverage, ink)
    }
  }

  #blend(row: number, coverage: Float32Array, { opacity, rgb }: { rgb: readonly number[]; opacity: number }): void {
    for (let column = 0; column < this.width; column += 1) {
      const share = (coverage[column] ?? 0) * opacity
      if (share === 0) continue
      const at = (row * this.width + column) * 3
      for (let part = 0; part < 3; part += 1) {
        const before = this.#pixels[at + part] ?? 0
        this.#pixels[at + part] = Math.round(before + ((rgb[part] ?? 0) - before) * share)
      }
    }
  }

  toPng(): Buffer {
    const header = Buffer.alloc(13)
    header.writeUInt32BE(this.width, 0)
    header.writeUInt32BE(this.height, 4)
    // Eight bits a channel, red, green and blue.
    header.set([8, 2, 0, 0, 0], 8)
    const stride = this.width * 3
    const lines = Buffer.alloc((stride + 1) * this.height)
    // Each line begins with its filter: none.
    for (let row = 0; row < this.height; row += 1)
      lines.set(this.#pixels.subarray(row * stride, (row + 1) * stride), row * (stride + 1) + 1)
    return Buffer.concat([
      SIGNATURE,
      chunk('IHDR', header),
      chunk('IDAT', deflateSync(lines)),
      chunk('IEND', Buffer.alloc(0)),
    ])
  }
}

function edgesOf(polygon: readonly Point[]): readonly Edge[] {
  return polygon.flatMap((one, index) => {
    const other = polygon[(index + 1) % polygon.length] ?? one
    if (one.y === other.y) return []
    const [upper, lower] = one.y < other.y ? [one, other] : [other, one]
    const slope = (lower.x - upper.x) / (lower.y - upper.y)
    return [{ top: upper.y, bottom: lower.y, x: upper.x, slope, direction: one.y < other.y ? 1 : -1 }]
  })
}

/** Adds what one sampled line covers of each pixel. */
function cover(coverage: Float32Array, edges: readonly Edge[], y: number): void {
  const crossings = edges
    .filter(({ bottom, top }) => top <= y && y < bottom)
    .map(({ direction, slope, top, x }) => ({ x: x + (y - top) * slope, direction }))
    .toSorted((one, other) => one.x - other.x)
  let winding = 0
  let begin = 0
  for (const { direction, x } of crossings) {
    if (winding === 0) begin = x
    winding += direction
    if (winding === 0) addSpan(coverage, begin, x)
  }
}

function addSpan(coverage: Float32Array, begin: number, end: number): void {
  const [from, to] = [Math.max(0, begin), Math.min(coverage.length, end)]
  for (let column = Math.floor(from); column < to; column += 1) {
    const share = Math.min(column + 1, to) - Math.max(column, from)
    coverage[column] = Math.min(1, (coverage[column] ?? 0) + share / SAMPLES)
  }
}

function rgbOf(colour: string): readonly number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(crc32(body), body.length + 4)
  return framed
}
