// Two minutes of chaos: real nodes and stores that are killed, drained and paused by a plan, under shoppers who switch devices and tap
// twice. The run itself compares texts, conversations, ledger, budgets and model calls, and fails on any violation.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { test } from 'node:test'

const CHAOS = resolve(import.meta.dirname, '../../../../bench/chaos.ts')

test('nothing is lost, doubled or changed while nodes and stores die', async () => {
  const args = [CHAOS, '--minutes', '2', '--nodes', '4', '--kill-every', '10', '--seed', '18']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  assert.match(output, /^faults: .*kill [1-9]/m)
  assert.match(output, /^no violation$/m)
})
