// The vendors' real clients, pointed at a simulator: no retries, plain HTTP/1.1, made-up credentials.
import { Agent } from 'node:http'
import type { TestContext } from 'node:test'
import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import OpenAI from 'openai'
import { systemClock } from '@mangaassist/server/adapters/system/clock'
import { startSimulator } from '../start-simulator.ts'
import type { Simulator, SimulatorOptions } from '../start-simulator.ts'

export async function simulatorFor(context: TestContext, options: Partial<SimulatorOptions> = {}): Promise<Simulator> {
  const simulator = await startSimulator({ clock: systemClock(), ...options })
  context.after(() => simulator.close())
  return simulator
}

export function bedrockClient(context: TestContext, { url }: Simulator): BedrockRuntimeClient {
  const client = new BedrockRuntimeClient({
    region: 'us-east-1',
    endpoint: url,
    credentials: { accessKeyId: 'simulated', secretAccessKey: 'simulated' },
    maxAttempts: 1,
    requestHandler: new NodeHttpHandler({ httpAgent: new Agent({ keepAlive: true, maxSockets: 25 }) }),
  })
  context.after(() => client.destroy())
  return client
}

export function openaiClient({ url }: Simulator): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'simulated', maxRetries: 0, logLevel: 'off' })
}
