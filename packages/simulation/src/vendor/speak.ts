// Streams one answer over its connection, at its pace and with its planned incidents. Returns how it ended; throws when
// the client disconnects.
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { AttemptConnection } from './attempt-connection.ts'
import type { Incident, Plan } from './plan.ts'
import type { Ending, Stop, Wire } from './wires/wire.ts'

export interface Pace {
  readonly firstTokenMs: number
  /** 0: as fast as possible. */
  readonly tokensPerSecond: number
}

export interface Speech {
  readonly wire: Wire
  readonly plan: Plan
  readonly tokens: readonly string[]
  /** Stop reason when no incident ends the answer earlier. */
  readonly stop: Stop
  readonly pace: Pace
  readonly clock: Clock
  readonly line: AttemptConnection
  /** A token was sent. */
  readonly onToken: () => void
}

export type SpeechEnd = 'answered' | 'broken'

/** The effect of an incident on the rest of the answer. */
type Turn = { readonly go: 'on' } | { readonly go: 'stop'; readonly stop: Stop } | { readonly go: 'break' }

const ON: Turn = { go: 'on' }
const BREAK: Turn = { go: 'break' }
/** A client never sees data that it has not read when the connection is destroyed, so this waits for it to read. */
const READ_MS = 25

export async function speak(speech: Speech): Promise<SpeechEnd> {
  const { line, plan, tokens, wire } = speech
  if (await isBrokenBeforeStart(speech)) return 'broken'
  await think(speech)
  const startedAt = speech.clock.now()
  for (let sent = 0; sent <= tokens.length; sent += 1) {
    const turn = await meet(speech, incidentsAt(plan, sent, tokens.length), tokens[sent])
    if (turn.go === 'break') return 'broken'
    if (turn.go === 'stop') return finish(speech, { stop: turn.stop, outputTokens: sent })
    const token = tokens[sent]
    if (token === undefined) break
    await untilDue(speech, startedAt, sent)
    await line.write(wire.delta(token))
    speech.onToken()
  }
  return finish(speech, { stop: speech.stop, outputTokens: tokens.length })
}

export function firstTokenMs({ pace, plan }: Speech): number {
  return (plan.firstTokenMs ?? pace.firstTokenMs) * plan.slowdown
}

export function tokenMs({ pace, plan }: Speech): number {
  return pace.tokensPerSecond > 0 ? (1000 / pace.tokensPerSecond) * plan.slowdown : 0
}

// A slow first token comes after the headers and the start of the message, so that a timeout for headers does not catch
// it.
async function isBrokenBeforeStart(speech: Speech): Promise<boolean> {
  const { line, plan, wire } = speech
  const isSlow = plan.firstTokenMs !== undefined
  if (!isSlow) await pause(speech, firstTokenMs(speech))
  line.head(200, { 'content-type': wire.contentType })
  const early = plan.incidents.find((incident) => incident.fault === 'exception' && incident.beforeStart === true)
  if (early) return (await happen(speech, early)).go === 'break'
  await line.write(wire.start())
  if (isSlow) await pause(speech, firstTokenMs(speech))
  return false
}

/** Sends the reasoning, at its own pace or at that of the answer. */
async function think(speech: Speech): Promise<void> {
  const { line, plan, wire } = speech
  const { thinks } = plan
  if (thinks === undefined) return
  const isTagged = thinks.how === 'tags'
  const say = (text: string) => line.write(isTagged ? wire.delta(text) : wire.reasoning(text))
  if (isTagged) await say('<think>')
  for (let sent = 0; sent < thinks.tokens; sent += 1) {
    await pause(speech, thinks.tokenMs ?? tokenMs(speech))
    await say('hm ')
  }
  if (isTagged) await say('</think>\n\n')
}

/** An incident planned beyond the answer's end happens at its end. */
function incidentsAt({ incidents }: Plan, sent: number, length: number): Incident[] {
  return incidents.filter(({ afterTokens = 0 }) => Math.min(afterTokens, length) === sent)
}

async function meet(speech: Speech, incidents: readonly Incident[], next: string | undefined): Promise<Turn> {
  for (const incident of incidents) {
    const turn = await happen(speech, incident, next)
    if (turn.go !== 'on') return turn
  }
  return ON
}

async function happen(speech: Speech, incident: Incident, next = ''): Promise<Turn> {
  const { line, wire } = speech
  switch (incident.fault) {
    case 'cut':
      await cut(speech, incident.how ?? 'destroy', wire.delta(next))
      return BREAK
    case 'stall':
      return line.hang()
    case 'exception':
      await line.end(wire.exception(incident.error))
      return BREAK
    case 'malformed':
      await line.write(wire.malformed(incident.how ?? 'json'))
      return ON
    case 'unknown-event':
      await line.write(wire.unknown())
      return ON
    case 'blocked':
      return { go: 'stop', stop: incident.by ?? 'guardrail' }
    case 'tool-use':
      await line.write(wire.toolCall())
      return { go: 'stop', stop: 'tool-use' }
  }
}

async function cut({ clock, line }: Speech, how: 'destroy' | 'end' | 'mid-event', next: Buffer): Promise<void> {
  if (how === 'destroy') return destroy({ clock, line })
  await line.end(how === 'end' ? undefined : next.subarray(0, Math.ceil(next.length / 2)))
}

/**
 * Skips the timer when there is nothing to wait for, so that a fast simulator is bound by its clients, not by timers.
 */
export async function pause({ clock, line }: Pick<Speech, 'clock' | 'line'>, ms: number): Promise<void> {
  if (ms > 0) await clock.sleep(ms, line.signal)
}

export async function destroy({ clock, line }: Pick<Speech, 'clock' | 'line'>): Promise<void> {
  await clock.sleep(READ_MS, line.signal)
  line.destroy()
}

/** Counts from the start, so that late timers do not add up. */
async function untilDue(speech: Speech, startedAt: number, sent: number): Promise<void> {
  await pause(speech, startedAt + sent * tokenMs(speech) - speech.clock.now())
}

async function finish({ line, plan, wire }: Speech, ending: Ending): Promise<SpeechEnd> {
  const events = wire.end(ending)
  const kept = plan.missingEnd === 'all' ? 0 : plan.missingEnd === 'last' ? events.length - 1 : events.length
  await line.end(Buffer.concat(events.slice(0, kept)))
  return plan.missingEnd === undefined ? 'answered' : 'broken'
}
