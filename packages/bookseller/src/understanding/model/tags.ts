// The tags of the tagger: outside, and for each role the first token of a span and the following ones.
import { ROLES } from '../reading.ts'
import type { Role } from '../reading.ts'

export const OUTSIDE = 0
export const TAGS_COUNT = 1 + ROLES.length * 2

export const beginOf = (role: Role): number => 1 + ROLES.indexOf(role) * 2
export const insideOf = (role: Role): number => beginOf(role) + 1
export const isInside = (tag: number): boolean => tag !== OUTSIDE && tag % 2 === 0
export const isBegin = (tag: number): boolean => tag % 2 === 1
export const roleOf = (tag: number): Role | undefined => (tag === OUTSIDE ? undefined : ROLES[(tag - 1) >> 1])

/** A span continues only a span of its own role. */
export const mayFollow = (tag: number, before: number): boolean =>
  !isInside(tag) || before === tag || before === tag - 1

/** The feature of a transition, beside the features of tokens. */
export const transitionFeature = (before: number): number => (0xfffff000 + before) >>> 0
