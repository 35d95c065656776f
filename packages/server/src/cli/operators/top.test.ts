// `mangaassist top` with a real server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const TOKEN = 'maa_cli'

test('the cluster is shown once as a table or as JSON, for viewers too', async (context) => {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN), role: 'viewer' }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { port } = new URL(await doors.listen())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, PORT: port } })
  assert.equal(await main(['top', '--once'], terminal), 0)
  await waitUntil('the output', () => terminal.printed.out !== '')
  const { out } = terminal.printed
  assert.match(out, /mode normal {2}last minute/)
  assert.match(out, /serving leader this +3 +0 +5 +0 +0 +0 +– +– +0\.000000$/m)
  assert.match(out, /^embedded +working/m)
  assert.match(out, /^store 20\S+: 0\.000000 of 100\.000000 USD spent or leased ahead by nodes \(0 %\)$/m)
  terminal.printed.out = ''
  assert.equal(await main(['top', '--json'], terminal), 0)
  const { nodes, spending, sum } = JSON.parse(terminal.printed.out)
  assert.deepEqual([nodes.length, sum.running, spending.length], [1, 3, 2])
  assert.equal(await main(['top', '--often'], terminal), 2)
})
