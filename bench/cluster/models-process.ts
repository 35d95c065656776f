// The simulated models of a local cluster, a process of its own. Arguments: the port, a file that gets a JSON line for
// every call as it ends, how to answer: `plain` as `mangaassist sim` does, `by-question` with a text that depends only
// on the question's marker, so that a checker knows every answer; and in JSON the pace, and the capacities of models.
import { createWriteStream } from 'node:fs'
import { systemClock } from '../../packages/server/src/adapters/system/clock.ts'

import type { Capacity } from '../../packages/simulation/src/provider/habits.ts'
import type { Attempt } from '../../packages/simulation/src/vendor/attempts.ts'
import type { Prompt } from '../../packages/simulation/src/vendor/call.ts'
import type { Pace } from '../../packages/simulation/src/vendor/pace.ts'
import { startSimulator } from '../../packages/simulation/src/vendor/start-simulator.ts'
import { answerOf, markerIn } from './marker.ts'

const [port = '0', callsFile = '', manner = 'plain', pace = '{}', regions = '{}'] = process.argv.slice(2)
const calls = createWriteStream(callsFile, { flags: 'a' })

/** The question of the turn is in the last message with a marker; earlier ones are history. */
function lastMarker(prompt: Pick<Prompt, 'messages'>): string | undefined {
  return prompt.messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => markerIn(content))
    .findLast((marker) => marker !== undefined)
}

function record({ body, ...attempt }: Attempt): void {
  const { messages = [] } = body as { messages?: Prompt['messages'] }
  calls.write(`${JSON.stringify({ ...attempt, marker: lastMarker({ messages }) })}\n`)
}

await startSimulator({
  clock: systemClock(),
  port: Number(port),
  pace: JSON.parse(pace) as Partial<Pace>,
  regions: JSON.parse(regions) as Readonly<Record<string, Capacity>>,
  onAttempt: record,
  ...(manner === 'by-question' ? { answer: (prompt) => answerOf(lastMarker(prompt) ?? prompt.system) } : {}),
})
console.log('ready')
