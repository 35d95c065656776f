// Trains the tagger: an averaged structured perceptron. Averaging over all steps keeps the last examples from having
// the last word.
import { OUTSIDE, TAGS_COUNT, transitionFeature } from '../src/understanding/model/tags.ts'
import { tagged } from '../src/understanding/model/tagger.ts'
import type { Weights } from '../src/understanding/model/weights.ts'
import { numberFeatures, shuffled } from './numbering.ts'

export interface TagExample {
  readonly features: readonly Uint32Array[]
  readonly tags: Uint8Array
}

export interface Trained {
  /** For each feature the weights of all labels. */
  readonly rows: ReadonlyMap<number, Float32Array>
}

export function trainTagger(examples: readonly TagExample[], epochs: number): Trained {
  const known = numberFeatures(
    examples.flatMap(({ features }) => features),
    Array.from({ length: TAGS_COUNT }, (_, tag) => transitionFeature(tag)),
  )
  const values = new Float32Array(known.size * TAGS_COUNT)
  const sums = new Float32Array(known.size * TAGS_COUNT)
  const current: Weights = {
    add(feature, scores) {
      const row = known.get(feature)
      if (row === undefined) return
      for (let tag = 0; tag < TAGS_COUNT; tag += 1) scores[tag]! += values[row * TAGS_COUNT + tag]!
    },
  }
  let step = 1
  const change = (feature: number, tag: number, by: number) => {
    const row = known.get(feature)
    if (row === undefined) return
    values[row * TAGS_COUNT + tag]! += by
    sums[row * TAGS_COUNT + tag]! += by * step
  }
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    for (const { features, tags } of shuffled(examples, epoch)) {
      // A fresh object each time: the tagger caches the transitions of a model.
      const guess = tagged(features, { add: current.add })
      update({ features, tags, guess }, change)
      step += 1
    }
  }
  const rows = new Map<number, Float32Array>()
  for (const [feature, row] of known) {
    const from = row * TAGS_COUNT
    rows.set(feature, Float32Array.from({ length: TAGS_COUNT }, (_, tag) => values[from + tag]! - sums[from + tag]! / step))
  }
  return { rows }
}

function update(
  { features, tags, guess }: TagExample & { readonly guess: Uint8Array },
  change: (feature: number, tag: number, by: number) => void,
): void {
  for (let at = 0; at < tags.length; at += 1) {
    const right = tags[at]!
    const wrong = guess[at]!
    const before = at === 0 ? undefined : { right: tags[at - 1]!, wrong: guess[at - 1]! }
    if (before !== undefined && (right !== wrong || before.right !== before.wrong)) {
      change(transitionFeature(before.right), right, 1)
      change(transitionFeature(before.wrong), wrong, -1)
    }
    if (right === wrong) continue
    for (const feature of features[at]!) {
      change(feature, right, 1)
      change(feature, wrong, -1)
    }
  }
}

/** The tags of labelled spans; a token counts to the span that its middle lies in. */
export function tagsOf(
  tokens: readonly { readonly from: number; readonly to: number }[],
  spans: readonly { readonly from: number; readonly to: number; readonly begin: number }[],
): Uint8Array {
  const tags = new Uint8Array(tokens.length).fill(OUTSIDE)
  let open = -1
  for (const [index, token] of tokens.entries()) {
    const middle = (token.from + token.to) / 2
    const at = spans.findIndex(({ from, to }) => middle > from && middle < to)
    if (at !== -1) tags[index] = spans[at]!.begin + (at === open ? 1 : 0)
    open = at
  }
  return tags
}
