// The vectors of the simulated embedders: each word, and each pair of characters of other scripts, has a direction of its own, and a
// text has the direction of their sum. Texts that share words are near each other, and the same text has always the same vector.
import { createHash } from 'node:crypto'

/** Ways in which an answer with vectors can be wrong. */
export const VECTOR_SHAPES = ['wrong-dimensions', 'too-few', 'not-numbers'] as const
export type VectorShape = (typeof VECTOR_SHAPES)[number]

const PIECE = /[\p{Script=Latin}\p{N}’'-]+|[^\s\p{Script=Latin}\p{N}\p{P}]+/gu
const LATIN = /^[\p{Script=Latin}\p{N}]/u
/** Directions of frequent pieces are used for many texts. */
const DIRECTIONS_MAX = 5000
const directions = new Map<string, Float32Array>()

export function vectorOf(text: string, dimensions: number): readonly number[] {
  const sum = new Float32Array(dimensions)
  for (const piece of piecesOf(text)) {
    const direction = directionOf(piece, dimensions)
    for (let at = 0; at < dimensions; at += 1) sum[at]! += direction[at]!
  }
  const length = Math.hypot(...sum) || 1
  return Array.from(sum, (value) => value / length)
}

function piecesOf(text: string): readonly string[] {
  const runs = text.toLowerCase().match(PIECE) ?? []
  const pieces = runs.flatMap((run) => {
    const characters = [...run]
    if (LATIN.test(run) || characters.length < 3) return [run]
    return characters.slice(1).map((character, index) => `${characters[index]}${character}`)
  })
  return pieces.length === 0 ? [text] : pieces
}

function directionOf(piece: string, dimensions: number): Float32Array {
  const key = `${dimensions}/${piece}`
  const known = directions.get(key)
  if (known !== undefined) return known
  const bytes = createHash('shake256', { outputLength: dimensions }).update(piece).digest()
  const direction = Float32Array.from(bytes, (byte) => byte - 127.5)
  if (directions.size >= DIRECTIONS_MAX) directions.clear()
  directions.set(key, direction)
  return direction
}
