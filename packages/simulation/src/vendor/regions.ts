// Models with a finite capacity: their calls go to the simulated region of the fleet simulator, on the real clock, and its parts are
// written in the vendor's wire format. So one implementation of slots, queue, quota and spread serves virtual and real time.
import { detectLanguage } from '@mangaassist/bookseller/text/language'
import { textMessage } from '@mangaassist/server/domain/model/model-message'
import type { ModelFailure } from '@mangaassist/server/domain/model/model-part'
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { CallRequest } from '../provider/call.ts'
import type { Capacity } from '../provider/habits.ts'
import { WELL } from '../provider/health.ts'
import type { Health } from '../provider/health.ts'
import { regionOf } from '../provider/region.ts'
import type { RegionModel } from '../provider/region.ts'
import { seededRandom } from '../virtual/random.ts'
import type { AttemptConnection } from './attempt-connection.ts'
import type { Attempt, OpenAttempt } from './attempts.ts'
import type { VendorCall } from './call.ts'
import { ScenarioError } from './scenario.ts'
import { sendJson } from './send-whole.ts'
import { countTokens } from './tokens.ts'
import type { Usage } from './usage.ts'
import { refusalOf, vendorErrors } from './vendor-errors.ts'
import type { ErrorName } from './vendor-errors.ts'
import type { Wire } from './wires/wire.ts'

export interface RegionsParts {
  readonly clock: Clock
  readonly seed: number
  /** By model id. */
  readonly regions: Readonly<Record<string, Capacity>>
}

interface RegionCall {
  readonly call: VendorCall
  readonly attempt: OpenAttempt
  readonly connection: AttemptConnection
  readonly wireWith: (usage: Usage) => Wire
}

/** All callers share a region; who they are does not matter to it. */
const CALLER = 'caller'

export class Regions {
  readonly #models: ReadonlyMap<string, RegionModel>
  readonly #health = new Map<string, Health>()

  constructor({ clock, regions, seed }: RegionsParts) {
    const entries = Object.entries(regions).map(([modelId, capacity]) => {
      const random = seededRandom(`${seed}/region ${modelId}`)
      const health = () => this.#health.get(modelId) ?? WELL
      return [modelId, regionOf({ lane: modelId, modelId, clock, random, capacity, health }).modelFor(CALLER)] as const
    })
    this.#models = new Map(entries)
  }

  has(model: string): boolean {
    return this.#models.has(model)
  }

  /** What is not given is well. */
  setHealth(model: string, health: Partial<Health>): void {
    if (!this.has(model)) throw new ScenarioError([`health.model: ${JSON.stringify(model)} has no region`])
    this.#health.set(model, { ...WELL, ...health })
  }

  heal(): void {
    this.#health.clear()
  }

  /** Streams the answer of the model's region. Throws when the client disconnects. */
  async stream({ attempt, call, connection, wireWith }: RegionCall): Promise<Attempt['outcome']> {
    const wire = wireWith({})
    let usage: Usage = { shape: 'missing' }
    for await (const part of this.#models.get(call.model)?.stream(requestOf(call, connection.signal)) ?? []) {
      switch (part.type) {
        case 'message-start':
          attempt.status = 200
          connection.head(200, { 'content-type': wire.contentType })
          await connection.write(wire.start())
          break
        case 'text-delta':
          await connection.write(wire.delta(part.text))
          attempt.tokensSent += countTokens(part.text)
          break
        case 'reasoning-delta':
          await connection.write(wire.reasoning(part.text))
          break
        case 'usage':
          usage = {}
          break
        case 'message-end': {
          const stop = part.stopReason === 'length' ? 'length' : 'end'
          await connection.end(Buffer.concat(wireWith(usage).end({ stop, outputTokens: attempt.tokensSent })))
          return 'answered'
        }
        case 'model-error':
          connection.signal.throwIfAborted()
          return fail({ attempt, call, connection }, part)
      }
    }
    throw new Error(`the region of ${call.model} ended a call without an end`)
  }
}

function requestOf({ maxTokens, prompt }: VendorCall, signal: AbortSignal): CallRequest {
  const { messages, system } = prompt
  const last = messages.at(-1)
  return {
    system,
    messages: messages.map(({ content, role }) => textMessage(role === 'assistant' ? role : 'user', content)),
    language: detectLanguage(messages.findLast(({ role }) => role === 'user')?.content ?? ''),
    ...(last?.role === 'assistant' ? { shown: last.content } : {}),
    maxOutputTokens: maxTokens,
    deadlineAt: Number.POSITIVE_INFINITY,
    signal,
  }
}

async function fail(
  { attempt, call, connection }: Omit<RegionCall, 'wireWith'>,
  { class: error, retryAfterMs }: ModelFailure,
): Promise<Attempt['outcome']> {
  if (attempt.status !== undefined) {
    connection.destroy()
    return 'broken'
  }
  const changes = retryAfterMs === undefined ? {} : { retryAfterSeconds: Math.ceil(retryAfterMs / 1000) }
  const refusal = refusalOf(call.api, error in vendorErrors ? (error as ErrorName) : 'internal', changes)
  attempt.status = refusal.status
  await sendJson(connection, refusal)
  return 'refused'
}
