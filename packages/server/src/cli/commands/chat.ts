// `mangaassist chat`: a conversation in the terminal, or one question from a script. Ctrl-C stops the answer in flight;
// at the prompt it exits.
import { createInterface } from 'node:readline'
import { ChatError, createClient } from '@mangaassist/client'
import type { Client } from '@mangaassist/client'
import { jsonView, textView } from '../chat/answer-view.ts'
import type { Answer, AnswerView } from '../chat/answer-view.ts'
import { CommandError, parseFlags } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { findServer } from '../server/find-server.ts'
import { guestCookie } from '../server/guest-cookie.ts'

const flags = {
  url: { type: 'string' },
  message: { type: 'string' },
  session: { type: 'string' },
  json: { type: 'boolean' },
} as const

export const chat: Command = {
  summary: 'Chat with a running server, or with one started for it',
  usage: `Usage: mangaassist chat [flags]

Reads one question a line and streams the answers. Ctrl-C stops an answer; at the prompt it exits.

  --url URL        the server (default: the one on PORT if it answers, else one started on a free port)
  --message TEXT   ask this and exit
  --session ID     continue a conversation
  --json           a line of JSON for each answer: sessionId, text, products, done, verified`,

  async run(args, terminal) {
    const { url, message, session, json } = parseFlags(args, flags)
    await using server = await findServer(url, terminal)
    const client = createClient({ url: server.url, headers: { cookie: await guestCookie(server) } })
    const view = json === true ? jsonView(terminal) : textView(terminal)
    const conversation = new Conversation(client, view, session)
    try {
      if (message === undefined) return await askLines(conversation, terminal)
      using _listening = terminal.onSignal(() => conversation.interrupt())
      await conversation.ask(message)
      return 0
    } finally {
      client.close()
    }
  },
}

class Conversation {
  readonly #client: Client
  readonly #view: AnswerView
  #sessionId: string | undefined
  #inFlight: AbortController | undefined

  constructor(client: Client, view: AnswerView, sessionId: string | undefined) {
    this.#client = client
    this.#view = view
    this.#sessionId = sessionId
  }

  /** Throws when there is no answer, or an incomplete one. */
  async ask(message: string): Promise<void> {
    const stop = new AbortController()
    this.#inFlight = stop
    try {
      const answer = await this.#answer(message, stop.signal)
      this.#view.end(answer)
      throwIfIncomplete(answer)
    } catch (error) {
      throw stop.signal.aborted ? new CommandError('Stopped.', { cause: error }) : error
    } finally {
      this.#inFlight = undefined
    }
  }

  /** Stops the answer in flight; the second time without waiting for its end. False when there is none. */
  interrupt(): boolean {
    if (this.#inFlight === undefined) return false
    if (this.#inFlight.signal.aborted) this.#client.close()
    this.#inFlight.abort()
    return true
  }

  async #answer(message: string, signal: AbortSignal): Promise<Answer> {
    let products: Answer['products'] = []
    for await (const part of this.#client.chat({ message, sessionId: this.#sessionId, signal })) {
      this.#view.part(part)
      if (part.type === 'accepted') this.#sessionId = part.sessionId
      if (part.type === 'meta') ({ products } = part.meta)
      if (part.type !== 'done') continue
      const { done, text, verified } = part
      return { sessionId: this.#sessionId ?? '', text, products, done, verified }
    }
    throw new CommandError('The stream ended before the answer was complete.')
  }
}

async function askLines(conversation: Conversation, terminal: Terminal): Promise<number> {
  const { stdin, stdout, stderr } = terminal
  const isTalk = stdin.isTTY === true
  const lines = createInterface({ input: stdin, prompt: '> ', ...(isTalk ? { output: stdout } : {}) })
  const interrupt = () => void (conversation.interrupt() || lines.close())
  lines.on('SIGINT', interrupt)
  using _listening = terminal.onSignal(interrupt)
  let failures = 0
  if (isTalk) lines.prompt()
  for await (const line of lines) {
    if (line.trim() !== '') {
      const problem = await problemOf(conversation.ask(line))
      if (problem !== undefined) stderr.write(`${problem}\n`)
      failures += problem === undefined ? 0 : 1
    }
    if (isTalk) lines.prompt()
  }
  // In a terminal the person has read the errors; a script needs the exit code.
  return isTalk || failures === 0 ? 0 : 1
}

/** The message of a failed question; unexpected errors are thrown again. */
async function problemOf(asking: Promise<void>): Promise<string | undefined> {
  try {
    await asking
    return undefined
  } catch (error) {
    if (error instanceof ChatError) return `${error.message} (${error.code})`
    if (error instanceof CommandError) return error.message
    throw error
  }
}

function throwIfIncomplete({ done, verified }: Answer): void {
  if (!verified) throw new CommandError('The received text does not match the hash of the answer.')
  if (done.finishReason === 'stopped') throw new CommandError('Stopped.')
  if (done.finishReason === 'timeout' || done.finishReason === 'interrupted') {
    throw new CommandError(`The answer is incomplete (${done.finishReason}).`)
  }
}
