// The picture that other sites show beside a link to a series: the drawing and the colours of its cover, wide, without the title, because
// there is no font to set it in; the title stands beside the picture. PNG, because those sites take no SVG.
import { designCover } from '../covers/cover-design.ts'
import type { CoverSubject } from '../covers/cover-design.ts'
import type { Stroke } from '../covers/motifs.ts'
import { Canvas } from './canvas.ts'
import { outlinesOf, strokeOf } from './outline.ts'
import type { Point } from './outline.ts'

/** The least size that is shown large, in the proportion that is not cut. */
export const SHARE_WIDTH = 600
export const SHARE_HEIGHT = 315
const BAND_HEIGHT = 46
/** Units of the drawing are 200 wide; its middle is shown. */
const SCALE = SHARE_WIDTH / 200
const TOP = 85

export function sharePicture(subject: CoverSubject): Buffer {
  const { palette, strokes } = designCover(subject)
  const canvas = new Canvas(SHARE_WIDTH, SHARE_HEIGHT)
  canvas.paint([rectangle(0, SHARE_HEIGHT)], palette.ground)
  for (const stroke of strokes) canvas.paint(shapesOf(stroke), palette[stroke.colour], stroke.opacity)
  canvas.paint([rectangle(SHARE_HEIGHT - BAND_HEIGHT, SHARE_HEIGHT)], palette.band)
  canvas.paint([rectangle(SHARE_HEIGHT - BAND_HEIGHT, SHARE_HEIGHT - BAND_HEIGHT + 5)], palette.light, 0.7)
  return canvas.toPng()
}

function shapesOf({ d, lineWidth }: Stroke): readonly (readonly Point[])[] {
  const outlines = outlinesOf(d)
  const shapes = lineWidth === undefined ? outlines : outlines.flatMap((line) => strokeOf(line, lineWidth))
  return shapes.map((shape) => shape.map(({ x, y }) => ({ x: x * SCALE, y: (y - TOP) * SCALE })))
}

function rectangle(top: number, bottom: number): readonly Point[] {
  return [
    { x: 0, y: top },
    { x: SHARE_WIDTH, y: top },
    { x: SHARE_WIDTH, y: bottom },
    { x: 0, y: bottom },
  ]
}
