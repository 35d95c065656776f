// The printed line of configuration accepts the printed key, and no other printed text.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

test('keygen prints a new key, its digest and the line of configuration', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['keygen', '--name', 'robot', '--tier', 'premium', '--json'], terminal), 0)
  const { config, hash, name, secret } = JSON.parse(terminal.printed.out) as Record<string, string>
  assert.match(secret ?? '', /^mak_[A-Za-z0-9]{22}$/)
  assert.equal(hash, secretHash(secret ?? ''))
  assert.deepEqual(
    [name, config],
    ['robot', `auth: { apiKeys: [{ name: 'robot', hash: '${hash}', tier: 'premium' }] }`],
  )

  const readable = fakeTerminal(context)
  assert.equal(await main(['keygen', '--name', 'robot'], readable), 0)
  const [shown] = /mak_\w+/.exec(readable.printed.out) ?? []
  assert.notEqual(shown, secret)
  assert.ok(readable.printed.out.includes(`hash: '${secretHash(shown ?? '')}', tier: 'standard'`))
})

test('an administrator has a token, and no tier', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['keygen', '--name', 'aki', '--admin'], terminal), 0)
  const [token] = /maa_\w+/.exec(terminal.printed.out) ?? []
  assert.ok(terminal.printed.out.includes(`auth: { admins: [{ name: 'aki', hash: '${secretHash(token ?? '')}' }] }`))
})

test('a role is in the line of configuration', async (context) => {
  const terminal = fakeTerminal(context)
  assert.equal(await main(['keygen', '--name', 'aki', '--admin', '--role', 'viewer'], terminal), 0)
  assert.match(terminal.printed.out, /auth: \{ admins: \[\{ name: 'aki', hash: 'sha256:\w{64}', role: 'viewer' \}\] \}/)
})

test('a missing or invalid name or role is refused', async (context) => {
  for (const args of [
    [],
    ['--name', 'The Robot'],
    ['--name', 'aki', '--role', 'viewer'],
    ['--name', 'aki', '--admin', '--role', 'boss'],
    ['--name', 'aki', '--admin', '--tier', 'free'],
    ['x'],
  ]) {
    const terminal = fakeTerminal(context)
    assert.equal(await main(['keygen', ...args], terminal), 2)
    assert.match(terminal.printed.err, /Usage: mangaassist keygen/)
  }
})
