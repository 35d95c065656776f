// A shop's own colour for buttons, with black or white for the text on it. Only fills use the colour: other text keeps
// ours, so that no choice makes the chat unreadable. Pure.

export interface Accent {
  readonly fill: string
  readonly ink: string
}

/** Accepts `#rgb` and `#rrggbb`; undefined for anything else. */
export function accentOf(colour: string | null | undefined): Accent | undefined {
  const [, digits] = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(colour?.trim() ?? '') ?? []
  if (digits === undefined) return undefined
  const hex = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  // One of black and white always has a contrast of 4.5:1 or better; at a luminance of 0.179 both have the same.
  return { fill: `#${hex}`, ink: luminance(hex) > 0.179 ? '#000000' : '#ffffff' }
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}
