// Time from a shopper's stop frame until the simulated vendor sees its socket closed, through the whole server and the
// AWS SDK. The aim is 100 ms.
import { systemClock } from '../packages/server/src/adapters/system/clock.ts'
import { serve } from '../packages/server/src/main.ts'
import { startSimulator } from '../packages/simulation/src/vendor/start-simulator.ts'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { crowd } from './servers/crowd.ts'

const STOPS = Number(process.env['STOPS'] ?? 50)
const clock = systemClock()
const simulator = await startSimulator({ clock, identicalText: 'ことば'.repeat(400), pace: { tokensPerSecond: 60 } })
const serving = await serve({
  env: {
    ...crowd,
    PORT: '0',
    DATA_DIR: await mkdtemp(join(tmpdir(), 'mangaassist-bench-')),
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    MANGA_SERVER__LOGLEVEL: 'silent',
    MANGA_PROBE__EVERYMS: '0',
    MANGA_MODELS__PRIMARY__PROVIDER: 'bedrock',
    MANGA_MODELS__PRIMARY__ID: 'anthropic.claude-3-haiku-20240307-v1:0',
    MANGA_MODELS__PRIMARY__BASEURL: simulator.url,
  },
  workspaceRoot: resolve(import.meta.dirname, '..'),
  print: () => {},
})

/** Asks one question and stops it at its first words; returns the time of the stop. */
function stopOne(number: number): Promise<number> {
  return new Promise((done, fail) => {
    const socket = new WebSocket(`${serving.address.replace('http', 'ws')}/ws`)
    let stoppedAt = 0
    socket.addEventListener('error', fail)
    socket.addEventListener('message', ({ data }) => {
      const frame = JSON.parse(String(data)) as { type: string; turnId?: string }
      if (frame.type === 'ready')
        socket.send(JSON.stringify({ type: 'chat', requestId: 'r', message: `something ${number}` }))
      if (frame.type === 'chunk' && stoppedAt === 0) {
        stoppedAt = clock.now()
        socket.send(JSON.stringify({ type: 'stop', turnId: frame.turnId }))
      }
      if (frame.type !== 'done') return
      socket.close()
      done(stoppedAt)
    })
  })
}

const times: number[] = []
for (let number = 0; number < STOPS; number += 1) {
  const stoppedAt = await stopOne(number)
  const closedAt = simulator.attempts().at(-1)?.clientClosedAt
  if (closedAt === undefined) throw new Error('the vendor saw no close')
  times.push(closedAt - stoppedAt)
}
times.sort((a, b) => a - b)
const at = (share: number) => times[Math.floor((times.length - 1) * share)]
console.log(
  `stop to closed vendor connection: p50 ${at(0.5)} ms · p95 ${at(0.95)} ms · slowest ${at(1)} ms (${STOPS} stops)`,
)
await serving.close()
await simulator.close()
