// The picture of a series: a valid PNG in the colours of its cover, and shapes that lie where SVG draws them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32, inflateSync } from 'node:zlib'
import { designCover } from '../covers/cover-design.ts'
import { Canvas } from './canvas.ts'
import { outlinesOf, strokeOf } from './outline.ts'
import { SHARE_HEIGHT, SHARE_WIDTH, sharePicture } from './share-picture.ts'

/** Width, height, and the colour of a pixel. */
function readPng(png: Buffer) {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at)
    const body = png.subarray(at + 4, at + 8 + length)
    assert.equal(crc32(body), png.readUInt32BE(at + 8 + length))
    chunks.set(body.toString('latin1', 0, 4), body.subarray(4))
    at += length + 12
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(8)
  const width = header.readUInt32BE(0)
  const lines = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0))
  const pixel = (x: number, y: number) => [...lines.subarray(y * (width * 3 + 1) + 1 + x * 3).subarray(0, 3)]
  return { width, height: header.readUInt32BE(4), pixel }
}

const rgb = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))

test('a picture is a PNG of the stated size, the same every time, with the band of the cover', () => {
  const subject = { id: 'berserk', title: { ja: 'ベルセルク', en: 'Berserk' }, genres: ['dark-fantasy'] }
  const png = sharePicture(subject)
  assert.deepEqual(png, sharePicture(subject))
  const { height, pixel, width } = readPng(png)
  assert.deepEqual([width, height], [SHARE_WIDTH, SHARE_HEIGHT])
  assert.deepEqual(pixel(300, SHARE_HEIGHT - 10), rgb(designCover(subject).palette.band))
})

test('a circle, a line and a hole-free overlap are filled where SVG fills them', () => {
  const canvas = new Canvas(40, 40)
  canvas.paint(outlinesOf('M10 20a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z'), '#ff0000')
  canvas.paint(strokeOf(outlinesOf('M0 2h40')[0] ?? [], 4), '#00ff00', 0.5)
  const { pixel } = readPng(canvas.toPng())
  assert.deepEqual(
    [pixel(20, 20), pixel(12, 20), pixel(10, 10), pixel(20, 35)],
    [
      [255, 0, 0],
      [255, 0, 0],
      [0, 0, 0],
      [0, 0, 0],
    ],
  )
  assert.deepEqual(
    [pixel(5, 1), pixel(5, 8)],
    [
      [0, 128, 0],
      [0, 0, 0],
    ],
  )
})

test('an arc bends to the side that its sweep says', () => {
  const [above = []] = outlinesOf('M0 10a10 10 0 0 1 20 0')
  const [below = []] = outlinesOf('M0 10a10 10 0 0 0 20 0')
  assert.ok(Math.min(...above.map(({ y }) => y)) < 1)
  assert.ok(Math.max(...below.map(({ y }) => y)) > 19)
  const [small = []] = outlinesOf('M0 0a10 10 0 0 1 10 10')
  assert.ok(
    small.every(({ x, y }) => x >= -0.01 && y <= 10.01 && x - y >= -0.01),
    'a quarter, on the side of the chord',
  )
})
