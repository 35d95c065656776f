// What doctor finds, and that it changes nothing.
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { systemRandom } from '#adapters/system/random.ts'
import type { Terminal } from '../command.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

const dataDirOf = ({ env }: Terminal) => env['DATA_DIR'] ?? ''

test('on a machine that can serve, doctor succeeds and creates nothing', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['doctor'], terminal), 0)
  assert.doesNotMatch(terminal.printed.out, /✗/)
  assert.equal(existsSync(dataDirOf(terminal)), false)
})

test('every problem with the configuration is a finding with path, given, allowed and fix', async (context) => {
  const terminal = fakeTerminal(context, { env: { PORT: 'http', MANGA_STREAMING__FLUSHMILLIS: '5' } })
  assert.equal(await main(['doctor', '--json'], terminal), 1)
  const report = JSON.parse(terminal.printed.out) as { ok: boolean; findings: Record<string, unknown>[] }
  assert.equal(report.ok, false)
  const problems = report.findings.filter(({ ok }) => ok === false)
  assert.deepEqual(new Set(problems.map(({ path }) => path)), new Set(['MANGA_STREAMING__FLUSHMILLIS', 'server.port']))
  assert.ok(problems.every(({ given, allowed, fix }) => given && allowed && fix))
})

test('a port that is in use is found', async (context) => {
  const holder = createServer()
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve))
  context.after(() => holder.close())
  const { port } = holder.address() as AddressInfo
  const terminal = fakeTerminal(context, { env: { PORT: `${port}` } })
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(terminal.printed.out, /✗ port: .* is in use/)
})

test('a host that does not resolve is reported with the setting to change', async (context) => {
  const terminal = fakeTerminal(context, { env: { HOST: 'shop.invalid' } })
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(terminal.printed.out, /✗ port: The host name shop\.invalid cannot be resolved/)
  assert.match(terminal.printed.out, /Set HOST to an address of this machine/)
})

test('a data folder in use is found, with the process that uses it', async (context) => {
  const terminal = fakeTerminal(context)
  using _held = openDataDir({ path: dataDirOf(terminal), random: systemRandom() })
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(terminal.printed.out, new RegExp(`✗ data: .*process ${process.pid}`))
})

test('a file that is not a database is found', async (context) => {
  const terminal = fakeTerminal(context)
  const path = dataDirOf(terminal)
  const opened = openDataDir({ path, random: systemRandom() })
  opened[Symbol.dispose]()
  writeFileSync(opened.databasePath, 'not a database at all')
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(terminal.printed.out, /✗ data: .*not a database/)
})

test('a data folder that is a file is found', async (context) => {
  const terminal = fakeTerminal(context)
  const path = dataDirOf(terminal)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '')
  assert.equal(await main(['doctor'], terminal), 1)
  assert.match(terminal.printed.out, /✗ data folder: /)
})

test('doctor names the lane of each model, and which models share one', async (context) => {
  const model = { PROVIDER: 'openai-compatible', ID: 'a/b', BASEURL: 'http://127.0.0.1:9/v1', PRICE: '[0,0]' }
  const env = ['PRIMARY', 'SAME'].flatMap((name) =>
    Object.entries(model).map(([key, value]) => [`MANGA_MODELS__${name}__${key}`, value]),
  )
  const terminal = fakeTerminal(context, { env: { ...Object.fromEntries(env), MANGA_LADDER: '["primary"]' } })
  assert.equal(await main(['doctor'], terminal), 0, terminal.printed.out)
  assert.match(terminal.printed.out, /✓ lanes: adaptive; primary and same by a%2Fb@127\.0\.0\.1%3A9$/m)
})
