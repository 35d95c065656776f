// Reads lines and asks them, one after the other: from a person at a terminal with a prompt, or from a pipe.
import { createInterface } from 'node:readline'
import { ChatError } from '@mangaassist/client'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'
import type { Screen } from '../output/screen.ts'
import { wrappedLines } from '../output/wrapped-writer.ts'
import type { ChatTexts } from './chat-texts.ts'
import type { Conversation } from './conversation.ts'
import { readTypedLine } from './typed-line.ts'

export interface TalkParts {
  readonly conversation: Conversation
  readonly terminal: Terminal
  readonly screen: Screen
  readonly texts: ChatTexts
  /** A person types: there is a prompt, and suggestions can be chosen. */
  readonly isTalk: boolean
}

/** The exit code: a person has read the errors, a script needs them in the code. */
export async function talk(parts: TalkParts): Promise<number> {
  const { conversation, terminal, screen, texts, isTalk } = parts
  const { stdin, stdout } = terminal
  const prompt = screen.paint('> ', ['bold', 'cyan'])
  const lines = createInterface({ input: stdin, prompt, ...(isTalk ? { output: stdout } : {}) })
  const interrupt = () => void (conversation.interrupt() || lines.close())
  lines.on('SIGINT', interrupt)
  using _listening = terminal.onSignal(interrupt)
  if (isTalk) {
    say(parts, texts.welcome)
    stdout.write('\n')
    lines.prompt()
  }
  let failures = 0
  for await (const line of lines) {
    const heeded = await heed(line, parts)
    if (heeded === 'quit') return isTalk || failures === 0 ? 0 : 1
    if (heeded === 'failed') failures += 1
    if (isTalk) lines.prompt()
  }
  // Ctrl-D and Ctrl-C leave the cursor behind the prompt.
  if (isTalk) stdout.write('\n')
  return isTalk || failures === 0 ? 0 : 1
}

/** Does what a line asks for. */
async function heed(line: string, parts: TalkParts): Promise<'done' | 'failed' | 'quit'> {
  const { conversation, terminal, screen, texts, isTalk } = parts
  const typed = readTypedLine(line, isTalk ? conversation.suggestions : [])
  switch (typed.kind) {
    case 'nothing':
      return 'done'
    case 'quit':
      return 'quit'
    case 'help':
      say(parts, texts.help)
      return 'done'
    case 'new':
      conversation.restart()
      say(parts, [texts.newConversation])
      return 'done'
    case 'unknown':
      say(parts, [texts.unknownCommand(typed.name, typed.meant)])
      return 'failed'
    case 'question': {
      if (typed.isChosen) terminal.stdout.write(`${screen.paint(`→ ${typed.message}`, ['dim'])}\n`)
      const problem = await problemOf(conversation.ask(typed.message))
      if (problem !== undefined) terminal.stderr.write(`${problem}\n`)
      if (isTalk) terminal.stdout.write('\n')
      return problem === undefined ? 'done' : 'failed'
    }
  }
}

/** What the chat itself says: beside the answers of a person, and never between the lines that a script reads. */
function say({ terminal, screen, isTalk }: TalkParts, paragraphs: readonly string[]): void {
  const lines = paragraphs.flatMap((text) => wrappedHanging(text, screen.columns()))
  const out = isTalk ? terminal.stdout : terminal.stderr
  out.write(lines.map((line) => `${isTalk ? screen.paint(line, ['dim']) : line}\n`).join(''))
}

/** A line that begins with spaces continues below its own beginning. */
function wrappedHanging(text: string, columns: number): readonly string[] {
  const indent = /^ */u.exec(text)?.[0] ?? ''
  // The columns of the help are aligned by spaces, which wrapping would join.
  if (indent !== '' && text.length <= columns) return [text]
  return wrappedLines(text, columns - indent.length).map((line) => `${indent}${line}`)
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
