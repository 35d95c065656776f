// The settings of what keeps a model usable under load: its lane, the queue before it, and retries. A part of `config.ts`.
import Type from 'typebox'
import type { Static } from 'typebox'
import { CIRCUITS, laneDefaults } from '#domain/lane/settings.ts'
import { queueDefaults } from '#domain/queue/fair-queue.ts'
import { retryDefaults } from '#domain/retry/plan-retry.ts'
import { Positive, section } from './section.ts'

/** A row of the table of circuits. It is the whole rule of the `reference` policy, and the ceiling of the adaptive one. */
const Circuit = section({
  /** Failures within the window that open it; the adaptive policy counts them at low traffic only. */
  failures: Positive,
  /** The share of failed calls that opens it, in the `reference` policy. */
  rate: Type.Number({ exclusiveMinimum: 0, maximum: 1 }),
  windowMs: Type.Integer({ minimum: 1000, maximum: 60_000 }),
  openMs: Positive,
})

export const overloadShapes = {
  /** What lets calls through to a model, and what stops them. */
  lanes: section({
    /**
     * `adaptive` limits what is in flight, opens a circuit only on nearly total loss and looks again within seconds;
     * `reference` is the published table of pressure levels and circuits, with its long openings and no limit.
     */
    policy: Type.Enum(['adaptive', 'reference']),
    /** The least that may be in flight on a lane, however overloaded it is. */
    inFlightFloor: Positive,
    open: section({
      /** How long a circuit is open the first time; each repeat doubles it. */
      firstMs: Positive,
      /** And at most, jitter included. */
      maxMs: Positive,
    }),
    /**
     * Of the ladder's first model, of all other models, and of what is no model: search, the catalogue (for what shoppers said
     * about themselves), the session store (for history) and Redis. Those of models are shared by a fleet, the others are each
     * node's own. Redis opens on late answers alone, for at most two seconds in the adaptive policy.
     */
    circuits: section({
      primary: Circuit,
      economy: Circuit,
      search: Circuit,
      catalogue: Circuit,
      sessions: Circuit,
      redis: Circuit,
    }),
  }),
  /** Questions that wait on a node because their lane is full. */
  queue: section({
    /** On one node, at all its lanes together; beyond it, QUEUE_FULL. */
    entriesMax: Positive,
    /** The longest anyone waits. */
    lifeMs: Positive,
    /** What must be left to the first word's deadline when a wait ends. */
    reserveMs: Positive,
  }),
  retries: section({
    /** The first attempt included, both of them. */
    attemptsPerModelMax: Positive,
    attemptsPerTurnMax: Positive,
    /**
     * Where delays come from, when the provider names none: `controller` from a second after a throttle and a moment after
     * anything else, `pressure` from the table of levels, `shaped` from two seconds times three, `spread` from one second
     * doubling and half to half as long again, `plain` from 100 ms to 10 s whatever went wrong.
     */
    delays: Type.Enum(['controller', 'pressure', 'shaped', 'spread', 'plain']),
    /** Of `controller` and `plain`. `none` is for tests: nodes without jitter come back in step. */
    jitter: Type.Enum(['none', 'full', 'equal', 'decorrelated']),
    /** Most retries of a model in any ten seconds, by the whole fleet. */
    perTenSecondsMax: Positive,
    /** And as a share of the first attempts of the same ten seconds. */
    firstsShareMax: Type.Number({ minimum: 0, maximum: 1 }),
  }),
  /**
   * Asks the next model of the ladder too when the first has not spoken in its usual time (its learnt p95); the first to speak
   * answers, the other is stopped, and both are charged.
   */
  hedge: section({
    enabled: Type.Boolean(),
    /** Most such calls, as a share of the first calls of this node. */
    shareMax: Type.Number({ exclusiveMinimum: 0, maximum: 0.2 }),
  }),
}

const { entriesMax, lifeMs, reserveMs } = queueDefaults
const { firstMs, maxMs } = laneDefaults.open

/** Figures that the domain knows are its own: each is written once. */
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
  hedge: { enabled: false, shareMax: 0.05 },
}
