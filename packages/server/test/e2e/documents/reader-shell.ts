// The reader's terminal: one bash for all blocks, so that a variable of one exists in the next. A failing command ends it,
// and with it everything that it has started.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

const STRICTLY = 'set -euo pipefail'

export function openReaderShell(options: {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** The folder of the blocks. */
  readonly scratch: string
}) {
  const { cwd, env, scratch } = options
  // A process group of its own: background processes of a block end with it.
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  })
  // On exit, not on close: background processes share its streams.
  const ended = once(shell, 'exit')
  let output = ''
  let reports = ''
  let onReport = (): void => {}
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const status = shell.stdio[3] as Readable
  status.setEncoding('utf8').on('data', (text: string) => {
    reports += text
    onReport()
  })
  shell.stdin.on('error', () => {})
  shell.stdin.write(`${STRICTLY}\n`)
  let count = 0

  /** Returns its output, standard error included; throws when a command failed, or with `fails` when none did. */
  const run = async (text: string, { fails = false } = {}): Promise<string> => {
    count += 1
    const file = join(scratch, `block-${count}.sh`)
    await writeFile(file, `${text}\n`)
    output = ''
    reports = ''
    const reported = new Promise<string>((resolve) => {
      onReport = () => (reports.includes('\n') ? resolve(reports.trim()) : undefined)
      void ended.then(() => resolve('ended'))
    })
    // Not from the shell's own input, which a command such as chat would read.
    const lax = fails ? 'set +e; ' : ''
    shell.stdin.write(`${lax}source ${file} < /dev/null; echo $? >&3; ${STRICTLY}\n`)
    const exit = await reported
    if (fails ? exit === '0' || exit === 'ended' : exit !== '0')
      throw new Error(`${fails ? 'nothing failed' : 'a command failed'}:\n${text}\n---\n${output}`)
    return output
  }

  return {
    run,
    async [Symbol.asyncDispose]() {
      if (shell.pid === undefined) return
      try {
        process.kill(-shell.pid, 'SIGKILL')
      } catch {
        // The process group has ended.
      }
      await ended
    },
  }
}
