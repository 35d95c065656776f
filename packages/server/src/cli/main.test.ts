// How a command is found and how its result is reported.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commands, main } from './main.ts'
import { fakeTerminal } from './testing/fake-terminal.ts'

test('help and docs/commands.md list every command, and each command has its own help', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['--help'], terminal), 0)
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/commands.md'), 'utf8')
  for (const name of Object.keys(commands)) {
    assert.match(terminal.printed.out, new RegExp(`^ +${name} `, 'm'))
    assert.ok(new RegExp(`^\\| .*\`${name}[ \`]`, 'm').test(page), `${name} is not in a table of docs/commands.md`)
    const own = fakeTerminal(context)
    assert.equal(await main([name, '--help'], own), 0)
    assert.match(own.printed.out, new RegExp(`Usage: mangaassist ${name}`))
    const tooLong = own.printed.out.split('\n').filter((line) => line.length > 100)
    assert.deepEqual(tooLong, [], `the help of ${name} fits in 100 columns`)
  }
})

test('--version prints the version of the package', async (context) => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')) as {
    version: string
  }
  for (const flag of ['--version', '-v']) {
    const terminal = fakeTerminal(context)
    assert.equal(await main([flag], terminal), 0)
    assert.equal(terminal.printed.out, `${version}\n`)
  }
})

test('an unknown command or flag is reported on standard error with the usage, and ends with 2', async (context) => {
  for (const [args, message] of [
    [[], /A command is missing/],
    [['caht'], /Did you mean chat\?/],
    [['constructor'], /Unknown command "constructor"/],
    [['chat', '--sesion', 'x'], /--sesion/],
    [['serve', '--port=1'], /--port/],
    [['doctor', 'now'], /now/],
    [['search'], /WORDS are missing/],
    [['search', 'x', '--limit', '0'], /--limit must be/],
    [['evaluate', 'answers'], /There is no part answers/],
  ] as const) {
    const terminal = fakeTerminal(context)
    assert.equal(await main(args, terminal), 2)
    assert.match(terminal.printed.err, message)
    assert.match(terminal.printed.err, /Usage: mangaassist/)
    assert.equal(terminal.printed.out, '')
  }
})

test('with an invalid configuration, serve prints all problems without a stack and exits with 1', async (context) => {
  const terminal = fakeTerminal(context, { env: { PORT: 'http', MANGA_STREAMING__FLUSHMS: '0' } })
  assert.equal(await main(['serve'], terminal), 1)
  assert.match(terminal.printed.err, /server\.port[^]*streaming\.flushMs/)
  assert.doesNotMatch(terminal.printed.err, /\bat .*\.ts/)
})

test('serve prints its address when it is ready, and from then on a signal ends it with 0', async (context) => {
  const terminal = fakeTerminal(context, { env: { MANGA_SERVER__LOGLEVEL: 'silent' }, isIndexed: true })
  terminal.onOutput = (text) => {
    if (text.includes('ready')) terminal.signal()
  }
  assert.equal(await main(['serve'], terminal), 0)
  assert.match(terminal.printed.out, /ready.*http:\/\/127\.0\.0\.1:\d+/)
})
