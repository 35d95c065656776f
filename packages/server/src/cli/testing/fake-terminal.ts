// A terminal for tests: the input is given, the output is recorded, and the test sends the signals.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import type { TestContext } from 'node:test'
import { lendIndex } from '#fixtures/stores/stored-index.ts'
import type { Terminal } from '../command.ts'

export interface FakeTerminal extends Terminal {
  readonly printed: { out: string; err: string }
  /** Called with everything on standard output so far, at each write. */
  onOutput: (text: string) => void
  signal(): void
  /** Types these keys; only with `columns`. */
  type(keys: string): void
}

interface FakeTerminalOptions {
  readonly env?: Record<string, string>
  readonly typed?: string
  readonly workspaceRoot?: string
  readonly columns?: number
  /** The data folder has the search index of the bundled catalogue: a server that starts there needs two seconds of CPU less. */
  readonly isIndexed?: boolean
}

/**
 * With its own data folder and base folder, without a configuration file, and with a free port. With `columns` a person
 * sits at it; otherwise its streams are pipes.
 */
export function fakeTerminal(
  context: TestContext,
  { env = {}, typed = '', workspaceRoot, columns, isIndexed = false }: FakeTerminalOptions = {},
): FakeTerminal {
  const folder = mkdtempSync(join(tmpdir(), 'mangaassist-cli-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  const printed = { out: '', err: '' }
  const listeners = new Set<(signal: 'SIGINT') => void>()
  const keyboard = Object.assign(new PassThrough(), { isTTY: true })
  const stdout = sink((text) => {
    printed.out += text
    terminal.onOutput(printed.out)
  })
  const terminal: FakeTerminal = {
    printed,
    onOutput: () => {},
    stdin: columns !== undefined ? keyboard : typed === '' ? new PassThrough().end() : Readable.from([typed]),
    stdout: columns === undefined ? stdout : Object.assign(stdout, { isTTY: true, columns }),
    stderr: sink((text) => (printed.err += text)),
    env: { DATA_DIR: join(folder, 'data'), PORT: '0', ...env },
    workspaceRoot: workspaceRoot ?? folder,
    onSignal(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    type: (keys) => void keyboard.write(keys),
    signal: () => listeners.forEach((listener) => listener('SIGINT')),
  }
  if (isIndexed) lendIndex(terminal.env['DATA_DIR'] ?? '')
  return terminal
}

function sink(record: (text: string) => void): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      record(chunk.toString())
      done()
    },
  })
}
