// The faults of the provider simulator, as data for scenario files, the control api and tests. The types are derived
// from the schemas, so that what is checked is what is used.
import Type from 'typebox'
import type { Static } from 'typebox'
import { APIS } from './call.ts'
import { VECTOR_SHAPES } from './embedding-vectors.ts'
import { USAGE_SHAPES } from './usage.ts'
import { vendorErrors } from './vendor-errors.ts'
import type { ErrorName } from './vendor-errors.ts'

const oneOf = <const Name extends string>(names: readonly Name[]) => Type.Unsafe<Name>({ type: 'string', enum: names })
const count = () => Type.Optional(Type.Integer({ minimum: 0 }))
const some = () => Type.Optional(Type.Integer({ minimum: 1 }))
const errorNames = Object.keys(vendorErrors) as ErrorName[]
const streamErrorNames = errorNames.filter((name) => 'inStream' in vendorErrors[name])

/** Which attempts a fault hits. Default: every attempt from now on. */
const aim = {
  /** Model id; `*` matches any text. */
  model: Type.Optional(Type.String({ minLength: 1 })),
  api: Type.Optional(oneOf(APIS)),
  /** Number of attempts that it hits before it ends. */
  times: some(),
  /** Number of attempts that it skips first. */
  skip: count(),
  /** Time after which it ends. */
  forMs: some(),
  /** Probability of a hit, drawn from the seed. */
  chance: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
}

const fault = <const Name extends string, const Fields extends Type.TProperties>(name: Name, fields: Fields) =>
  Type.Object({ fault: Type.Literal(name), ...aim, ...fields }, { additionalProperties: false })

export const faultSchemas = {
  /**
   * Reserves input + max_tokens × outputWeight at the start and settles at the end; beyond the quota 429 with
   * Retry-After. Per model.
   */
  quota: fault('quota', { requests: some(), tokens: some(), windowMs: some(), outputWeight: some() }),
  /**
   * With more than `slots` answers in progress, everything takes (load ÷ slots) ^ exponent times as long. Per model.
   */
  brownout: fault('brownout', {
    slots: Type.Integer({ minimum: 1 }),
    exponent: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: 8 })),
  }),
  /** An error status in place of an answer. */
  error: fault('error', {
    error: oneOf(errorNames),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    type: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    retryAfterSeconds: count(),
  }),
  /** A prompt that exceeds `tokens` together with its max_tokens is refused as too long. */
  'context-window': fault('context-window', { tokens: Type.Integer({ minimum: 0 }) }),
  /** A trailing assistant message is rejected. */
  'no-prefill': fault('no-prefill', {}),
  /** The connection is reset before any header. */
  reset: fault('reset', {}),
  /** No answer at all, or none after the headers, until the client disconnects. */
  silence: fault('silence', { after: Type.Optional(oneOf(['request', 'headers'])) }),
  /** Headers at once, the first token only after `ms`. */
  'slow-first-token': fault('slow-first-token', { ms: Type.Integer({ minimum: 0 }) }),
  /**
   * The model sends `tokens` of reasoning, at its own pace, before the first word of the answer; with `how: tags`
   * inside the answer's text, as servers without a reasoning parser send them (OpenAI's wire only).
   */
  thinks: fault('thinks', {
    tokens: Type.Integer({ minimum: 1 }),
    tokenMs: count(),
    how: Type.Optional(oneOf(['field', 'tags'])),
  }),
  /**
   * The stream breaks off: the connection is destroyed, or the body ends as if complete, between events or in the
   * middle of one.
   */
  cut: fault('cut', { afterTokens: count(), how: Type.Optional(oneOf(['destroy', 'end', 'mid-event'])) }),
  /** The stream falls silent until the client disconnects. */
  stall: fault('stall', { afterTokens: count() }),
  /** An error inside a 200 stream: after the start of the message and `afterTokens`, or even before the start. */
  exception: fault('exception', {
    error: oneOf(streamErrorNames),
    afterTokens: count(),
    beforeStart: Type.Optional(Type.Boolean()),
  }),
  /** An event that cannot be parsed; the stream continues after it. */
  malformed: fault('malformed', { afterTokens: count(), how: Type.Optional(oneOf(['json', 'crc'])) }),
  /** An event of an unknown type; the stream continues after it. */
  'unknown-event': fault('unknown-event', { afterTokens: count() }),
  /** The body ends without the events that end an answer, or without the very last (`[DONE]`, `message_stop`, `metadata`). */
  'missing-end': fault('missing-end', { only: Type.Optional(oneOf(['last'])) }),
  usage: fault('usage', {
    shape: oneOf(USAGE_SHAPES),
    key: Type.Optional(oneOf(['total', 'value', 'count'])),
  }),
  /** The vendor's filter ends the answer. */
  blocked: fault('blocked', { afterTokens: count(), by: Type.Optional(oneOf(['guardrail', 'content-filter'])) }),
  /** The model calls a tool instead of completing the answer. */
  'tool-use': fault('tool-use', { afterTokens: count() }),
  /** Vectors of another length, one vector too few, or texts in the place of numbers. */
  vectors: fault('vectors', { shape: oneOf(VECTOR_SHAPES) }),
} as const

export type FaultName = keyof typeof faultSchemas
export type VendorFaultOf<Name extends FaultName> = Static<(typeof faultSchemas)[Name]>
export type VendorFault = { [Name in FaultName]: VendorFaultOf<Name> }[FaultName]
