// The drawings behind a title. Each motif is a few SVG paths of many pieces, so that a page full of covers stays cheap.
// Pure geometry on 200 × 300 units; seeded random numbers decide positions and sizes.
import type { Chance } from './chance.ts'

const coverWidth = 200
const coverHeight = 300

export interface Stroke {
  readonly d: string
  /** The colour of the palette in which it is drawn. */
  readonly colour: 'shape' | 'light'
  readonly opacity: number
  /** Drawn as a line of this width; filled when absent. */
  readonly lineWidth?: number
}

export type Motif = keyof typeof motifs

const round = (value: number): string => String(Math.round(value * 10) / 10)
const point = (x: number, y: number): string => `${round(x)} ${round(y)}`
const circle = (x: number, y: number, r: number): string =>
  `M${point(x - r, y)}a${point(r, r)} 0 1 0 ${point(2 * r, 0)}a${point(r, r)} 0 1 0 ${point(-2 * r, 0)}z`
const times = <Piece>(count: number, make: (index: number) => Piece): Piece[] =>
  Array.from({ length: count }, (_, index) => make(index))
const between = (chance: Chance, from: number, to: number): number => from + chance() * (to - from)

function rays(chance: Chance): Stroke[] {
  const [cx, cy] = [between(chance, 60, 140), between(chance, 90, 200)]
  const count = Math.round(between(chance, 26, 40))
  const wedge = (index: number): string => {
    const angle = ((index + chance() * 0.6) / count) * Math.PI * 2
    const spread = between(chance, 0.012, 0.07)
    const inner = between(chance, 34, 70)
    const at = (turn: number, far: number): string => point(cx + Math.cos(turn) * far, cy + Math.sin(turn) * far)
    return `M${at(angle, inner)}L${at(angle - spread, 380)}L${at(angle + spread, 380)}z`
  }
  return [
    { d: times(count, wedge).join(''), colour: 'shape', opacity: 0.9 },
    { d: circle(cx, cy, 22), colour: 'light', opacity: 0.85 },
  ]
}

function halftone(chance: Chance): Stroke[] {
  const [cx, cy] = [chance() < 0.5 ? 0 : coverWidth, between(chance, 40, 260)]
  const reach = between(chance, 190, 260)
  const dots: string[] = []
  for (let row = 0; row < 26; row++) {
    for (let column = 0; column < 17; column++) {
      const [x, y] = [column * 12.5 + (row % 2) * 6.25, row * 12]
      const size = 6.6 * (1 - Math.hypot(x - cx, y - cy) / reach)
      if (size > 0.7) dots.push(circle(x, y, size))
    }
  }
  return [{ d: dots.join(''), colour: 'shape', opacity: 0.9 }]
}

function waves(chance: Chance): Stroke[] {
  const radius = between(chance, 22, 34)
  const from = between(chance, 90, 160)
  const arcs = (scale: number): string => {
    const pieces: string[] = []
    for (let row = 0; from + row * radius * 0.5 < coverHeight + radius; row++) {
      for (let x = (row % 2) * radius - radius; x < coverWidth + radius; x += radius * 2) {
        const r = radius * scale
        pieces.push(`M${point(x - r, from + row * radius * 0.5)}a${point(r, r)} 0 0 1 ${point(2 * r, 0)}`)
      }
    }
    return pieces.join('')
  }
  return [
    {
      d: circle(between(chance, 40, 160), between(chance, 40, 80), between(chance, 22, 34)),
      colour: 'light',
      opacity: 0.9,
    },
    { d: `M0 ${round(from)}H200V300H0z`, colour: 'shape', opacity: 0.55 },
    ...[1, 0.72, 0.44].map((scale) => ({ d: arcs(scale), colour: 'light' as const, opacity: 0.75, lineWidth: 1.6 })),
  ]
}

function sun(chance: Chance): Stroke[] {
  const [cx, cy, r] = [between(chance, 60, 140), between(chance, 110, 150), between(chance, 56, 78)]
  const bars = times(7, (index) => {
    const y = cy + r * (0.05 + index * 0.15)
    return `M0 ${round(y)}h200v${round(2 + index * 1.5)}h-200z`
  })
  return [
    { d: circle(cx, cy, r), colour: 'shape', opacity: 1 },
    { d: bars.join(''), colour: 'light', opacity: 0.9 },
  ]
}

function hills(chance: Chance): Stroke[] {
  const ridge = (base: number, height: number): string => {
    const [phase, length] = [chance() * 6, between(chance, 34, 60)]
    const y = (x: number): number =>
      base - Math.sin(x / length + phase) * height - Math.sin(x / 17 + phase) * height * 0.2
    return `M0 300L${times(21, (index) => point(index * 10, y(index * 10))).join('L')}L200 300z`
  }
  return [
    {
      d: circle(between(chance, 40, 160), between(chance, 50, 100), between(chance, 18, 30)),
      colour: 'light',
      opacity: 0.95,
    },
    { d: ridge(170, 26), colour: 'shape', opacity: 0.35 },
    { d: ridge(205, 22), colour: 'shape', opacity: 0.6 },
    { d: ridge(240, 16), colour: 'shape', opacity: 1 },
  ]
}

function circuits(chance: Chance): Stroke[] {
  const ends: string[] = []
  const line = (): string => {
    let [x, y] = [Math.round(between(chance, 0, 20)) * 10, Math.round(between(chance, 0, 30)) * 10]
    const path = [`M${point(x, y)}`]
    for (let step = 0; step < 4; step++) {
      const by = Math.round(between(chance, -6, 6)) * 10
      if (step % 2 === 0) x += by
      else y += by
      path.push(`L${point(x, y)}`)
    }
    ends.push(circle(x, y, 3))
    return path.join('')
  }
  const d = times(26, line).join('')
  return [
    { d, colour: 'shape', opacity: 1, lineWidth: 2.2 },
    { d: ends.join(''), colour: 'light', opacity: 0.95 },
  ]
}

function orbits(chance: Chance): Stroke[] {
  const [cx, cy] = [between(chance, 30, 120), between(chance, 110, 190)]
  const rings = times(9, (index) => circle(cx, cy, 18 + index * between(chance, 15, 19)))
  const planets = times(5, () => {
    const [turn, far] = [chance() * Math.PI * 2, between(chance, 40, 150)]
    return circle(cx + Math.cos(turn) * far, cy + Math.sin(turn) * far, between(chance, 3, 8))
  })
  return [
    { d: rings.join(''), colour: 'shape', opacity: 1, lineWidth: 2.4 },
    { d: circle(cx, cy, 13) + planets.join(''), colour: 'light', opacity: 0.95 },
  ]
}

function grid(chance: Chance): Stroke[] {
  const horizon = between(chance, 130, 170)
  const vanish = between(chance, 60, 140)
  const down = times(19, (index) => `M${point(vanish, horizon)}L${point(-260 + index * 40, 300)}`)
  const across = times(11, (index) => `M0 ${round(horizon + (index * index * (300 - horizon)) / 100)}h200`)
  return [
    { d: circle(vanish, horizon - 34, between(chance, 30, 44)), colour: 'light', opacity: 0.9 },
    { d: down.join('') + across.join(''), colour: 'shape', opacity: 1, lineWidth: 1.8 },
  ]
}

function stripes(chance: Chance): Stroke[] {
  const [lean, step] = [between(chance, -120, 120), between(chance, 22, 34)]
  const band = (index: number): string => {
    const x = index * step - 130
    const width = step * (index % 3 === 0 ? 0.62 : 0.34)
    return `M${point(x, 0)}h${round(width)}L${point(x + width + lean, 300)}h${round(-width)}z`
  }
  return [
    { d: times(18, band).join(''), colour: 'shape', opacity: 0.85 },
    {
      d: circle(between(chance, 50, 150), between(chance, 120, 200), between(chance, 28, 42)),
      colour: 'light',
      opacity: 0.9,
    },
  ]
}

function rain(chance: Chance): Stroke[] {
  const lean = between(chance, -26, 26)
  const drop = (): string => {
    const length = between(chance, 20, 80)
    return `M${point(between(chance, -20, 220), between(chance, -40, 280))}l${point((lean * length) / 80, length)}`
  }
  return [
    { d: times(90, drop).join(''), colour: 'shape', opacity: 0.9, lineWidth: 1.6 },
    { d: times(24, drop).join(''), colour: 'light', opacity: 0.6, lineWidth: 1 },
  ]
}

function petals(chance: Chance): Stroke[] {
  const petal = (scale: number): string => {
    const [x, y, turn] = [between(chance, 0, 200), between(chance, 0, 290), chance() * Math.PI * 2]
    const size = between(chance, 7, 15) * scale
    const at = (dx: number, dy: number): string =>
      point(
        x + (dx * Math.cos(turn) - dy * Math.sin(turn)) * size,
        y + (dx * Math.sin(turn) + dy * Math.cos(turn)) * size,
      )
    return `M${at(0, 1)}Q${at(-1.1, 0)} ${at(-0.3, -1)}L${at(0, -0.7)}L${at(0.3, -1)}Q${at(1.1, 0)} ${at(0, 1)}z`
  }
  return [
    { d: times(30, () => petal(1)).join(''), colour: 'shape', opacity: 0.75 },
    { d: times(22, () => petal(0.8)).join(''), colour: 'light', opacity: 0.9 },
  ]
}

function bubbles(chance: Chance): Stroke[] {
  const many = (count: number, max: number): string =>
    times(count, () => circle(between(chance, 0, 200), between(chance, 0, 300), max * (0.25 + chance() * 0.75))).join(
      '',
    )
  return [
    { d: many(9, 42), colour: 'shape', opacity: 0.55 },
    { d: many(12, 20), colour: 'light', opacity: 0.75 },
    { d: many(8, 34), colour: 'light', opacity: 0.9, lineWidth: 2 },
  ]
}

function shards(chance: Chance): Stroke[] {
  const [cx, cy] = [between(chance, 50, 150), between(chance, 90, 190)]
  const shard = (index: number): string => {
    const turn = (index / 15) * Math.PI * 2 + chance() * 0.25
    const [near, far, spread] = [between(chance, 10, 40), between(chance, 120, 280), between(chance, 0.05, 0.2)]
    const at = (angle: number, radius: number): string =>
      point(cx + Math.cos(angle) * radius, cy + Math.sin(angle) * radius)
    return `M${at(turn, near)}L${at(turn - spread, far)}L${at(turn + spread * 0.5, far * 0.8)}z`
  }
  return [
    { d: times(15, shard).join(''), colour: 'shape', opacity: 0.95 },
    { d: times(5, (index) => shard(index * 3 + 1)).join(''), colour: 'light', opacity: 0.35 },
  ]
}

function checks(chance: Chance): Stroke[] {
  const size = Math.round(between(chance, 18, 28))
  const cells: string[] = []
  for (let row = 0; row * size < coverHeight; row++) {
    for (let x = (row % 2) * size; x < coverWidth; x += size * 2)
      cells.push(`M${x} ${row * size}h${size}v${size}h-${size}z`)
  }
  return [
    { d: cells.join(''), colour: 'shape', opacity: 0.6 },
    {
      d: circle(between(chance, 50, 110), between(chance, 120, 180), between(chance, 38, 52)),
      colour: 'light',
      opacity: 0.92,
    },
  ]
}

function moon(chance: Chance): Stroke[] {
  const [cx, cy, r] = [between(chance, 50, 130), between(chance, 70, 120), between(chance, 36, 52)]
  const cloud = (): string => {
    const [x, y, width] = [between(chance, -30, 120), between(chance, 100, 260), between(chance, 70, 150)]
    return `M${point(x, y)}h${round(width)}a5 5 0 0 1 0 10h${round(-width)}a5 5 0 0 1 0-10z`
  }
  return [
    { d: circle(cx, cy, r), colour: 'light', opacity: 0.95 },
    { d: times(9, cloud).join(''), colour: 'shape', opacity: 0.9 },
  ]
}

export const motifs = {
  rays,
  halftone,
  waves,
  sun,
  hills,
  circuits,
  orbits,
  grid,
  stripes,
  rain,
  petals,
  bubbles,
  shards,
  checks,
  moon,
} as const satisfies Record<string, (chance: Chance) => Stroke[]>
