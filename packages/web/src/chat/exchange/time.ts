// Times as a reader wants them: the hour today, with the day before it otherwise. Pure.
import type { Language } from '@mangaassist/protocol'

const hour = { hour: '2-digit', minute: '2-digit', hour12: false } as const
const day = { month: 'short', day: 'numeric' } as const

export function timeOf(ms: number, language: Language, nowMs: number): string {
  const at = new Date(ms)
  const isToday = at.toDateString() === new Date(nowMs).toDateString()
  return at.toLocaleString(language === 'ja' ? 'ja-JP' : 'en-GB', isToday ? hour : { ...day, ...hour })
}
