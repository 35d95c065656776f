// The processes of a local cluster. Each writes a log file, is in a process group of its own, so that Ctrl-C reaches only
// us, and is reported to the reaper, so that none is left when we are killed.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'

export interface Started {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The output that says that it serves. */
  readonly ready: RegExp
  readonly withChannel?: boolean
}

export type ChildState = 'running' | 'paused' | 'ended'

export interface Child {
  readonly process: ChildProcess
  readonly pid: number
  /** What matched `ready`. */
  readonly ready: RegExpExecArray
  readonly state: () => ChildState
  /** SIGSTOP and SIGCONT. */
  readonly pause: () => void
  readonly resume: () => void
  /** Resolves when the process has ended. */
  readonly end: (signal: 'SIGKILL' | 'SIGTERM') => Promise<void>
}

const START_MS_MAX = 120_000
const OUTPUT_KEPT_LENGTH = 4000

export class Children {
  readonly logs: string
  readonly #reaper: ChildProcess
  readonly #running = new Set<Child>()

  /** `folder` has the logs; the reaper removes `temporary` at the end. */
  constructor(folder: string, temporary: string | undefined) {
    this.logs = join(folder, 'logs')
    mkdirSync(this.logs, { recursive: true })
    const script = join(import.meta.dirname, 'reaper.ts')
    this.#reaper = spawn(process.execPath, [script, temporary ?? ''], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    this.#reaper.unref()
  }

  logOf(name: string): string {
    return join(this.logs, `${name.replaceAll(' ', '-')}.log`)
  }

  async start(what: Started): Promise<Child> {
    const { args, command, cwd, env, name, withChannel = false } = what
    const stdio = ['ignore', 'pipe', 'pipe', ...(withChannel ? ['ipc' as const] : [])] as const
    const child = spawn(command, args, {
      detached: true,
      stdio: [...stdio],
      ...(cwd === undefined ? {} : { cwd }),
      ...(env === undefined ? {} : { env }),
    })
    await Promise.race([once(child, 'spawn'), once(child, 'error').then(([error]) => Promise.reject(error as Error))])
    const pid = child.pid ?? 0
    this.#reaper.stdin?.write(`+${pid}\n`)
    const exited = once(child, 'close').then(() => {})
    const log = createWriteStream(this.logOf(name), { flags: 'a' })
    const handle = this.#handle(child, { exited, log })
    const { promise: ready, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
    let output = ''
    const read = (text: string) => {
      log.write(text)
      output = (output + text).slice(-OUTPUT_KEPT_LENGTH)
      const found = what.ready.exec(output)
      if (found !== null) resolve(found)
    }
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read)
    const giveUp = setTimeout(() => reject(new Error(`${name} did not start:\n${output}`)), START_MS_MAX)
    void exited.then(() => reject(new Error(`${name} ended at its start:\n${output}`)))
    try {
      const running: Child = { ...handle, process: child, pid, ready: await ready }
      this.#running.add(running)
      void exited.then(() => this.#running.delete(running))
      return running
    } catch (error) {
      killGroup(pid)
      throw error
    } finally {
      clearTimeout(giveUp)
    }
  }

  #handle(child: ChildProcess, { exited, log }: { exited: Promise<void>; log: NodeJS.WritableStream }) {
    let state: ChildState = 'running'
    void exited.then(() => {
      state = 'ended'
      log.end()
      this.#reaper.stdin?.write(`-${child.pid ?? 0}\n`)
    })
    return {
      state: () => state,
      pause: () => {
        if (state === 'running' && child.kill('SIGSTOP')) state = 'paused'
      },
      resume: () => {
        if (state === 'paused' && child.kill('SIGCONT')) state = 'running'
      },
      end: async (signal: 'SIGKILL' | 'SIGTERM') => {
        if (state === 'ended') return
        if (signal === 'SIGKILL') killGroup(child.pid ?? 0)
        else child.kill(signal)
        // A paused process would receive SIGTERM only when it is resumed.
        if (state === 'paused' && child.kill('SIGCONT')) state = 'running'
        await exited
      },
    }
  }

  /** Ends every process; the reaper removes the folder. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((child) => child.end('SIGKILL')))
    const gone = once(this.#reaper, 'exit')
    this.#reaper.ref()
    this.#reaper.stdin?.end()
    await gone
  }
}

/** A process with all that it started: a load balancer has workers. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

export async function isFree(port: number): Promise<boolean> {
  const probe = createServer().listen(port, '127.0.0.1')
  const free = await Promise.race([once(probe, 'listening').then(() => true), once(probe, 'error').then(() => false)])
  if (free) await new Promise((closed) => probe.close(closed))
  return free
}
