// Designs a cover as a value from a series' id, title and genres: the same input gives the same cover. It copies no
// artwork of a real cover.
import { chanceOf, pick } from './chance.ts'
import { motifs } from './motifs.ts'
import type { Stroke } from './motifs.ts'
import { familyOf } from './palettes.ts'
import type { Palette } from './palettes.ts'
import { layOutTitle, lengthOf } from './title-layout.ts'
import type { TitleLayout } from './title-layout.ts'

export interface CoverSubject {
  readonly id: string
  readonly title: { readonly ja: string; readonly en: string }
  readonly genres?: readonly string[]
}

export interface CoverDesign {
  readonly palette: Palette
  readonly strokes: readonly Stroke[]
  readonly title: TitleLayout
  readonly face: 'mincho' | 'gothic'
  /** `x` is the plate's left edge; its size follows the title. */
  readonly plate: { readonly x: number; readonly width: number; readonly height: number }
  /** The English title on the band at the foot, in one or two lines. */
  readonly band: { readonly lines: readonly string[]; readonly size: number }
}

export const plateTop = 16
export const plateHeightMax = 212
export const bandTop = 248

const margin = 14
const platePadding = 24
const bandCharactersPerLine = 22

export function designCover({ id, title, genres }: CoverSubject): CoverDesign {
  const chance = chanceOf(id)
  const family = familyOf(genres)
  const palette = pick(chance, family.palettes)
  const motif = pick(chance, family.motifs)
  const face = chance() < 0.5 ? 'mincho' : 'gothic'
  const atRight = chance() < 0.68
  const layout = layOutTitle(title.ja, { width: 120, height: plateHeightMax - platePadding, sizeMax: 42 })
  const width = Math.ceil(layout.columns.length * layout.size * 1.12 + 18)
  const height = Math.ceil(Math.max(...layout.columns.map(lengthOf)) * layout.size + platePadding)
  return {
    palette,
    strokes: motifs[motif](chance),
    title: layout,
    face,
    plate: { x: atRight ? 200 - margin - width : margin + 4, width, height },
    band: bandOf(title.en),
  }
}

function bandOf(title: string): CoverDesign['band'] {
  const lines = title.length > bandCharactersPerLine ? halves(title) : [title]
  const longest = Math.max(...lines.map((line) => line.length))
  return { lines, size: Math.min(12.5, Math.round((168 / (longest * 0.68)) * 10) / 10) }
}

/** Splits a title at the space nearest to its middle. */
function halves(title: string): string[] {
  const middle = title.length / 2
  const spaces = [...title.matchAll(/ /g)].map(({ index }) => index)
  const at = spaces.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0]
  return at === undefined ? [title] : [title.slice(0, at), title.slice(at + 1)]
}
