// Cost of a streamed completion through our server compared with a bare http pipe, in one run: CPU per 64-delta answer
// of the OpenAI wire (vendor → our pipeline → SSE client), and the same through Bedrock's SDK against the simulator.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { askMeasured, startMeasured } from './servers/measured-process.ts'
import type { Usage } from './servers/report-usage.ts'

const ANSWERS = Number(process.env['ANSWERS'] ?? 600)
const CONCURRENT = Number(process.env['CONCURRENT'] ?? 20)
const WARM_UP = 100

async function ask(address: string): Promise<void> {
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer guest' },
    body: JSON.stringify({ model: 'auto', stream: true, messages: [{ role: 'user', content: 'a question' }] }),
  })
  const text = await response.text()
  if (!response.ok || !text.includes('[DONE]')) throw new Error(`${response.status} ${text.slice(-300)}`)
}

async function load(address: string, answers: number): Promise<void> {
  let left = answers
  const worker = async () => {
    while (left > 0) {
      left -= 1
      await ask(address)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENT }, worker))
}

async function measure(name: string, env: Record<string, string>): Promise<number> {
  const { child, address } = await startMeasured(name, env)
  await load(address, WARM_UP)
  const before = await askMeasured<Usage>(child)
  await load(address, ANSWERS)
  const after = await askMeasured<Usage>(child)
  child.disconnect()
  return (after.cpuMicros - before.cpuMicros) / 1000 / ANSWERS
}

async function startSimulator(): Promise<{ url: string; stop(): void }> {
  const bin = join(import.meta.dirname, '../packages/server/bin/mangaassist.js')
  const sim = spawn(process.execPath, [bin, 'sim', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] })
  // Reads until the end: a closed pipe would end the simulator.
  const url = await new Promise<string>((resolve) => {
    sim.stdout.on('data', (text: Buffer) => {
      const found = /(http:\/\/127\.0\.0\.1:\d+)/u.exec(String(text))?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  return { url, stop: () => void sim.kill() }
}

const upstream = await startMeasured('upstream')
const pipe = await measure('pipe', { UPSTREAM: upstream.address })
const ours = await measure('gateway', { UPSTREAM: upstream.address })
upstream.child.disconnect()
console.log(`pipe     ${pipe.toFixed(2)} ms of CPU an answer`)
console.log(`ours     ${ours.toFixed(2)} ms, ${(ours / pipe).toFixed(1)} times the pipe`)
const sim = await startSimulator()
const bedrock = await measure('gateway', { UPSTREAM: sim.url, VENDOR: 'bedrock' })
sim.stop()
console.log(
  `bedrock  ${bedrock.toFixed(2)} ms, ${(bedrock / pipe).toFixed(1)} times the pipe (the simulator's own pace and length)`,
)
