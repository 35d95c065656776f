// `npm run cluster` as a developer uses it: one address, commands on stdin while an answer is streamed, and no process left
// at the end, however it ends.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { applyChunks, SocketClient } from '#fixtures/edge/socket-client.ts'
import { waitUntil } from '#fixtures/time/wait-until.ts'
import { inherited } from './server-process.ts'

/** Seven processes start one after the other, and two of them index the catalogue. */
const START_MS_MAX = 300_000

const CLUSTER = resolve(import.meta.dirname, '../../../../bench/cluster.ts')

/** The command with two nodes and the built-in load balancer; ended with the test. */
async function startCluster(durable: 'dynamodb' | 'redis', ...more: string[]) {
  const args = [CLUSTER, '--nodes', '2', '--balancer', 'built-in', '--durable', durable, ...more]
  const env = {
    ...inherited(),
    ...(process.env['REDIS_SERVER'] === undefined ? {} : { REDIS_SERVER: process.env['REDIS_SERVER'] }),
    MANGA_TURNS__LEASEMS: '2000',
    MANGA_TURNS__RENEWMS: '500',
    MANGA_TURNS__ORPHANSCANMS: '300',
  }
  await using opened = new AsyncDisposableStack()
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'inherit'] })
  opened.defer(() => void child.kill('SIGKILL'))
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const exited = once(child, 'exit').then(([code]) => code as number | null)
  const isReady = () => output.includes('help, quit') || child.exitCode !== null
  await waitUntil('the cluster is ready', isReady, START_MS_MAX)
  assert.equal(child.exitCode, null, output)
  const [, address = ''] = /^Open (\S+)/m.exec(output) ?? []
  const [, folder = ''] = /^Data: (\S+)/m.exec(output) ?? []
  const rows = [...output.matchAll(/^ {2}([a-z]+(?: \d)?) +(\d+) +(\S+:\/\/\S+)/gm)]
  const pids = new Map(rows.map(([, name = '', pid]) => [name, Number(pid)]))
  const command = async (line: string, reply: RegExp): Promise<void> => {
    output = ''
    child.stdin.write(`${line}\n`)
    await waitUntil(`${line} is answered`, () => reply.test(output))
  }
  const keep = opened.move()
  return { child, exited, address, folder, pids, command, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}

/** A process that has ended and that no parent has waited for is not running. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !existsSync('/proc/self') || !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

test('an answer is read to its end at one address while its node is killed, and quit leaves nothing', async () => {
  await using cluster = await startCluster('dynamodb')
  assert.deepEqual(
    [...cluster.pids.keys()],
    ['balancer', 'node 1', 'node 2', 'redis', 'dynamodb', 'opensearch', 'models'],
  )
  const url = `${cluster.address.replace('http', 'ws')}/ws`
  const phone = new SocketClient(url)
  phone.socket.on('error', () => {})
  await phone.until('ready')
  phone.send({ type: 'chat', requestId: 'r1', message: 'What makes a story worth reading twice, in your view?' })
  const { turnId } = await phone.until('accepted')
  await phone.until('chunk', 2)
  // Connections are balanced, so one of the two has the phone; either way it can continue at the address.
  await cluster.command('kill 1', /node 1 was killed/)
  await cluster.command('start 1', /node 1 is running/)
  await cluster.command('kill 2', /node 2 was killed/)
  await phone.closed
  const half = applyChunks(phone.of('chunk'))
  const again = new SocketClient(url, { headers: { cookie: phone.cookie } })
  await again.until('ready')
  again.send({ type: 'resume', turnId, offset: half.length })
  const done = await again.until('done')
  assert.equal(again.answer(turnId, half).length, done.length)
  again.socket.terminate()
  await cluster.command('status', /node 2 +– .* ended/)
  await cluster.command('stop 9', /Which node\? One of 1, 2\./)
  cluster.child.stdin.write('quit\n')
  assert.equal(await cluster.exited, 0)
  assert.deepEqual([[...cluster.pids.values()].filter(isRunning), existsSync(cluster.folder)], [[], false])
})

test('when the command itself is killed, its processes end and its data is removed', async () => {
  await using cluster = await startCluster('redis', '--opensearch', 'none')
  assert.deepEqual([...cluster.pids.keys()], ['balancer', 'node 1', 'node 2', 'redis', 'models'])
  cluster.child.kill('SIGKILL')
  await cluster.exited
  await waitUntil('no process is left', () => ![...cluster.pids.values()].some(isRunning))
  await waitUntil('the data is removed', () => !existsSync(cluster.folder))
})
