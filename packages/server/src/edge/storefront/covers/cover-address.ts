// The address of a cover's picture. It names what the picture is made from, so that caches may keep it: other facts or another
// drawing have another address.
import { createHash } from 'node:crypto'
import type { CoverSubject } from './cover-design.ts'

/** To be raised when covers are drawn differently. */
const DRAWING = 2
const DIGITS = 10

export function coverHref(subject: CoverSubject): string {
  return `/covers/${encodeURIComponent(subject.id)}.svg?v=${coverVersion(subject)}`
}

/** The picture that other sites show beside a link to the series. */
export function shareHref(subject: CoverSubject): string {
  return `/covers/${encodeURIComponent(subject.id)}.png?v=${coverVersion(subject)}`
}

export function coverVersion({ genres = [], id, title }: CoverSubject): string {
  const made = JSON.stringify([DRAWING, id, title.ja, title.en, genres])
  return createHash('sha256').update(made).digest('hex').slice(0, DIGITS)
}
