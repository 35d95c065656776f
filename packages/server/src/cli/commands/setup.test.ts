// What `setup` and `doctor` say to the operator about DynamoDB: what was made, what an emulator cannot have, and what to do when
// nothing can be found out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import { TEST_KEYS, TEST_REGION } from '#fixtures/stores/clean-dynamo.ts'
import { startDynamo } from '#fixtures/stores/dynamo-server.ts'
import { freePort } from '#fixtures/stores/free-port.ts'
import { main } from '../main.ts'
import { fakeTerminal } from '../testing/fake-terminal.ts'

function shell(context: TestContext, endpoint: string) {
  const env = {
    AWS_ACCESS_KEY_ID: TEST_KEYS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: TEST_KEYS.secretAccessKey,
    MANGA_STORES__SESSIONS: 'dynamodb',
    MANGA_DYNAMODB__REGION: TEST_REGION,
    MANGA_DYNAMODB__ENDPOINT: endpoint,
    MANGA_DYNAMODB__TABLEPREFIX: 'setup-says',
    MANGA_DYNAMODB__CALLMS: '10000',
  }
  return async (...args: readonly string[]) => {
    const terminal = fakeTerminal(context, { env })
    return { code: await main(args, terminal), ...terminal.printed }
  }
}

test('setup says made only of what was made', async (context) => {
  await using dynamo = await startDynamo()
  const run = shell(context, dynamo.url)
  const before = await run('setup', '--dry-run')
  assert.equal(before.code, 0)
  assert.match(before.out, /\nNothing was changed\. setup --apply makes what is marked with \+ or ~\.\n$/)
  const { code, out } = await run('setup', '--apply')
  assert.equal(code, 0)
  assert.match(out, /^ {2}\+ table setup-says-sessions: made$/m)
  assert.match(out, /^ {2}- recovery to any second .* of setup-says-sessions: not offered by this server$/m)
  assert.match((await run('setup', '--dry-run')).out, /\nNothing was changed\. Everything is there\.\n$/)
})

test('without a connection, the last line of setup and the fix of doctor say so', async (context) => {
  const run = shell(context, `http://127.0.0.1:${await freePort()}`)
  const { code, out } = await run('setup', '--dry-run')
  assert.equal(code, 1)
  assert.match(
    out,
    /\nNothing was changed\. What is marked with \? could not be checked: ECONNREFUSED: .* Check the region and the endpoint.*\n$/,
  )
  assert.match(
    (await run('doctor')).out,
    /^✗ table setup-says-sessions: not known: .*\n +Check the region and the endpoint/m,
  )
})
