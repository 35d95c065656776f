// `mangaassist nodes` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { sampleNode } from '#fixtures/stores/wire-test.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const TOKEN = 'maa_cli'

async function served(context: TestContext) {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN) }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { port } = new URL(await doors.listen())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, PORT: port } })
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main(['nodes', ...args], terminal)
    return { code, ...terminal.printed }
  }
  return { doors, run }
}

test('the nodes are printed as a table and as JSON; versions and catalogues only when they differ', async (context) => {
  const { doors, run } = await served(context)
  const alone = await run()
  assert.equal(alone.code, 0)
  assert.match(alone.out, /^node +host +version +state +started +turns +connections +seen s ago$/m)
  assert.match(alone.out, /^node_1 +node_1\.example +1\.0\.0 +leader +1970\S+ +3 +5 +0$/m)
  assert.doesNotMatch(alone.out, /versions|catalogues|no leader/)
  const other = doors.app.operators.registryOf({ ...sampleNode('node_2'), version: '1.1.0' })
  await other.announce({ turns: 9, connections: 70, isDraining: true, edition: 'b' })
  const two = (await run()).out
  assert.match(two, /^node_2 +node_2\.example +1\.1\.0 +draining +\S+ +9 +70 +0$/m)
  assert.match(two, /^versions: 1\.0\.0 on 1, 1\.1\.0 on 1$/m)
  assert.match(two, /^catalogues: none on 1, b on 1$/m)
  const { nodes } = JSON.parse((await run('--json')).out)
  assert.deepEqual(
    nodes.map(({ id, leader, self, draining }: Record<string, unknown>) => [id, leader, self, draining]),
    [
      ['node_1', true, true, false],
      ['node_2', false, false, true],
    ],
  )
})

test('wrong arguments are reported with 2', async (context) => {
  const { run } = await served(context)
  const result = await run('all')
  assert.deepEqual([result.code, result.out], [2, ''])
  assert.match(result.err, /Unknown argument "all"/)
})
