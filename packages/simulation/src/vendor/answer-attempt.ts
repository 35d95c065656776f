// Handles one attempt from its arrival to its record: planned, refused or answered, and settled with its quotas.
import type { ServerResponse } from 'node:http'
import { seededFloats } from '@mangaassist/server/lib/collections/seeded-floats'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { Answer } from './answer.ts'
import type { Attempt, Attempts, OpenAttempt } from './attempts.ts'
import type { Api, VendorCall } from './call.ts'
import { embeddingBody, isEmbedding } from './embedding-call.ts'
import type { FaultBook } from './fault-book.ts'
import { sendWhole, sendJson } from './send-whole.ts'
import { AttemptConnection } from './attempt-connection.ts'
import { drawnPace } from './pace.ts'
import type { Pace } from './pace.ts'
import { refused } from './plan.ts'
import type { Plan, Refusal } from './plan.ts'
import { problemOf } from './read-call.ts'
import type { Regions } from './regions.ts'
import { streamAnswer } from './stream-answer.ts'
import type { PlannedAnswer } from './stream-answer.ts'
import { tokensOf } from './tokens.ts'
import type { Usage } from './usage.ts'
import { refusalOf } from './vendor-errors.ts'
import type { Wire } from './wires/wire.ts'
import { WIRES } from './wires/wires.ts'

export interface AttemptParts {
  readonly clock: Clock
  readonly seed: number
  readonly pace: Pace
  readonly answer: Answer
  readonly attempts: Attempts
  readonly book: FaultBook
  /** The models with a finite capacity. */
  readonly regions: Regions
  readonly models?: readonly string[]
  readonly onAttempt?: (attempt: Attempt) => void
}

export async function answerAttempt(parts: AttemptParts, call: VendorCall, response: ServerResponse): Promise<void> {
  const { attempts, book, clock } = parts
  const attempt = attempts.open(call, clock.now())
  const connection = new AttemptConnection(response, () => (attempt.clientClosedAt = clock.now()))
  const refusal = naturalRefusal(parts, call)
  const arrival = { call, now: attempt.at, load: attempts.inFlight(call.model) }
  const plan = refusal ? refused([], refusal) : book.plan(arrival)
  attempt.faults = plan.faults
  try {
    attempt.outcome = await respond(parts, { attempt, call, connection, plan })
  } catch (error) {
    // Only a closed connection ends an answer from outside; anything else is a bug of the simulator.
    if (!connection.signal.aborted) throw error
    attempt.outcome = attempt.clientClosedAt === undefined ? 'broken' : 'abandoned'
  } finally {
    attempts.close(attempt, clock.now())
    plan.settle(attempt.tokensSent)
    parts.onAttempt?.({ ...attempt })
  }
}

interface Work {
  readonly attempt: OpenAttempt
  readonly call: VendorCall
  readonly connection: AttemptConnection
  readonly plan: Plan
}

async function respond(parts: AttemptParts, work: Work): Promise<Attempt['outcome']> {
  const { attempt, call, connection, plan } = work
  if (plan.refusal) return refuse(plan.refusal, work)
  if (call.api === 'count-tokens') {
    attempt.status = 200
    await sendJson(connection, { status: 200, headers: {}, body: { inputTokens: call.promptTokens } })
    return 'answered'
  }
  if (isStreamed(call.api) && parts.regions.has(call.model)) {
    return parts.regions.stream({ attempt, call, connection, wireWith: (usage) => wireOf(work, usage) })
  }
  attempt.status = 200
  if (isStreamed(call.api)) return streamAnswer(plannedAnswer(parts, work))
  // Without a stream, an exception in the middle becomes an error status.
  const exception = plan.incidents.find((incident) => incident.fault === 'exception')
  if (exception) return refuse({ kind: 'error', error: exception.error, changes: {} }, work)
  return sendWhole(isEmbedding(call.api) ? plannedEmbedding(parts, work) : plannedAnswer(parts, work))
}

/** Refusals without any fault: an unknown model or an invalid request. */
function naturalRefusal({ models }: AttemptParts, call: VendorCall): Refusal | undefined {
  if (models && !models.includes(call.model)) return { kind: 'error', error: 'not-found', changes: {} }
  const message = problemOf(call)
  return message === undefined ? undefined : { kind: 'error', error: 'validation', changes: { message } }
}

async function refuse(refusal: Refusal, { attempt, call, connection }: Work): Promise<Attempt['outcome']> {
  if (refusal.kind === 'reset') {
    connection.reset()
    return 'broken'
  }
  if (refusal.kind === 'silence') {
    if (refusal.after === 'headers')
      connection.head((attempt.status = 200), { 'content-type': WIRES[call.api].contentType })
    return connection.hang()
  }
  const error = refusalOf(call.api, refusal.error, refusal.changes)
  attempt.status = error.status
  await sendJson(connection, error)
  return 'refused'
}

function plannedAnswer(
  { answer, clock, pace, seed }: AttemptParts,
  { attempt, call, connection, plan }: Work,
): PlannedAnswer {
  const text = answer(call.prompt, seededFloats(`${seed}/answer ${attempt.number}`))
  const tokens = tokensOf(withoutPrefill(text, call))
  return {
    wire: wireOf({ attempt, call }, plan.usage),
    plan,
    tokens: tokens.slice(0, call.maxTokens),
    stop: tokens.length > call.maxTokens ? 'length' : 'end',
    pace: drawnPace(pace, seededFloats(`${seed}/pace ${attempt.number}`)),
    clock,
    connection,
    onToken: () => void (attempt.tokensSent += 1),
  }
}

function wireOf({ attempt, call }: Pick<Work, 'attempt' | 'call'>, usage: Usage): Wire {
  const { idPrefix, make } = WIRES[call.api]
  const { includeUsage, model, promptTokens } = call
  return make({
    id: `${idPrefix}_sim_${attempt.number}`,
    model,
    promptTokens,
    usage,
    includeUsage,
    createdAt: attempt.at,
  })
}

function plannedEmbedding(parts: AttemptParts, work: Work): PlannedAnswer {
  const answer = plannedAnswer(parts, work)
  const body = embeddingBody(work.call, work.plan.vectors)
  return { ...answer, tokens: [], wire: { ...answer.wire, whole: () => body } }
}

/** A model continues from the end of a trailing assistant message. */
function withoutPrefill(text: string, { prompt }: VendorCall): string {
  const last = prompt.messages.at(-1)
  if (last?.role !== 'assistant' || !text.startsWith(last.content)) return text
  return text.slice(last.content.length)
}

function isStreamed(api: Api): boolean {
  return api.endsWith('-stream')
}
