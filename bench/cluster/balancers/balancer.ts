// The load balancer of a local cluster: HAProxy or nginx where one is on PATH, else the built-in one. Each learns of
// a new node without closing a connection.
import { accessSync, constants, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Children } from '../children.ts'
import { Service } from '../service.ts'
import { haproxyFile } from './haproxy.ts'
import { nginxFile } from './nginx.ts'

export const BALANCERS = ['haproxy', 'nginx', 'built-in'] as const
export type BalancerKind = (typeof BALANCERS)[number]

export interface BalancedNode {
  readonly name: string
  readonly port: number
}

export interface BalancerOptions {
  readonly kind: BalancerKind
  readonly port: number
  readonly folder: string
  readonly nodes: () => readonly BalancedNode[]
}

export interface Balancer {
  readonly kind: BalancerKind
  readonly service: Service
  /** After a change of the nodes. */
  readonly reload: () => void
}

export function balancerOnPath(): BalancerKind {
  return BALANCERS.find((kind) => kind !== 'built-in' && isOnPath(kind)) ?? 'built-in'
}

export function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}

export async function startBalancer(children: Children, options: BalancerOptions): Promise<Balancer> {
  const { folder, kind, nodes, port } = options
  const file = join(folder, `${kind}.conf`)
  const write = () => {
    const parts = { folder, nodes: nodes(), port }
    if (kind !== 'built-in') writeFileSync(file, kind === 'haproxy' ? haproxyFile(parts) : nginxFile(parts))
  }
  const describe = () => {
    write()
    return { ...programs[kind](file, port), ready: ready[kind], withChannel: kind === 'built-in' }
  }
  const service = new Service(children, { name: 'balancer', address: `http://127.0.0.1:${port}`, describe })
  const reload = () => {
    write()
    const running = service.child?.process
    if (kind === 'built-in') running?.send(nodes())
    else running?.kill(kind === 'haproxy' ? 'SIGUSR2' : 'SIGHUP')
  }
  await service.start()
  if (kind === 'built-in') reload()
  return { kind, service, reload }
}

const programs: Readonly<Record<BalancerKind, (file: string, port: number) => { command: string; args: string[] }>> = {
  haproxy: (file) => ({ command: 'haproxy', args: ['-W', '-f', file] }),
  nginx: (file) => ({ command: 'nginx', args: ['-c', file, '-e', 'stderr'] }),
  'built-in': (_file, port) => ({
    command: process.execPath,
    args: [join(import.meta.dirname, 'balancer-process.ts'), String(port)],
  }),
}

/** What each writes when it listens. */
const ready: Readonly<Record<BalancerKind, RegExp>> = {
  haproxy: /Loading success/,
  nginx: /start worker process/,
  'built-in': /^ready/m,
}
