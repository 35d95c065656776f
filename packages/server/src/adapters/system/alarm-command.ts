// Sends alarms to a command: the message as JSON on its standard input, its text in the variable ALARM_TEXT. No shell is used, so
// nothing of a message is ever interpreted. A command that takes too long is killed; what it prints is not read.
import { spawn } from 'node:child_process'
import type { AlarmMessage } from '#domain/alarms/message.ts'
import type { AlarmSender, SendEnd } from '#ports/alarm-sender/port.ts'
import type { Clock } from '#ports/clock/port.ts'

export interface AlarmCommandOptions {
  readonly name: string
  /** The program and its arguments. */
  readonly argv: readonly string[]
  /** Timeout of one try. */
  readonly deadlineMs: number
  readonly triesMax: number
  /** The environment of the command, which may hold its secrets. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
}

const PAUSE_MS = 1000

export function alarmCommand(options: AlarmCommandOptions): AlarmSender {
  const { clock, name, triesMax } = options
  return {
    name,
    kind: 'command',
    async send(message) {
      for (let tries = 1; ; tries += 1) {
        const reason = await runOnce(options, message)
        if (reason === undefined) return { outcome: 'delivered' } satisfies SendEnd
        if (tries === triesMax) return { outcome: 'failed', reason }
        await clock.sleep(PAUSE_MS * tries)
      }
    },
  }
}

/** Returns why it failed; undefined when it succeeded. */
function runOnce({ argv, clock, deadlineMs, env }: AlarmCommandOptions, message: AlarmMessage) {
  const ended = Promise.withResolvers<string | undefined>()
  const [program = '', ...args] = argv
  const child = spawn(program, args, {
    env: { ...env, ALARM_KIND: message.kind, ALARM_ID: message.alarm, ALARM_TEXT: message.text },
    stdio: ['pipe', 'ignore', 'ignore'],
    shell: false,
  })
  const timer = clock.after(deadlineMs, () => {
    child.kill('SIGKILL')
    ended.resolve(`it ran for more than ${deadlineMs} ms`)
  })
  child.on('error', (error) => ended.resolve(`it could not be started: ${codeOf(error)}`))
  child.on('exit', (code, signal) => {
    ended.resolve(code === 0 ? undefined : `it ended with ${code === null ? `the signal ${signal}` : `code ${code}`}`)
  })
  // A command that does not read its input closes it: that is no failure.
  child.stdin.on('error', () => {})
  child.stdin.end(`${JSON.stringify(message)}\n`)
  return ended.promise.finally(() => timer[Symbol.dispose]())
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : 'unknown'
}
