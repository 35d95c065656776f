// Speaks one streamed answer on its line: at its pace, with its incidents where they are planned. Answers how it ended;
// throws when the client went meanwhile.
import type { Clock } from '@mangaassist/server/ports/clock/port'
import type { AttemptConnection } from './attempt-connection.ts'
import type { Incident, Plan } from './plan.ts'
import type { Ending, Stop, Wire } from './wires/wire.ts'

export interface Pace {
  readonly firstTokenMs: number
  /** 0 is as fast as it can. */
  readonly tokensPerSecond: number
}

export interface Speech {
  readonly wire: Wire
  readonly plan: Plan
  readonly tokens: readonly string[]
  /** How it ends when nothing comes in between. */
  readonly stop: Stop
  readonly pace: Pace
  readonly clock: Clock
  readonly line: AttemptConnection
  /** A token was sent. */
  readonly onToken: () => void
}

export type SpeechEnd = 'answered' | 'broken'

/** What an incident does to the rest of the speech. */
type Turn = { readonly go: 'on' } | { readonly go: 'stop'; readonly stop: Stop } | { readonly go: 'break' }

const ON: Turn = { go: 'on' }
const BREAK: Turn = { go: 'break' }
/** A client that has not read yet what came before a broken connection never gets to: so it is left the time. */
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

// A slow first token is slow after the headers and the start of the message, where a limit on headers does not see it.
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

/** At its own pace, or at the pace of the answer. */
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

/** What is planned for beyond the answer's end happens at its end. */
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

/** Not even for a moment when there is nothing to wait for: a fast simulator is bound by its clients, not by timers. */
export async function pause({ clock, line }: Pick<Speech, 'clock' | 'line'>, ms: number): Promise<void> {
  if (ms > 0) await clock.sleep(ms, line.signal)
}

export async function destroy({ clock, line }: Pick<Speech, 'clock' | 'line'>): Promise<void> {
  await clock.sleep(READ_MS, line.signal)
  line.destroy()
}

/** Reckoned from the start, so that timers that fire late do not add up. */
async function untilDue(speech: Speech, startedAt: number, sent: number): Promise<void> {
  await pause(speech, startedAt + sent * tokenMs(speech) - speech.clock.now())
}

async function finish({ line, plan, wire }: Speech, ending: Ending): Promise<SpeechEnd> {
  const events = wire.end(ending)
  const kept = plan.missingEnd === 'all' ? 0 : plan.missingEnd === 'last' ? events.length - 1 : events.length
  await line.end(Buffer.concat(events.slice(0, kept)))
  return plan.missingEnd === undefined ? 'answered' : 'broken'
}
