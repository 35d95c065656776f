// Turn records for operators: the story of each ended turn, and of requests that were refused. No text of a conversation.
import Type from 'typebox'
import type { Static } from 'typebox'
import { FeedbackValue, TurnFeedback } from '../feedback.ts'
import { AnswerTier, Count, FinishReason, Id, Language } from '../vocabulary.ts'
import { EstimateMethod, Paging, UserId } from './common.ts'
import { UsageRow } from './usage.ts'

const Name = Type.String({ minLength: 1, maxLength: 256 })
const Level = Type.Union([Type.Literal('simple'), Type.Literal('moderate'), Type.Literal('complex')])
const Judged = Type.Object({
  level: Level,
  probabilities: Type.Object({ simple: Type.Number(), moderate: Type.Number(), complex: Type.Number() }),
  floor: Level,
  sureness: Type.Number(),
})

const Time = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,3})?)?(Z|[+-]\\d{2}:\\d{2}))?$',
      description,
    }),
  )
const Figure = (description: string) => Type.Optional(Type.Integer({ minimum: 0, maximum: 1e12, description }))

export const TurnRecordsQuery = Type.Object({
  turn: Type.Optional(Type.Unsafe<string>({ ...Name, description: 'The id of a turn or of a refusal' })),
  request: Type.Optional(Type.Unsafe<string>({ ...Name, description: 'The id of the request, as the caller sent it' })),
  user: Type.Optional(UserId),
  session: Type.Optional(Name),
  kind: Type.Optional(
    Type.Union(
      [
        Type.Literal('turn'),
        Type.Literal('chat'),
        Type.Literal('completion'),
        Type.Literal('refusal'),
        Type.Literal('any'),
      ],
      {
        description:
          '`turn` is every kind of turn, `any` adds refusals. Default: `turn`, or `refusal` where the outcome is one of a refusal',
      },
    ),
  ),
  door: Type.Optional(Name),
  model: Type.Optional(Type.Unsafe<string>({ ...Name, description: 'The vendor’s id of the model that answered' })),
  tier: Type.Optional(Type.Unsafe<string>({ ...Name, description: 'The answer tier' })),
  reason: Type.Optional(
    Type.Unsafe<string>({ ...Name, description: 'One word of why it was degraded, incomplete or refused' }),
  ),
  outcome: Type.Optional(
    Type.Unsafe<string>({ ...Name, description: 'A finish reason, an error code, or `refused` for every error code' }),
  ),
  degraded: Type.Optional(Type.Boolean()),
  minCostMicroUsd: Figure('Cost at least this'),
  maxCostMicroUsd: Figure('Cost at most this'),
  minTotalMs: Figure('Took at least this'),
  experiment: Type.Optional(Name),
  feedback: Type.Optional(FeedbackValue),
  from: Time('A day of the shop, or a time with its zone'),
  to: Time('The last day, which is included, or a time, which is not'),
  since: Type.Optional(
    Type.String({
      maxLength: 2048,
      description:
        'The `newest` of an earlier list: only what was recorded since. Records of the last seconds before it come again, because nodes write behind their turns',
    }),
  ),
  ...Paging,
})
export type TurnRecordsQuery = Static<typeof TurnRecordsQuery>

const Text = Type.Optional(Type.String())
const Ms = Type.Optional(Count)
const Tokens = Type.Object({ system: Count, retrieval: Count, history: Count, message: Count, total: Count })

export const TurnCallView = Type.Object({
  attempt: Count,
  model: Type.String({ description: 'The vendor’s id of the model' }),
  name: Type.Optional(Type.String({ description: 'Its configured name' })),
  lane: Text,
  tier: AnswerTier,
  why: Type.Optional(
    Type.String({ description: '`first`, `retry`, `next` model of the ladder, `continuation` of shown text, `hedge`' }),
  ),
  delayMs: Type.Optional(Type.Integer({ minimum: 0, description: 'The wait before a retry' })),
  outcome: Type.String(),
  fault: Type.Optional(
    Type.Object(
      { status: Type.Optional(Type.Integer()), code: Text, message: Text, host: Text, requestId: Text },
      { description: 'What the vendor or the network said, redacted' },
    ),
  ),
  startMs: Type.Optional(Type.Integer({ description: 'From the acceptance of the turn to the beginning of the call' })),
  firstTokenMs: Ms,
  tookMs: Ms,
  inputTokens: Count,
  outputTokens: Count,
  cacheReadTokens: Ms,
  cacheWriteTokens: Ms,
  reasoningTokens: Ms,
  estimated: Type.Optional(Type.Literal(true)),
  costMicroUsd: Count,
})
export type TurnCallView = Static<typeof TurnCallView>

const sums = {
  frames: Type.Integer({ minimum: 0, description: 'How many frames of the turn; an answer in one piece is one' }),
  bytes: Type.Integer({
    minimum: 0,
    description: 'The size of these frames as they were encoded; the server compresses none of them',
  }),
  pauses: Type.Optional(
    Type.Integer({ minimum: 1, description: 'How often it had to wait because it read too slowly' }),
  ),
  pausedMs: Type.Optional(Type.Integer({ minimum: 0, description: 'How long, in all' })),
}
export const SentToView = Type.Object({
  door: Type.Union([Type.Literal('ws'), Type.Literal('sse'), Type.Literal('http'), Type.Literal('v1')]),
  startMs: Type.Integer({ minimum: 0, description: 'From the acceptance of the turn to the beginning of the reading' }),
  tookMs: Type.Optional(Type.Integer({ minimum: 0, description: 'From there to its end' })),
  offset: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The length of the text that it had already: it came back' }),
  ),
  ...sums,
  end: Type.Optional(
    Type.Union(
      [
        Type.Literal('complete'),
        Type.Literal('left'),
        Type.Literal('closed'),
        Type.Literal('too-slow'),
        Type.Literal('replaced'),
        Type.Literal('timeout'),
        Type.Literal('failed'),
      ],
      {
        description:
          'Absent while it reads. `complete`: everything was sent; `left`: the client disconnected; `closed`: by the server; `too-slow`: by the server, because the client did not read; `replaced`: asked for again on the same connection; `timeout`: the text so far, at the deadline',
      },
    ),
  ),
})
export type SentToView = Static<typeof SentToView>

export const TurnRecordView = Type.Object({
  turnId: Id,
  sessionId: Type.String(),
  principalId: Type.String(),
  userTier: Type.String(),
  at: Type.String({ description: 'When the turn ended' }),
  language: Language,
  position: Type.Integer({ minimum: 0, description: 'How many turns the conversation had before' }),
  routing: Type.Optional(
    Type.Object(
      {
        choice: Type.Optional(
          Type.Object({ first: Type.String(), rule: Type.String(), why: Type.String(), judged: Judged }),
        ),
        escalation: Type.Optional(Type.String()),
        exposures: Type.Array(Type.Object({ experiment: Type.String(), arm: Type.String() })),
        unit: Type.String({ description: 'Who is assigned to arms: the user, or the guest that the user was first' }),
      },
      { description: 'Absent where routing was off and no experiment ran' },
    ),
  ),
  weighed: Type.Optional(
    Type.Object(
      { judged: Judged, plain: Type.Array(Type.String()), promptTokens: Count },
      { description: 'What was known of the question before a model was chosen' },
    ),
  ),
  promptVersion: Type.Optional(Type.String()),
  tier: AnswerTier,
  model: Type.String(),
  finishReason: FinishReason,
  isDegraded: Type.Boolean({ description: 'Below the first choice of its route' }),
  isCached: Type.Boolean(),
  failure: Type.Optional(Type.String()),
  attempts: Count,
  inputTokens: Count,
  outputTokens: Count,
  costMicroUsd: Count,
  firstWordMs: Type.Union([Count, Type.Null()]),
  totalMs: Count,
  mismatches: Type.Array(Type.String(), { description: 'Kinds of claims that the store contradicted' }),
  received: Type.Object(
    {
      feedback: Type.Optional(TurnFeedback),
      followedUp: Type.Optional(Type.Literal(true)),
      askedAgain: Type.Optional(Type.Literal(true)),
      cardsOpened: Type.Optional(Count),
      handedOver: Type.Optional(Type.Literal(true)),
      resumed: Type.Optional(Count),
    },
    { description: 'What the shopper did with the answer' },
  ),
  kind: Type.Optional(Type.Union([Type.Literal('chat'), Type.Literal('completion')])),
  door: Text,
  requestId: Text,
  traceId: Text,
  node: Type.Optional(Type.String({ description: 'The node that settled it' })),
  acceptedAt: Text,
  replaces: Type.Optional(Type.String({ description: 'The turn in whose place it was asked' })),
  continues: Type.Optional(Type.Literal(true, { description: 'Its answer continues the text of that turn' })),
  queueMs: Ms,
  stages: Type.Optional(
    Type.Object({
      admissionMs: Ms,
      contextMs: Ms,
      routingMs: Ms,
      invocationMs: Ms,
      deliveryMs: Ms,
      settlementMs: Ms,
    }),
  ),
  reason: Type.Optional(Type.String({ description: 'Why the answer is degraded: words with a space between them' })),
  missing: Type.Optional(Type.Array(Type.String(), { description: 'Sources that were not available in time' })),
  retrieved: Type.Optional(Type.Object({ products: Type.Array(Type.String()), faq: Type.Array(Type.String()) })),
  prompt: Type.Optional(Type.Unsafe<Static<typeof Tokens>>({ ...Tokens, description: 'Estimated tokens by part' })),
  estimate: Type.Optional(
    Type.Object(
      {
        model: Type.String({ description: 'The configured name of the model' }),
        method: EstimateMethod,
        family: Type.String({ description: 'The family of its tokenizer' }),
        confidence: Type.Union([Type.Number(), Type.Null()], {
          description: 'The share of the model’s recent calls whose estimate was within 10 %; null before the first',
        }),
      },
      { description: 'How the prompt was estimated' },
    ),
  ),
  firstChoice: Type.Optional(
    Type.String({ description: 'The configured name of the model that would have been asked first' }),
  ),
  calls: Type.Optional(Type.Array(TurnCallView)),
  passed: Type.Optional(
    Type.Array(Type.Object({ model: Type.String(), reason: Type.String() }), {
      description: 'The models of the ladder that gave no answer, and why',
    }),
  ),
  seams: Ms,
  epoch: Type.Optional(Type.Integer({ description: 'The epoch of the last owner: 1 without a takeover' })),
  deltas: Type.Optional(
    Type.Integer({ minimum: 0, description: 'In how many pieces the text came from what answered' }),
  ),
  frames: Type.Optional(Type.Integer({ minimum: 0, description: 'In how many writes to its log it was shown' })),
  readers: Type.Optional(Type.Integer({ minimum: 0, description: 'On the node of the last owner' })),
  sentTo: Type.Optional(
    Type.Array(SentToView, {
      description: 'What the first six of them were sent, until the record was written half a second after the end',
    }),
  ),
  sentToOthers: Type.Optional(Type.Object(sums, { description: 'The sums of the others' })),
  stop: Text,
  quotaWarned: Type.Optional(Type.Literal(true)),
})
export type TurnRecordView = Static<typeof TurnRecordView>

export const RefusalView = Type.Object({
  kind: Type.Literal('refusal'),
  refusalId: Id,
  at: Type.String({ description: 'When the last of them was refused' }),
  since: Type.String({ description: 'When the first of them was refused' }),
  count: Type.Integer({ minimum: 1, description: 'How many requests of the same principal by the same limit' }),
  code: Type.String(),
  scope: Text,
  reason: Text,
  retryAfterMs: Ms,
  principalId: Type.String({ description: 'Empty for callers without an identity' }),
  userTier: Text,
  sessionId: Type.String(),
  network: Type.Optional(Type.String({ description: 'A pseudonym of the network address' })),
  door: Type.String(),
  route: Text,
  requestId: Text,
  traceId: Text,
  node: Text,
})
export type RefusalView = Static<typeof RefusalView>

export const RecordView = Type.Union([TurnRecordView, RefusalView])
export type RecordView = Static<typeof RecordView>

export const TurnRecordsView = Type.Array(RecordView)

const TurnLogLine = Type.Object({
  at: Type.String(),
  level: Type.String(),
  event: Type.String({ description: 'The name of the event, as `mangaassist metrics` prints it' }),
  fields: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: 'Without the ids that the record has',
    }),
  ),
  error: Type.Optional(Type.String({ description: 'The error’s name and its redacted words' })),
})
export type TurnLogLine = Static<typeof TurnLogLine>

const TurnLines = Type.Object({
  lines: Type.Array(TurnLogLine, { description: 'Without `turn.ended`, which says what the record says' }),
  leftOut: Type.Integer({ minimum: 0, description: 'Lines past the bound of 20 lines or 8,000 characters' }),
  isOfLastOwner: Type.Boolean({
    description: 'Another node took the turn over: the lines of the owner before are in its own log only',
  }),
})

export const TurnStoryView = Type.Object({
  record: RecordView,
  log: Type.Union([TurnLines, Type.Null()], {
    description:
      'The log lines of the turn and its request, stored with the record. Null for a refusal, and for records of versions that stored none',
  }),
  whyNotFirstChoice: Type.Union([Type.String(), Type.Null()], {
    description: 'One sentence: why the first choice did not answer; null where it did',
  }),
  ledger: Type.Array(UsageRow, { description: 'What the turn was charged for' }),
  sameRequest: Type.Array(Type.String(), { description: 'Other turns and refusals with the same request id' }),
})
export type TurnStoryView = Static<typeof TurnStoryView>
