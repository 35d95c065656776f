// A series has the same cover on every visit, covers differ from each other, and every title is readable.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { designCover, plateHeightMax } from './cover-design.ts'
import type { CoverSubject } from './cover-design.ts'
import { everyPalette } from './palettes.ts'
import { layOutTitle, lengthOf } from './title-layout.ts'

const catalogue = readFileSync(new URL('../../../../../../data/catalogue.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as CoverSubject)

test('the same series always gets the same cover', () => {
  for (const series of catalogue) assert.deepEqual(designCover(series), designCover(structuredClone(series)))
})

test('the cover of a known series has not changed, so that shoppers recognise it', () => {
  const { palette, face, title } = designCover({ id: 'akira', title: { ja: 'AKIRA', en: 'Akira' }, genres: ['sci-fi'] })
  assert.deepEqual([palette.ground, face, title.columns], ['#241a45', 'mincho', ['ＡＫＩＲＡ']])
})

test('covers differ from each other', () => {
  const drawn = new Set(catalogue.map((series) => JSON.stringify(designCover(series).strokes)))
  assert.equal(drawn.size, catalogue.length)
})

test('a series without genres gets a cover in the ink palette', () => {
  const { genres: _, ...bare } = catalogue[0] as CoverSubject
  assert.equal(designCover(bare).palette.ground, '#d9d3c7')
})

test('every title of the catalogue is complete, fits its plate and is large enough to read', () => {
  for (const series of catalogue) {
    const { title } = designCover(series)
    const plain = (text: string): string => text.normalize('NFKC').replace(/[\s\-–—〜～~]/g, '')
    assert.equal(plain(title.columns.join('')), plain(series.title.ja))
    for (const column of title.columns) assert.ok(lengthOf(column) * title.size <= plateHeightMax - 12, series.title.ja)
    // A word of more than twenty letters cannot be broken, and is smaller.
    const longest = Math.max(...title.columns.map(lengthOf))
    assert.ok(title.size >= (longest > 18 ? 8 : 12), `${series.title.ja} is set at ${title.size}`)
  }
})

test('a title in capitals stays on its plate in a wide bold face', () => {
  const { title, plate } = designCover({ id: 'tsubasa', title: { ja: 'ツバサ -RESERVoir CHRoNiCLE-', en: 'Tsubasa' } })
  assert.deepEqual(title.columns, ['ツバサ', 'RESERVoir', 'CHRoNiCLE'])
  // Measured in the bold sans-serif of a machine without Japanese faces: 6.27 em for the longest column.
  assert.ok(6.27 * title.size + 12 <= plate.height, `${title.size} on ${plate.height}`)
})

test('a long title breaks after a particle, not inside a word', () => {
  const plate = { width: 120, height: 188, sizeMax: 42 }
  assert.deepEqual(layOutTitle('進撃の巨人', plate).columns, ['進撃の巨人'])
  assert.deepEqual(layOutTitle('転生したらスライムだった件', plate).columns, ['転生したら', 'スライムだった件'])
})

test('titles have enough contrast to their plates and bands', () => {
  for (const { plate, plateInk, band, bandInk } of everyPalette) {
    assert.ok(contrast(plate, plateInk) >= 7, `${plateInk} on ${plate}`)
    assert.ok(contrast(band, bandInk) >= 4.5, `${bandInk} on ${band}: ${contrast(band, bandInk)}`)
  }
})

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
