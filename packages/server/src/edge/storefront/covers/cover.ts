// Draws a cover as an SVG picture. It uses attributes and no `style`, because the policy allows no inline styles.
import { html } from '../rendering/html.ts'
import type { Html } from '../rendering/html.ts'
import { bandTop, designCover, plateTop } from './cover-design.ts'
import type { CoverDesign, CoverSubject } from './cover-design.ts'
import type { Stroke } from './motifs.ts'
import type { Palette } from './palettes.ts'

const faces = {
  mincho: "'Hiragino Mincho ProN','Yu Mincho','Noto Serif CJK JP','Noto Serif JP',serif",
  gothic: "'Hiragino Sans','Yu Gothic','Noto Sans CJK JP','Noto Sans JP',sans-serif",
} as const

export function coverPicture(subject: CoverSubject): Html {
  const design = designCover(subject)
  const { palette } = design
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 300" width="400" height="600">
    <rect width="200" height="300" fill="${palette.ground}"></rect>
    ${design.strokes.map((stroke) => drawn(stroke, palette))} ${plate(design)} ${band(design)}
    <path d="M0 0h7v300H0z" fill="#000" opacity=".14"></path>
    <path d="M7 0h1.5v300H7z" fill="#fff" opacity=".22"></path>
  </svg>`
}

function drawn({ d, colour, opacity, lineWidth }: Stroke, palette: Palette) {
  return lineWidth === undefined
    ? html`<path d="${d}" fill="${palette[colour]}" opacity="${opacity}"></path>`
    : html`<path
        d="${d}"
        fill="none"
        stroke="${palette[colour]}"
        stroke-width="${lineWidth}"
        opacity="${opacity}"
      ></path>`
}

function plate({ palette, plate: { x, width, height }, title, face }: CoverDesign) {
  const feed = title.size * 1.12
  const right = x + width - 9 - feed / 2
  const inset = 3.5
  return html` <rect x="${x}" y="${plateTop}" width="${width}" height="${height}" fill="${palette.plate}"></rect>
    <rect
      x="${x + inset}"
      y="${plateTop + inset}"
      width="${width - 2 * inset}"
      height="${height - 2 * inset}"
      fill="none"
      stroke="${palette.plateInk}"
      stroke-width=".8"
      opacity=".55"
    ></rect>
    ${title.columns.map(
      (column, index) =>
        html`<text
          x="${right - index * feed}"
          y="${plateTop + 12}"
          fill="${palette.plateInk}"
          font-family="${faces[face]}"
          font-size="${title.size}"
          font-weight="${face === 'mincho' ? 700 : 800}"
          writing-mode="vertical-rl"
          lang="ja"
          >${column}</text
        >`,
    )}`
}

function band({ palette, band: { lines, size } }: CoverDesign) {
  const middle = bandTop + 26 - ((lines.length - 1) * size * 1.25) / 2
  return html` <rect y="${bandTop}" width="200" height="${300 - bandTop}" fill="${palette.band}"></rect>
    <path d="M0 ${bandTop}h200" stroke="${palette.light}" stroke-width="2" opacity=".7"></path>
    ${lines.map(
      (line, index) =>
        html`<text
          x="103"
          y="${middle + index * size * 1.25}"
          fill="${palette.bandInk}"
          font-size="${size}"
          font-family="'Avenir Next Condensed','Avenir Next','Segoe UI','Helvetica Neue',Arial,sans-serif"
          font-weight="700"
          letter-spacing=".04em"
          text-anchor="middle"
          dominant-baseline="central"
          lang="en"
          >${line}</text
        >`,
    )}`
}
