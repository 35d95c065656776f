// A minute of the soak: shoppers who read, disconnect, resume and stop, at a server process that is killed every few
// seconds and started again on the same data. The soak itself fails unless every answer is complete and correct.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { test } from 'node:test'

const SOAK = resolve(import.meta.dirname, '../../../../bench/soak.ts')

test('every answer is complete although the server is killed again and again', async () => {
  const env = { ...process.env, MINUTES: '1', SHOPPERS: '40', KILL_EVERY_S: '8' }
  const child = spawn(process.execPath, [SOAK], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  assert.equal(code, 0, output)
  assert.match(output, /"kills":[1-9]/)
})
