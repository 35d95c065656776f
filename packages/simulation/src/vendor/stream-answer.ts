// Streams one answer over its connection, at its pace and with its planned incidents. Returns how it ended; throws when
// the client disconnects.
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { AttemptConnection } from './attempt-connection.ts'
import type { Pace } from './pace.ts'
import type { Incident, Plan } from './plan.ts'
import type { Ending, Stop, Wire } from './wires/wire.ts'

export interface PlannedAnswer {
  readonly wire: Wire
  readonly plan: Plan
  readonly tokens: readonly string[]
  /** Stop reason when no incident ends the answer earlier. */
  readonly stop: Stop
  readonly pace: Pace
  readonly clock: Clock
  readonly connection: AttemptConnection
  /** Called after each token that was sent. */
  readonly onToken: () => void
}

export type AnswerEnd = 'answered' | 'broken'

/** The effect of an incident on the rest of the answer. */
type Effect =
  | { readonly kind: 'continue' }
  | { readonly kind: 'stop'; readonly stop: Stop }
  | { readonly kind: 'break' }

const CONTINUE: Effect = { kind: 'continue' }
const BREAK: Effect = { kind: 'break' }
/** A client never sees data that it has not read when the connection is destroyed, so this waits for it to read. */
const READ_MS = 25

export async function streamAnswer(answer: PlannedAnswer): Promise<AnswerEnd> {
  const { connection, plan, tokens, wire } = answer
  if (await isBrokenBeforeStart(answer)) return 'broken'
  await think(answer)
  const startedAt = answer.clock.now()
  for (let sent = 0; sent <= tokens.length; sent += 1) {
    const effect = await applyIncidents(answer, incidentsAt(plan, sent, tokens.length), tokens[sent])
    if (effect.kind === 'break') return 'broken'
    if (effect.kind === 'stop') return finish(answer, { stop: effect.stop, outputTokens: sent })
    const token = tokens[sent]
    if (token === undefined) break
    await untilDue(answer, startedAt, sent)
    await connection.write(wire.delta(token))
    answer.onToken()
  }
  return finish(answer, { stop: answer.stop, outputTokens: tokens.length })
}

export function firstTokenMs({ pace, plan }: PlannedAnswer): number {
  return (plan.firstTokenMs ?? pace.firstTokenMs) * plan.slowdown
}

export function tokenMs({ pace, plan }: PlannedAnswer): number {
  return pace.tokensPerSecond > 0 ? (1000 / pace.tokensPerSecond) * plan.slowdown : 0
}

// A slow first token comes after the headers and the start of the message, so that a timeout for headers does not catch
// it.
async function isBrokenBeforeStart(answer: PlannedAnswer): Promise<boolean> {
  const { connection, plan, wire } = answer
  const isSlow = plan.firstTokenMs !== undefined
  if (!isSlow) await pause(answer, firstTokenMs(answer))
  connection.head(200, { 'content-type': wire.contentType })
  const early = plan.incidents.find((incident) => incident.fault === 'exception' && incident.beforeStart === true)
  if (early) return (await applyIncident(answer, early)).kind === 'break'
  await connection.write(wire.start())
  if (isSlow) await pause(answer, firstTokenMs(answer))
  return false
}

/** Sends the reasoning, at its own pace or at that of the answer. */
async function think(answer: PlannedAnswer): Promise<void> {
  const { connection, plan, wire } = answer
  const { thinks } = plan
  if (thinks === undefined) return
  const isTagged = thinks.how === 'tags'
  const say = (text: string) => connection.write(isTagged ? wire.delta(text) : wire.reasoning(text))
  if (isTagged) await say('<think>')
  for (let sent = 0; sent < thinks.tokens; sent += 1) {
    await pause(answer, thinks.tokenMs ?? tokenMs(answer))
    await say('hm ')
  }
  if (isTagged) await say('</think>\n\n')
}

/** An incident planned beyond the answer's end happens at its end. */
function incidentsAt({ incidents }: Plan, sent: number, length: number): Incident[] {
  return incidents.filter(({ afterTokens = 0 }) => Math.min(afterTokens, length) === sent)
}

async function applyIncidents(
  answer: PlannedAnswer,
  incidents: readonly Incident[],
  next: string | undefined,
): Promise<Effect> {
  for (const incident of incidents) {
    const effect = await applyIncident(answer, incident, next)
    if (effect.kind !== 'continue') return effect
  }
  return CONTINUE
}

async function applyIncident(answer: PlannedAnswer, incident: Incident, next = ''): Promise<Effect> {
  const { connection, wire } = answer
  switch (incident.fault) {
    case 'cut':
      await cut(answer, incident.how ?? 'destroy', wire.delta(next))
      return BREAK
    case 'stall':
      return connection.hang()
    case 'exception':
      await connection.end(wire.exception(incident.error))
      return BREAK
    case 'malformed':
      await connection.write(wire.malformed(incident.how ?? 'json'))
      return CONTINUE
    case 'unknown-event':
      await connection.write(wire.unknown())
      return CONTINUE
    case 'blocked':
      return { kind: 'stop', stop: incident.by ?? 'guardrail' }
    case 'tool-use':
      await connection.write(wire.toolCall())
      return { kind: 'stop', stop: 'tool-use' }
  }
}

async function cut(
  { clock, connection }: PlannedAnswer,
  how: 'destroy' | 'end' | 'mid-event',
  next: Buffer,
): Promise<void> {
  if (how === 'destroy') return destroy({ clock, connection })
  await connection.end(how === 'end' ? undefined : next.subarray(0, Math.ceil(next.length / 2)))
}

/**
 * Skips the timer when there is nothing to wait for, so that a fast simulator is bound by its clients, not by timers.
 */
export async function pause(
  { clock, connection }: Pick<PlannedAnswer, 'clock' | 'connection'>,
  ms: number,
): Promise<void> {
  if (ms > 0) await clock.sleep(ms, connection.signal)
}

export async function destroy({ clock, connection }: Pick<PlannedAnswer, 'clock' | 'connection'>): Promise<void> {
  await clock.sleep(READ_MS, connection.signal)
  connection.destroy()
}

/** Counts from the start, so that late timers do not add up. */
async function untilDue(answer: PlannedAnswer, startedAt: number, sent: number): Promise<void> {
  await pause(answer, startedAt + sent * tokenMs(answer) - answer.clock.now())
}

async function finish({ connection, plan, wire }: PlannedAnswer, ending: Ending): Promise<AnswerEnd> {
  const events = wire.end(ending)
  const kept = plan.missingEnd === 'all' ? 0 : plan.missingEnd === 'last' ? events.length - 1 : events.length
  await connection.end(Buffer.concat(events.slice(0, kept)))
  return plan.missingEnd === undefined ? 'answered' : 'broken'
}
