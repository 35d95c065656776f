// Asks questions at the terminal; a script can pipe in the answers, one a line. An empty answer means the default.
// After a wrong answer the question is repeated a few times.
import { createInterface } from 'node:readline'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'

const TRIES_MAX = 3

interface Question<Value> {
  readonly text: string
  /** The default, for an empty answer, as it is shown. */
  readonly usual: string
  /** Throws a `CommandError` that explains what is wrong. */
  readonly read: (answer: string) => Value
}

export interface Questions extends Disposable {
  ask<Value>(question: Question<Value>): Promise<Value>
}

export function openQuestions({ stdin, stdout }: Pick<Terminal, 'stdin' | 'stdout'>): Questions {
  // Not in terminal mode, so that Ctrl-C ends the process like any other command.
  const reader = createInterface({ input: stdin, terminal: false })
  const lines = reader[Symbol.asyncIterator]()
  const nextLine = async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done === true)
      throw new CommandError('The answers ended too early: nothing was written. --yes takes the defaults.')
    return value.trim()
  }
  return {
    async ask({ read, text, usual }) {
      for (let tries = 1; ; tries += 1) {
        stdout.write(`${text} [${usual}]: `)
        const answer = await nextLine()
        // A terminal echoes the answer; for a script it is printed, so that the log has it.
        if (stdin.isTTY !== true) stdout.write(`${answer}\n`)
        try {
          return read(answer === '' ? usual : answer)
        } catch (error) {
          if (!(error instanceof CommandError) || tries === TRIES_MAX) throw error
          stdout.write(`${error.message}\n`)
        }
      }
    },
    [Symbol.dispose]: () => reader.close(),
  }
}
