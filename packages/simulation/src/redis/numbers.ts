// Parses and formats numbers as Redis does.
import { CommandRefused } from './reply.ts'

const INTEGER = /^(?:0|-?[1-9]\d*)$/

export function integerOf(text: string | undefined): number {
  const value = Number(text)
  if (text === undefined || !INTEGER.test(text) || !Number.isSafeInteger(value)) {
    throw new CommandRefused('ERR value is not an integer or out of range')
  }
  return value
}

export function scoreOf(text: string | undefined): number {
  if (text === '-inf') return Number.NEGATIVE_INFINITY
  if (text === '+inf' || text === 'inf') return Number.POSITIVE_INFINITY
  const value = Number(text)
  if (text === undefined || text.trim() === '' || Number.isNaN(value)) {
    throw new CommandRefused('ERR value is not a valid float')
  }
  return value
}

export function writtenScore(score: number): string {
  if (score === Number.POSITIVE_INFINITY) return 'inf'
  return score === Number.NEGATIVE_INFINITY ? '-inf' : String(score)
}

/** Start and exclusive end for a list of `length`; negative positions count from its end. */
export function sliceOf(length: number, from: number, to: number): readonly [number, number] {
  const start = Math.max(0, from < 0 ? length + from : from)
  const end = Math.min(length, (to < 0 ? length + to : to) + 1)
  return [start, Math.max(start, end)]
}
