// Commands that get alarms: real processes, without a shell, within a bounded time.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { tempDir } from '#fixtures/stores/temp-dir.ts'
import { alarmSenderContract, SAMPLE_MESSAGE } from '#ports/alarm-sender/contract.ts'
import { alarmCommand } from './alarm-command.ts'
import { systemClock } from './clock.ts'

const STORE = `const fs = require('node:fs'); fs.writeFileSync(process.argv[1], fs.readFileSync(0, 'utf8') + process.env.ALARM_TEXT)`

function command(argv: readonly string[], deadlineMs = 20_000, triesMax = 1) {
  const clock = { ...systemClock(), sleep: async () => {} }
  return alarmCommand({ name: 'pager', argv, deadlineMs, triesMax, env: { PATH: process.env['PATH'] }, clock })
}

const storing = (context: TestContext) => {
  const path = join(tempDir(context), 'message.json')
  return { sender: command([process.execPath, '-e', STORE, path]), received: () => readFile(path, 'utf8') }
}

alarmSenderContract('command', async (context) => ({
  ...storing(context),
  refused: command([process.execPath, '-e', 'process.exit(3)']),
}))

test('the command gets the message as JSON and its text in a variable, and nothing is interpreted by a shell', async (context) => {
  const { received, sender } = storing(context)
  const text = '$(touch /nowhere); `id` "quoted"'
  await sender.send({ ...SAMPLE_MESSAGE, text })
  const [json = '', ...rest] = (await received()).split('\n')
  assert.deepEqual([JSON.parse(json).text, rest.join('\n')], [text, text])
})

test('a command that does not end is killed, one that is missing is named by its error', async () => {
  const hanging = command([process.execPath, '-e', 'setInterval(() => {}, 1000)'], 300)
  const late = await hanging.send(SAMPLE_MESSAGE)
  assert.ok(late.outcome === 'failed' && late.reason.includes('300 ms'))
  const missing = await command(['/no/such/program']).send(SAMPLE_MESSAGE)
  assert.ok(missing.outcome === 'failed' && missing.reason.includes('ENOENT'))
})

test('a command that does not read its input has done its work when it ends with 0', async () => {
  const deaf = command([process.execPath, '-e', 'process.exit(0)'])
  assert.deepEqual(await deaf.send({ ...SAMPLE_MESSAGE, text: 'x'.repeat(10_000) }), { outcome: 'delivered' })
})
