// The time that `--for` gives a change: 90s, 30m, 2h, 1d.
import { UsageError } from './command.ts'

const DURATION = /^(\d{1,6})([smhd])$/
const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

export function msOf(text: string): number {
  const [, figure, unit = ''] = DURATION.exec(text) ?? []
  const ms = Number(figure) * (UNIT_MS[unit] ?? Number.NaN)
  if (!(ms > 0)) throw new UsageError('--for must be a time such as 90s, 30m, 2h or 1d.')
  return ms
}
