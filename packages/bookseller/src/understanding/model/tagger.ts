// Labels the tokens of a message by the best path over all tags (Viterbi), with a beam: beyond a few candidates a tag
// never wins.
import type { Weights } from './weights.ts'
import { isInside, mayFollow, OUTSIDE, TAGS_COUNT, transitionFeature } from './tags.ts'

const BEAM = 8
/** A word without a role costs this much, chosen by writers that took no part in training: a missed dislike harms most. */
const OUTSIDE_COST = 1

/** The tag of every token. `features` are those of each token. */
export function tagged(features: readonly Uint32Array[], weights: Weights): Uint8Array {
  const length = features.length
  const scores = new Float64Array(TAGS_COUNT)
  const best: Float64Array[] = []
  const from: Uint8Array[] = []
  const transitions = transitionScores(weights)
  let beam: readonly number[] = []
  for (let at = 0; at < length; at += 1) {
    scores.fill(0)
    for (const feature of features[at]!) weights.add(feature, scores)
    scores[OUTSIDE]! -= OUTSIDE_COST
    const now = new Float64Array(TAGS_COUNT).fill(Number.NEGATIVE_INFINITY)
    const origin = new Uint8Array(TAGS_COUNT)
    for (let tag = 0; tag < TAGS_COUNT; tag += 1) {
      if (at === 0) {
        if (!isInside(tag)) now[tag] = scores[tag]!
        continue
      }
      for (const before of beam) {
        if (!mayFollow(tag, before)) continue
        const score = best[at - 1]![before]! + transitions[before]![tag]! + scores[tag]!
        if (score > now[tag]!) {
          now[tag] = score
          origin[tag] = before
        }
      }
    }
    best.push(now)
    from.push(origin)
    beam = topOf(now)
  }
  return walkBack(best, from)
}

const cached = new WeakMap<Weights, readonly Float64Array[]>()

function transitionScores(weights: Weights): readonly Float64Array[] {
  const known = cached.get(weights)
  if (known !== undefined) return known
  const rows = Array.from({ length: TAGS_COUNT }, (_, before) => {
    const scores = new Float64Array(TAGS_COUNT)
    weights.add(transitionFeature(before), scores)
    return scores
  })
  cached.set(weights, rows)
  return rows
}

function topOf(scores: Float64Array): readonly number[] {
  const top: number[] = []
  for (let tag = 0; tag < scores.length; tag += 1) {
    if (scores[tag] === Number.NEGATIVE_INFINITY) continue
    let at = top.length
    while (at > 0 && scores[top[at - 1]!]! < scores[tag]!) at -= 1
    if (at < BEAM) top.splice(at, 0, tag)
    if (top.length > BEAM) top.pop()
  }
  return top
}

function walkBack(best: readonly Float64Array[], from: readonly Uint8Array[]): Uint8Array {
  const tags = new Uint8Array(best.length)
  const last = best.at(-1)
  if (last === undefined) return tags
  let tag = topOf(last)[0] ?? OUTSIDE
  for (let at = best.length - 1; at >= 0; at -= 1) {
    tags[at] = tag
    tag = from[at]![tag]!
  }
  return tags
}
