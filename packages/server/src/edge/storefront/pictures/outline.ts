// The path of a motif as polygons and lines of points: enough of SVG's path language for `covers/motifs.ts`, whose arcs are circular.
// Curves become short straight pieces. Pure.

export interface Point {
  readonly x: number
  readonly y: number
}

type Arguments = readonly number[]

const PIECES_OF_CURVE = 8
const PIECES_OF_CIRCLE = 48
const COMMAND = /([MLHVQhvlaz])([^MLHVQhvlaz]*)/g
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g

/** Each list of points is one part of the path. */
export function outlinesOf(d: string): readonly (readonly Point[])[] {
  const outlines: Point[][] = []
  for (const [, command = '', text = ''] of d.matchAll(COMMAND)) {
    const given = (text.match(NUMBER) ?? []).map(Number)
    if (command === 'M') outlines.push([{ x: given[0] ?? 0, y: given[1] ?? 0 }])
    else draw(outlines, command, given)
  }
  return outlines
}

function draw(outlines: Point[][], command: string, given: Arguments): void {
  const outline = outlines.at(-1)
  const from = outline?.at(-1)
  const start = outline?.[0]
  if (outline === undefined || from === undefined || start === undefined) return
  const [a = 0, b = 0] = given
  if (command === 'L') outline.push({ x: a, y: b })
  else if (command === 'l') outline.push({ x: from.x + a, y: from.y + b })
  else if (command === 'H') outline.push({ x: a, y: from.y })
  else if (command === 'V') outline.push({ x: from.x, y: a })
  else if (command === 'h') outline.push({ x: from.x + a, y: from.y })
  else if (command === 'v') outline.push({ x: from.x, y: from.y + a })
  else if (command === 'Q') outline.push(...curve(from, given))
  else if (command === 'a') outline.push(...arc(from, given))
  else outline.push(start)
}

function curve(from: Point, [cx = 0, cy = 0, x = 0, y = 0]: Arguments): Point[] {
  return Array.from({ length: PIECES_OF_CURVE }, (_, index) => {
    const t = (index + 1) / PIECES_OF_CURVE
    const [one, two, three] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
    return { x: one * from.x + two * cx + three * x, y: one * from.y + two * cy + three * y }
  })
}

/** A circular arc, by the formula of SVG's appendix for equal radii. */
function arc(from: Point, [radius = 0, , , large = 0, sweep = 0, dx = 0, dy = 0]: Arguments): Point[] {
  const chord = Math.hypot(dx, dy)
  if (chord === 0) return []
  const r = Math.max(radius, chord / 2)
  const height = Math.sqrt(Math.max(0, r * r - (chord * chord) / 4))
  const side = large === sweep ? -1 : 1
  const centre = {
    x: from.x + dx / 2 - (side * height * dy * -1) / chord,
    y: from.y + dy / 2 - (side * height * dx) / chord,
  }
  const begins = Math.atan2(from.y - centre.y, from.x - centre.x)
  const ends = Math.atan2(from.y + dy - centre.y, from.x + dx - centre.x)
  const full = 2 * Math.PI
  const turn = sweep === 1 ? (((ends - begins) % full) + full) % full : -((((begins - ends) % full) + full) % full)
  const pieces = Math.max(2, Math.ceil((Math.abs(turn) / full) * PIECES_OF_CIRCLE))
  return Array.from({ length: pieces }, (_, index) => {
    const angle = begins + (turn * (index + 1)) / pieces
    return { x: centre.x + r * Math.cos(angle), y: centre.y + r * Math.sin(angle) }
  })
}

/** A line of a width as one rectangle for each piece. */
export function strokeOf(line: readonly Point[], width: number): readonly (readonly Point[])[] {
  return line.slice(1).flatMap((to, index) => {
    const from = line[index]
    if (from === undefined) return []
    const length = Math.hypot(to.x - from.x, to.y - from.y)
    if (length === 0) return []
    const [nx, ny] = [((to.y - from.y) / length) * (width / 2), ((from.x - to.x) / length) * (width / 2)]
    return [
      [
        { x: from.x + nx, y: from.y + ny },
        { x: to.x + nx, y: to.y + ny },
        { x: to.x - nx, y: to.y - ny },
        { x: from.x - nx, y: from.y - ny },
      ],
    ]
  })
}
