// The labels that several metrics share, each with one name, one meaning and one bound.
import type { OpenBound, Scale } from './entry.ts'

const atMost = (valuesMax: number, because: string): OpenBound => ({ valuesMax, because })

/** The name of a model in the configuration, everywhere; the vendor's id is `modelId` in the log. */
export const MODEL = atMost(33, 'names of `models` in the configuration; `none` where no model answered')
/** The name of a model, or that of a lane of this node. */
export const LANE = atMost(
  39,
  'names of `models`, and `search`, `opensearch`, `catalogue`, `sessions`, `embedder`, `redis`, `dynamodb`',
)
/** The first choice of a turn's route. */
export const FIRST_CHOICE = atMost(33, 'names of `models` in the configuration, and `embedded`')
export const ROUTING_RULE = atMost(
  24,
  'names of `routing.rules`, and `complexity`, `escalated`, `no-model`, `experiment`',
)
export const ISSUER = atMost(16, 'names of `auth.issuers` in the configuration')
export const ROUTE = atMost(100, 'routes of the server')
export const STATUS = atMost(30, 'statuses that the server sends')
export const CLOSE_CODE = atMost(24, 'codes of RFC 6455 and ours, else `other`')
export const COMMAND = atMost(80, 'commands and scripts of the server')
export const BUCKET = atMost(3, '`global`, `chat`, `connections`')
export const TASK = atMost(24, 'tasks that the server repeats')
/** How a call of a model ended. */
export const CALL_OUTCOME = atMost(
  24,
  'stop reasons (`end`, `length`, `blocked`, `tool-use`), `budget`, `misfit`, `stopped`, `deadline`, `interrupted`, and classes of model errors (`throttled`, `timeout`, …)',
)
export const STORE = atMost(16, 'settings of `stores`')
export const TECHNOLOGY = atMost(8, '`sqlite`, `memory`, `redis`, `dynamodb`, `files`, `s3`')
export const VERB = atMost(100, 'verbs of the stores’ ports')
/** The limit that a caller has reached. */
export const LIMIT_SCOPE = atMost(
  40,
  'limits: `minute`, `day-cost`, `session-input`, `requests`, … with `address-` before those of an address; `none` where the refusal names none',
)
export const TABLE = atMost(8, 'tables of DynamoDB without their prefix')
export const PROBE_REASON = atMost(24, 'findings of the format probe')

export const ALARM = atMost(80, 'ids of alarms')
export const SENDER = atMost(16, 'names of the senders in `alarms`')

/** Who pays for a call: by the kind of principal, and the shop for its own. */
export const PAYER = ['user', 'guest', 'key', 'shop'] as const
export const FINISH_REASON = [
  'stop',
  'length',
  'budget',
  'timeout',
  'stopped',
  'interrupted',
  'blocked',
  'deferred',
] as const

export const BOOLEAN = [true, false] as const
export const DOOR = ['ws', 'sse'] as const
export const TIER = ['primary', 'economy', 'cached', 'faq', 'message', 'embedded'] as const
export const ACCOUNT = ['store', 'guests'] as const
export const STREAM_STATE = [
  'starting',
  'streaming',
  'broken-off',
  'completing',
  'completed',
  'cancelled',
  'failed',
] as const

/** From a moment to the longest that a turn may take. */
export const TURN_SECONDS: Scale = {
  unit: 'seconds',
  buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 0.75, 1, 1.5, 2.5, 5, 10, 20, 22, 24, 26, 30, 60, 120],
}
/** Between two frames of an answer. */
export const FRAME_SECONDS: Scale = {
  unit: 'seconds',
  buckets: [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30],
}
/** From one opening of a circuit to an outage of a day. */
export const OUTAGE_SECONDS: Scale = {
  unit: 'seconds',
  buckets: [1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400],
}
/** Output tokens of a model in a second. */
export const TOKEN_RATE: Scale = { unit: 'count', buckets: [1, 2, 5, 10, 20, 30, 50, 75, 100, 150, 250, 500, 1000] }
/** A quotient of an estimate and what it estimates; 1 is exact. */
export const QUOTIENT: Scale = {
  unit: 'ratio',
  buckets: [0.25, 0.5, 0.7, 0.8, 0.9, 0.95, 1, 1.05, 1.1, 1.2, 1.5, 2, 4],
}
export const FRAME_BYTES: Scale = {
  unit: 'bytes',
  buckets: [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 262_144, 1_048_576],
}
export const TEXT_CHARACTERS: Scale = { unit: 'characters', buckets: [1, 3, 10, 30, 100, 300, 1000, 3000, 10_000] }
/** Capacity units of DynamoDB. */
export const UNITS: Scale = { unit: 'count', buckets: [0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256] }
export const FEW: Scale = { unit: 'count', buckets: [1, 2, 3, 5, 8, 13, 21, 34, 55, 100, 250] }
