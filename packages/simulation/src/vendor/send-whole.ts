// Sends an answer without streaming: one JSON body, after the time that a stream would have taken. Incidents of a
// stream become a truncated or invalid body, or an error status.
import type { AttemptConnection } from './attempt-connection.ts'
import type { Incident } from './plan.ts'
import { destroy, firstTokenMs, pause, tokenMs } from './stream-answer.ts'
import type { PlannedAnswer, AnswerEnd } from './stream-answer.ts'
import type { HttpAnswer } from './vendor-errors.ts'
import type { Stop } from './wires/wire.ts'

const JSON_HEADERS = { 'content-type': 'application/json' }

export async function sendWhole(answer: PlannedAnswer): Promise<AnswerEnd> {
  const { connection, plan, tokens, wire } = answer
  const broken = plan.incidents.find(({ fault }) => fault === 'cut' || fault === 'stall' || fault === 'malformed')
  const { stop, outputTokens } = endingOf(answer)
  await pause(answer, firstTokenMs(answer) + outputTokens * tokenMs(answer))
  connection.head(200, JSON_HEADERS)
  const text = tokens.slice(0, outputTokens).join('')
  const body = Buffer.from(JSON.stringify(wire.whole(text, { stop, outputTokens })))
  if (broken) return breakOff(answer, broken, body.subarray(0, Math.ceil(body.length / 2)))
  await connection.end(body)
  for (let sent = 0; sent < outputTokens; sent += 1) answer.onToken()
  return 'answered'
}

export async function sendJson(line: AttemptConnection, { status, headers, body }: HttpAnswer): Promise<void> {
  line.head(status, { ...JSON_HEADERS, ...headers })
  await line.end(Buffer.from(JSON.stringify(body)))
}

async function breakOff({ clock, connection }: PlannedAnswer, incident: Incident, half: Buffer): Promise<AnswerEnd> {
  if (
    incident.fault === 'malformed' ||
    (incident.fault === 'cut' && incident.how !== undefined && incident.how !== 'destroy')
  ) {
    await connection.end(half)
    return 'broken'
  }
  await connection.write(half)
  if (incident.fault === 'stall') return connection.hang()
  await destroy({ clock, connection })
  return 'broken'
}

function endingOf({ plan, stop, tokens }: PlannedAnswer): { readonly stop: Stop; readonly outputTokens: number } {
  const ending = plan.incidents.find(({ fault }) => fault === 'blocked' || fault === 'tool-use')
  if (ending?.fault !== 'blocked' && ending?.fault !== 'tool-use') return { stop, outputTokens: tokens.length }
  const outputTokens = Math.min(ending.afterTokens ?? 0, tokens.length)
  return { stop: ending.fault === 'tool-use' ? 'tool-use' : (ending.by ?? 'guardrail'), outputTokens }
}
