// The source named by a cached answer. A fresh one is as good as the route's own; a stale one is a fallback.
import { presented } from './shown-with.ts'
import type { ShownWith } from './shown-with.ts'

const STALE_CONFIDENCE = 0.5

interface CachedSource {
  readonly type: 'source'
  readonly tier: 'cached'
  readonly model: string
  readonly degraded: boolean
  readonly confidence: number
  readonly reason?: string
  readonly cached: true
  readonly shownWith?: ShownWith
}

interface Found {
  readonly kind: 'fresh' | 'stale'
  readonly answer: ShownWith & { readonly model: string }
}

/** A fresh one is as good as the route's own; a stale one is a fallback, for the reason given. */
export function cachedSource({ kind, answer }: Found, reason: string): CachedSource {
  const shown = presented(answer)
  const shownWith = Object.keys(shown).length === 0 ? {} : { shownWith: shown }
  const source = { type: 'source', tier: 'cached', model: answer.model, cached: true, ...shownWith } as const
  if (kind === 'fresh') return { ...source, degraded: false, confidence: 1 }
  return { ...source, degraded: true, confidence: STALE_CONFIDENCE, reason }
}
