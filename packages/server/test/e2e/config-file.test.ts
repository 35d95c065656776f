// The configuration file is a program: whatever it does, a command ends with a correct exit code.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { copyWorkspace } from './documents/workspace-copy.ts'

/** A bound for a command that hangs, not for a slow machine. */
const HANGS_MS = 120_000

let workspace: Awaited<ReturnType<typeof copyWorkspace>>
before(async () => void (workspace = await copyWorkspace()))
after(() => workspace[Symbol.asyncDispose]())

async function doctorWith(config: string) {
  await writeFile(join(workspace.root, 'mangaassist.config.ts'), config)
  const bin = join(workspace.root, 'packages/server/bin/mangaassist.js')
  const env = { ...process.env, PORT: '0', DATA_DIR: join(workspace.home, 'data') }
  const child = spawn(process.execPath, [bin, 'doctor', '--json'], { cwd: workspace.root, env, timeout: HANGS_MS })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code: code as number, err, report: JSON.parse(out) as { ok: boolean; findings: { detail: string }[] } }
}

test('a timer that the file leaves running neither blocks doctor nor truncates its report', async () => {
  const { code, err, report } = await doctorWith('setInterval(() => {}, 1000)\nexport default {}')
  assert.deepEqual([code, report.ok, err], [0, true, ''])
})

test('a file that ends the process does not make doctor succeed silently', async () => {
  const { code, err, report } = await doctorWith('process.exit(0)\nexport default {}')
  assert.deepEqual([code, report.ok, err], [1, false, ''])
  assert.ok(report.findings.some(({ detail }) => /calls process\.exit/.test(detail)))
})
