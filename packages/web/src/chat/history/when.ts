// The time of a conversation as short as it can be: the time of today, the date of this year, else the whole date. Pure.
import type { Language } from '@mangaassist/protocol'

export function shortTime(iso: string, language: Language, now: Date): string {
  const then = new Date(iso)
  if (Number.isNaN(then.getTime())) return ''
  return new Intl.DateTimeFormat(language, formatOf(then, now)).format(then)
}

function formatOf(then: Date, now: Date): Intl.DateTimeFormatOptions {
  if (then.toDateString() === now.toDateString()) return { hour: 'numeric', minute: '2-digit' }
  if (then.getFullYear() === now.getFullYear()) return { month: 'short', day: 'numeric' }
  return { year: 'numeric', month: 'short', day: 'numeric' }
}
