// Token estimates of turns: for every model its family's costs, corrected by what its calls have shown. Learns at once from
// this node's calls, and shares it at intervals; an unavailable store costs only the other nodes' experience.
import {
  calibrated,
  DOUBT_GENERIC,
  DOUBT_KNOWN,
  guardFactor,
  merge,
  NOTHING_LEARNT,
  observe,
  partsOf,
  estimateQuality,
} from '#domain/estimator/calibration.ts'
import type { Estimates, EstimatorStatus } from '#domain/estimator/estimates.ts'
import { familyOf, GENERIC } from '#domain/estimator/families.ts'
import type { Family } from '#domain/estimator/families.ts'
import { countPrompt, tokenCounterOf, genericCounter, weigh } from '#domain/estimator/token-counter.ts'
import type { TokenCounter, Prompt } from '#domain/estimator/token-counter.ts'
import type { EstimatorStore } from '#ports/estimator-store/port.ts'
import type { Model, ModelRequest } from '#ports/model/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'

export interface LearningEstimates extends Estimates {
  /** Asks the vendors that count free of charge about models without observations; never throws. */
  warm(prompts: readonly WarmPrompt[], signal: AbortSignal): Promise<void>
  /** Stores what was learned here and reads what others have; never throws. */
  share(): Promise<void>
}

export interface EstimatesParts {
  readonly estimators: EstimatorStore
  readonly telemetry: Telemetry
  /** By configured name. */
  readonly models: ReadonlyMap<string, Model>
}

type WarmPrompt = Pick<ModelRequest, 'system' | 'messages'>

/** An estimate with a larger error than this is reported. */
const DRIFT = 0.2

class Learner {
  readonly #id: string
  readonly #family: Family
  readonly #isKnown: boolean
  /** What all nodes know, what is being shared, and what was learned here since. */
  #shared = NOTHING_LEARNT
  #inFlight = NOTHING_LEARNT
  #fresh = NOTHING_LEARNT
  #now: { readonly weights: Float64Array; readonly counter: TokenCounter; readonly guard: number } | undefined

  constructor({ id, facts }: Model) {
    const family = familyOf(facts?.tokenizer ?? '') ?? familyOf(id)
    this.#id = id
    this.#family = family ?? GENERIC
    this.#isKnown = this.#family !== GENERIC
  }

  get isTaught(): boolean {
    return this.#shared.observations + this.#inFlight.observations + this.#fresh.observations > 0
  }

  get now() {
    this.#now ??= this.#state()
    return this.#now
  }

  get status(): EstimatorStatus {
    const quality = estimateQuality(this.#all())
    const known = this.#isKnown ? 'family' : 'generic'
    return { method: quality.isCalibrated ? 'calibrated' : known, family: this.#family.name, ...quality }
  }

  #all() {
    return merge(merge(this.#shared, this.#inFlight), this.#fresh)
  }

  #state() {
    const all = this.#all()
    const weights = calibrated(this.#family.weights, all, this.#isKnown ? DOUBT_KNOWN : DOUBT_GENERIC)
    return { weights, counter: tokenCounterOf(weights), guard: guardFactor(all) }
  }

  /** Returns what would have been estimated. */
  learn(prompt: Prompt, inputTokens: number): number {
    const counts = countPrompt(prompt)
    const estimated = weigh(counts, this.now.weights)
    this.#fresh = merge(this.#fresh, observe(partsOf(counts, this.#family.weights), estimated, inputTokens))
    this.#now = undefined
    return estimated
  }

  async share(store: EstimatorStore): Promise<void> {
    const key = `${this.#id} ${this.#family.name} ${this.#family.edition}`
    this.#inFlight = this.#fresh
    this.#fresh = NOTHING_LEARNT
    try {
      const known = this.#inFlight.observations === 0 ? await store.load(key) : await store.merge(key, this.#inFlight)
      // A value of another version's format is read as nothing.
      this.#shared = merge(known ?? NOTHING_LEARNT, NOTHING_LEARNT)
    } catch (error) {
      this.#fresh = merge(this.#inFlight, this.#fresh)
      throw error
    } finally {
      this.#inFlight = NOTHING_LEARNT
      this.#now = undefined
    }
  }
}

export function createEstimates({ estimators, telemetry, models }: EstimatesParts): LearningEstimates {
  const learners = new Map<string, Learner>()
  for (const [name, model] of models) {
    // A model without facts is the built-in one: it counts by the generic costs, and there is nothing to learn.
    if (model.facts === undefined) continue
    const learner = learners.get(model.id) ?? new Learner(model)
    learners.set(model.id, learner).set(name, learner)
  }
  const of = (names: readonly string[]): readonly Learner[] =>
    [...new Set(names.map((name) => learners.get(name)))].filter((learner) => learner !== undefined)

  return {
    counterFor(names) {
      const [first, ...others] = of(names)
      if (first === undefined) return genericCounter
      if (others.length === 0) return first.now.counter
      return tokenCounterOf(
        first.now.weights.map((weight, at) => Math.max(weight, ...others.map(({ now }) => now.weights[at]!))),
      )
    },
    statusOf: (model) => learners.get(model)?.status,
    guarded(tokens, names) {
      const factors = of(names).map(({ now }) => now.guard)
      return Math.ceil(tokens * (factors.length === 0 ? guardFactor(NOTHING_LEARNT) : Math.max(...factors)))
    },
    observe(model, prompt, inputTokens) {
      const learner = learners.get(model)
      if (learner === undefined) return
      const ratio = learner.learn(prompt, inputTokens) / inputTokens
      telemetry.observe('model_estimate_ratio', ratio, { model })
      const off = ratio - 1
      if (Math.abs(off) <= DRIFT) return
      telemetry.count('estimate_drifted_total', { model })
      telemetry.log('warn', 'estimate.drifted', { model, percentOff: Math.round(off * 100) })
    },
    async warm(prompts, signal) {
      for (const { id, countTokens } of models.values()) {
        const learner = learners.get(id)
        if (countTokens === undefined || learner?.isTaught !== false) continue
        try {
          for (const prompt of prompts) {
            const tokens = await countTokens({ ...prompt, signal })
            // A model that cannot count says so at once; the others get all prompts.
            if (tokens === undefined) break
            learner.learn(prompt, tokens)
          }
        } catch (error) {
          telemetry.log('warn', 'estimate.calibrate-failed', { model: id }, error)
        }
      }
    },
    async share() {
      for (const learner of new Set(learners.values())) {
        try {
          await learner.share(estimators)
        } catch (error) {
          telemetry.log('warn', 'estimate.share-failed', {}, error)
        }
      }
    },
  }
}
