// Questions to the person at the terminal, or to a script that pipes its answers in, one a line. An empty answer is the
// default; a wrong one is asked again, a few times.
import { createInterface } from 'node:readline'
import { CommandError } from '../command.ts'
import type { Terminal } from '../command.ts'

const TRIES_MAX = 3

interface Question<Value> {
  readonly text: string
  /** What an empty answer means, as it is shown. */
  readonly usual: string
  /** Throws a `CommandError` that says what is wrong with it. */
  readonly read: (answer: string) => Value
}

export interface Questions extends Disposable {
  ask<Value>(question: Question<Value>): Promise<Value>
}

export function openQuestions({ stdin, stdout }: Pick<Terminal, 'stdin' | 'stdout'>): Questions {
  // Not as a terminal: then Ctrl-C ends the process as it ends any other command.
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
        // A terminal shows what is typed; elsewhere the log of a script should have it too.
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
