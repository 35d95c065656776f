// Overload protection of models: lanes, the queue before them, retries and hedging. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { CIRCUITS, laneDefaults } from '#domain/lane/settings.ts'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import { retryDefaults } from '#domain/retry/plan-retry.ts'
import { Positive, section } from './section.ts'

/**
 * The circuit of one kind of lane. The `reference` policy uses exactly these values; for `adaptive` they are ceilings.
 */
const Circuit = section({
  /** This many failures within the window open the circuit; the adaptive policy counts them only at low traffic. */
  failures: Positive,
  /** This share of failed calls opens the circuit, in the `reference` policy. */
  rate: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  /** The window in which calls and failures are counted. */
  windowMs: Type.Integer({ minimum: 1000, maximum: 60_000 }),
  /** How long the circuit stays open. */
  openMs: Positive,
})

export const overloadShapes = {
  /** Limits and circuits of the calls to models and other dependencies. */
  lanes: section({
    /**
     * `adaptive` limits the calls in flight, opens a circuit only when nearly all calls fail, and probes again within
     * seconds. `reference` is the published table of pressure levels and circuits, with long openings and no limit.
     */
    policy: Type.Enum(['adaptive', 'reference']),
    /** The limit of calls in flight on a lane never falls below this. */
    inFlightFloor: Positive,
    open: section({
      /** How long a circuit is open the first time; each repetition doubles it. */
      firstMs: Positive,
      /** The longest opening, jitter included. */
      maxMs: Positive,
    }),
    /**
     * `primary` is the ladder's first model, `economy` all other models. Lanes of models are shared by a cluster; those
     * of search, OpenSearch, the catalogue (for pinned facts), the session store (for history), the embedder, Redis and DynamoDB belong
     * to one node. The circuits of Redis and DynamoDB open only on late responses, in the adaptive policy for at most two seconds.
     */
    circuits: section({
      primary: Circuit,
      economy: Circuit,
      search: Circuit,
      opensearch: Circuit,
      catalogue: Circuit,
      sessions: Circuit,
      embedder: Circuit,
      redis: Circuit,
      dynamodb: Circuit,
    }),
  }),
  /** The queue of a node, for turns whose lane is full. */
  queue: section({
    /** The most waiting turns of one node, over all lanes; further questions are refused with QUEUE_FULL. */
    entriesMax: Positive,
    /** The longest wait. */
    lifeMs: Positive,
    /** The time that must remain until the first-word deadline when a wait ends. */
    reserveMs: Positive,
  }),
  retries: section({
    /** The most attempts of a turn on one model, including the first. */
    attemptsPerModelMax: Positive,
    /** The most attempts of a turn on all models, including the first. */
    attemptsPerTurnMax: Positive,
    /**
     * The delay before a retry when the provider gives none. `controller`: one second after a throttle, shorter after
     * other errors. `pressure`: from the table of pressure levels. `shaped`: two seconds, tripled each time. `spread`:
     * one second, doubled each time, ± 50 %. `plain`: 100 ms to 10 s for all errors.
     */
    delays: Type.Enum(['controller', 'pressure', 'shaped', 'spread', 'plain']),
    /** The jitter of `controller` and `plain`. `none` is for tests: without jitter all nodes retry at the same time. */
    jitter: Type.Enum(['none', 'full', 'equal', 'decorrelated']),
    /** The most retries of a model within any ten seconds, by the whole cluster. */
    perTenSecondsMax: Positive,
    /** The most retries as a share of the first attempts within the same ten seconds. */
    firstsShareMax: Type.Number({ minimum: 0, maximum: 1 }),
  }),
  /**
   * Asks the next model of the ladder too when the first sends no text within its usual time (its learnt p95), at the latest after half
   * of `answers.firstWordMs`. The first model with a text answers, the other is stopped; the shopper's allowance pays for one, the shop for
   * both. Past these limits, and where it is off, a slow model is left for the next instead.
   */
  hedge: section({
    enabled: Type.Boolean(),
    /** The most second calls, as a share of the first calls of this node. */
    shareMax: Type.Number({ exclusiveMinimum: 0, maximum: 0.2 }),
    /** The most second calls within any ten seconds, by the whole cluster. */
    perTenSecondsMax: Positive,
  }),
}

const { entriesMax, lifeMs, reserveMs } = queueDefaults
const { firstMs, maxMs } = laneDefaults.open

/** Values that the domain defines are taken from there, so that each is written once. */
export const overloadDefaults: Static<Type.TObject<typeof overloadShapes>> = {
  lanes: {
    policy: 'adaptive',
    inFlightFloor: laneDefaults.limit.floor,
    open: { firstMs, maxMs },
    circuits: CIRCUITS,
  },
  queue: { entriesMax, lifeMs, reserveMs },
  retries: {
    ...retryDefaults,
    delays: 'controller',
    jitter: 'decorrelated',
    perTenSecondsMax: laneDefaults.retry.countMax,
    firstsShareMax: laneDefaults.retry.share,
  },
  hedge: { enabled: true, shareMax: 0.05, perTenSecondsMax: 100 },
}
