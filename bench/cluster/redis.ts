// A real Redis as an operator would configure it: every write in its append-only file, and no eviction.
import { mkdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { freePort } from '../../packages/server/test/fixtures/stores/free-port.ts'
import type { Children } from './children.ts'
import { Service } from './service.ts'

export interface ClusterRedis {
  readonly service: Service
  readonly port: number
  readonly url: string
  /** Killed, and started again without its data. */
  readonly empty: () => Promise<void>
}

export async function startRedis(children: Children, folder: string): Promise<ClusterRedis> {
  const port = await freePort()
  const dir = join(folder, 'redis')
  const settings = [
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'everysec',
    '--maxmemory-policy',
    'noeviction',
  ]
  const command = process.env['REDIS_SERVER'] ?? 'redis-server'
  const service = new Service(children, {
    name: 'redis',
    address: `redis://127.0.0.1:${port}`,
    describe: () => {
      mkdirSync(dir, { recursive: true })
      const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, ...settings]
      return { command, args, ready: /Ready to accept connections/ }
    },
  })
  await service.start().catch((cause: unknown) => {
    throw new Error(`${command} cannot be run: install redis-server, or name it in REDIS_SERVER`, { cause })
  })
  return {
    service,
    port,
    url: service.address,
    async empty() {
      await service.kill()
      rmSync(dir, { recursive: true, force: true })
      await service.start()
    },
  }
}

/** Runs a Lua script that returns one string. */
export async function askRedis(port: number, script: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const parts = ['EVAL', script, '0']
  socket.write(`*3\r\n${parts.map((part) => `$${Buffer.byteLength(part)}\r\n${part}\r\n`).join('')}`)
  let reply = Buffer.alloc(0)
  for await (const data of socket) {
    reply = Buffer.concat([reply, data as Buffer])
    const head = /^\$(\d+)\r\n/.exec(reply.subarray(0, 32).toString('latin1'))
    if (head === null && reply.toString().startsWith('-')) throw new Error(reply.toString())
    const end = head === null ? Number.POSITIVE_INFINITY : head[0].length + Number(head[1])
    if (reply.length < end) continue
    socket.destroy()
    return reply.subarray(head?.[0].length, end).toString()
  }
  throw new Error('Redis closed the connection')
}
