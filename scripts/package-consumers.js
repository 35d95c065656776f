// The source files of the consumer projects of `try-packages.js`.

export const nodeConsumer = `import { ChatError, createClient } from '@mangaassist/client'
import type { ChatPart } from '@mangaassist/client'
import { AdminError, createAdminClient } from '@mangaassist/client/admin'
import { describeError, errorCatalogue } from '@mangaassist/protocol'
import type { ServerFrame } from '@mangaassist/protocol'
import { LaneView } from '@mangaassist/protocol/admin'
import WebSocket from 'ws'

const client = createClient({ url: 'http://127.0.0.1', webSocket: WebSocket, headers: { authorization: 'Bearer x' } })
export async function ask(message: string): Promise<string> {
  let last: ChatPart | undefined
  for await (const part of client.chat({ message, language: 'ja' })) last = part
  if (last?.type !== 'done') throw new ChatError({ code: 'CONNECTION_LOST', message: 'no end' })
  // @ts-expect-error -- a frame has no such field
  last.done.finishedBecause
  return last.done.finishReason
}
const admin = createAdminClient({ url: 'http://127.0.0.1', token: 'maa_x', deadlineMs: 1000 })
export async function openLanes(): Promise<LaneView[]> {
  try {
    const lanes = await admin.lanes()
    // @ts-expect-error -- a lane has no such phase
    return lanes.filter(({ phase }) => phase === 'ajar')
  } catch (error) {
    throw error instanceof AdminError ? new Error(error.code) : error
  }
}
export const laneSchema: object = LaneView
export const frame = (text: string): ServerFrame => JSON.parse(text) as ServerFrame
export const status: number = describeError('RATE_LIMITED', 'en').status + errorCatalogue.NOT_FOUND.status
`
export const browserConsumer = `import { createClient, createTickets } from '@mangaassist/client'
import type { Client, GuestKeeper } from '@mangaassist/client'

const guest: GuestKeeper = { load: () => localStorage['guest'] as string | undefined, save: (token) => (localStorage['guest'] = token) }
const tickets = createTickets({ url: '/api/ticket', guest })
export const client: Client = createClient({ url: async () => '/ws?ticket=' + (await tickets.renewed()).ticket, webSocket: WebSocket })
`
export const reactConsumer = `import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { MangaAssist } from '@mangaassist/react'
import type { MangaAssistElement } from '@mangaassist/react'

const chat = createElement(MangaAssist, {
  server: 'https://shop.example',
  theme: 'dark',
  onAnswer: (event) => event.detail.products.toFixed(),
  // @ts-expect-error -- there are two sides
  position: 'top',
})
export const markup: string = renderToString(chat)
export const ask = (element: MangaAssistElement): void => element.ask('?')
`
export const elementConsumer = `import { loadElement } from '@mangaassist/react/element'

await loadElement({ server: 'https://shop.example' })
const chat = document.createElement('manga-assist')
chat.getToken = async () => null
chat.addEventListener('manga-assist-answer', ({ detail }) => detail.products.toFixed())
// @ts-expect-error -- the token is a text
chat.token = 1
export {}
`
export const askingConsumer = (bare) => `import { createClient } from '@mangaassist/client'
import { createAdminClient } from '@mangaassist/client/admin'
${bare ? "import webSocket from 'ws'" : 'const webSocket = undefined'}
const client = createClient({ url: process.argv[2], webSocket })
for await (const part of client.chat({ message: 'something like Berserk' }))
  if (part.type === 'done') console.log(part.done.finishReason, part.verified ? 'verified' : 'damaged')
client.close()
const admin = createAdminClient({ url: process.argv[2], token: 'maa_wrong', deadlineMs: 10_000 })
await admin.lanes().catch(({ name, code }) => console.log(name, code))
`
export const plainConfig = `export default { tiers: { free: { requestsPerMinute: 21 } } satisfies object }\n`
export const typedConfig = `import { defineConfig } from '@mangaassist/server/config'

export default defineConfig({ tiers: { free: { requestsPerMinute: 21 } } })
`
export const wrongConfig = `import { defineConfig } from '@mangaassist/server/config'

// @ts-expect-error -- a port is a number
export default defineConfig({ server: { port: 'many' } })
`
export const loadAll = `import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const dist = join(import.meta.dirname, 'node_modules/@mangaassist/server/dist')
const modules = readdirSync(dist, { recursive: true }).filter((name) => /\\.js$/.test(name) && !/contracts.docs/.test(name))
for (const name of modules) await import(pathToFileURL(join(dist, name)).href)
console.log(modules.length)
process.exit(0)
`
