// A process that is measured: one of this folder's scripts, forked with its garbage collector at hand. It says where it
// listens, and answers when it is asked.
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

export interface MeasuredProcess {
  readonly child: ChildProcess
  readonly address: string
}

export async function startMeasured(
  script: string,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): Promise<MeasuredProcess> {
  const path = join(import.meta.dirname, `${script}.ts`)
  const child = fork(path, { execArgv: ['--expose-gc', ...flags], env: { ...process.env, ...env } })
  const [{ address }] = (await once(child, 'message')) as [{ address: string }]
  return { child, address }
}

/** What it tells of itself: its `Usage`, or what else a script reports. */
export async function askMeasured<Answer>(child: ChildProcess): Promise<Answer> {
  child.send('tell')
  const [answer] = (await once(child, 'message')) as [Answer]
  return answer
}
