// A measured process: one of this folder's scripts, forked with access to its garbage collector. It sends its address,
// and answers each request for a report.
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

/** Requests the report of a process: its `Usage`, or what another script reports. */
export async function askMeasured<Answer>(child: ChildProcess): Promise<Answer> {
  child.send('report')
  const [answer] = (await once(child, 'message')) as [Answer]
  return answer
}
