// The tests of a configured clone pass: none of them reads `mangaassist.config.ts` of the workspace. A copy of the
// workspace gets a configuration that stops every command, and runs tests of each kind.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyWorkspace } from './documents/workspace-copy.ts'

const STOPS = "throw new Error('the configuration of the workspace was read')\n"
/** A limit for a command that hangs, not for a slow machine. */
const TIMEOUT_MS = 600_000
const CHOSEN = {
  'a server in a process of its own': ['packages/server/test/e2e/devices.test.ts'],
  'a server in the process of the test': ['packages/server/test/e2e/openai.test.ts', '--test-name-pattern=models'],
  'a command': ['packages/server/src/cli/commands/lanes.test.ts'],
}

test('a configuration in the workspace', { timeout: TIMEOUT_MS }, async (context) => {
  await using workspace = await copyWorkspace()
  await writeFile(join(workspace.root, 'mangaassist.config.ts'), STOPS)
  const { NODE_TEST_CONTEXT: _runner, ...env } = process.env
  const options = { cwd: workspace.root, env, encoding: 'utf8', timeout: TIMEOUT_MS } as const

  await context.test('stops a command that runs there', () => {
    const { status, stderr } = spawnSync(process.execPath, ['packages/server/bin/mangaassist.js', 'serve'], options)
    assert.equal(status, 1)
    assert.match(stderr, /the configuration of the workspace was read/)
  })

  for (const [kind, [file = '', ...flags]] of Object.entries(CHOSEN))
    await context.test(`does not reach the tests of ${kind}`, () => {
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        ['--test', '--test-reporter=spec', ...flags, file],
        options,
      )
      assert.equal(status, 0, `${stdout}${stderr}`)
      assert.match(stdout, /^ℹ pass [1-9]/m)
    })
})
