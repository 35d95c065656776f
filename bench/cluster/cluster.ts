// A cluster of real processes on this machine: nodes, Redis, an emulated DynamoDB, a stand-in for OpenSearch, simulated models and a
// load balancer. `npm run cluster` gives it to a
// developer, `npm run chaos` drives it. Everything ends with `close`, or when this process ends in any way.
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../../packages/server/test/fixtures/stores/free-port.ts'
import { lendIndex } from '../../packages/server/test/fixtures/stores/stored-index.ts'
import type { Capacity } from '../../packages/simulation/src/provider/habits.ts'
import type { Pace } from '../../packages/simulation/src/vendor/pace.ts'
import { startBalancer } from './balancers/balancer.ts'
import type { Balancer, BalancerKind } from './balancers/balancer.ts'
import { Children } from './children.ts'
import { dynamoProgram, dynamoSettings, startDynamo } from './dynamo.ts'
import { searchSettings, startSearch } from './search.ts'
import { startRedis } from './redis.ts'
import type { ClusterRedis } from './redis.ts'
import { Service } from './service.ts'
import { administrator, developerSettings, nodeSettings } from './settings.ts'

export interface ClusterOptions {
  readonly nodes: number
  readonly balancer: BalancerKind
  /** The port of the load balancer. Default: one that is free when it starts, seconds after the rest of the cluster. */
  readonly port?: number
  /** The folder of all data and logs, which stays. Default: a temporary one. */
  readonly keep?: string
  readonly answers: 'plain' | 'by-question'
  /** The pace of the simulated models. Default: a fixed one, a little quicker than real ones. */
  readonly pace?: Pace
  /** Capacities of simulated models, by their ids; those without one answer as many calls at once as come. Default: none has one. */
  readonly regions?: Readonly<Record<string, Capacity>>
  /** Whether the simulated models are configured. Default: they are. */
  readonly hasVendor?: boolean
  /** Conversations and ledger: Redis everywhere, or the emulator where it is installed. */
  readonly durable: 'redis' | 'dynamodb'
  /** The stand-in for OpenSearch, or the address of a real one. Default: each node's own index. */
  readonly search?: 'stand-in' | URL
  /** Further settings of the nodes. */
  readonly settings?: Readonly<Record<string, string>>
  /** Called before each step of the start. */
  readonly onStep?: (what: string) => void
}

export interface ClusterNode {
  readonly number: number
  readonly name: string
  readonly port: number
  readonly service: Service
}

const SERVER = resolve(import.meta.dirname, '../../packages/server/bin/mangaassist.js')

const NO_EMULATOR =
  'without an emulated DynamoDB (@dynoxide is not installed for this platform): conversations and ledger are in Redis'

export class Cluster {
  readonly folder: string
  readonly adminToken: string
  readonly nodes: ClusterNode[] = []
  readonly redis: ClusterRedis
  /** Absent where conversations and ledger are in Redis. */
  readonly dynamo: Service | undefined
  /** The stand-in for OpenSearch, if it runs. */
  readonly search: Service | undefined
  readonly models: Service
  readonly #children: Children
  readonly #settings: Readonly<Record<string, string>>
  #balancer: Balancer | undefined

  constructor(parts: {
    readonly folder: string
    readonly adminToken: string
    readonly children: Children
    readonly redis: ClusterRedis
    readonly dynamo: Service | undefined
    readonly search: Service | undefined
    readonly models: Service
    readonly settings: Readonly<Record<string, string>>
  }) {
    this.folder = parts.folder
    this.adminToken = parts.adminToken
    this.redis = parts.redis
    this.dynamo = parts.dynamo
    this.search = parts.search
    this.models = parts.models
    this.#children = parts.children
    this.#settings = parts.settings
  }

  get balancer(): Balancer {
    if (this.#balancer === undefined) throw new Error('the load balancer is not started')
    return this.#balancer
  }

  /** The address to open. */
  get address(): string {
    return this.balancer.service.address
  }

  services(): readonly Service[] {
    const nodes = this.nodes.map(({ service }) => service)
    const search = this.search === undefined ? [] : [this.search]
    return [this.balancer.service, ...nodes, ...this.stores().values(), ...search, this.models]
  }

  /** The shared stores that run here, by name. */
  stores(): ReadonlyMap<string, Service> {
    const all = [this.redis.service, ...(this.dynamo === undefined ? [] : [this.dynamo])]
    return new Map(all.map((service) => [service.name, service]))
  }

  async balance(kind: BalancerKind, port: number): Promise<void> {
    this.#balancer = await startBalancer(this.#children, {
      kind,
      port,
      folder: this.folder,
      nodes: () => this.nodes.map(({ name, port: own }) => ({ name, port: own })),
    })
  }

  async addNode(): Promise<ClusterNode> {
    const number = this.nodes.length + 1
    const [name, port, dataDir] = [`node ${number}`, await freePort(), join(this.folder, `node-${number}`)]
    const env = { ...this.#settings, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir }
    const service = new Service(this.#children, {
      name,
      address: `http://127.0.0.1:${port}`,
      describe: () => ({
        command: process.execPath,
        args: [SERVER, 'serve'],
        env,
        cwd: this.folder,
        ready: /ready at http:\S+/,
      }),
    })
    const node = { number, name, port, service }
    this.nodes.push(node)
    const storeIndex = lendIndex(dataDir)
    await service.start()
    storeIndex()
    this.#balancer?.reload()
    return node
  }

  /** The stand-in has nothing on disk: its template and pipeline are made again, as an operator makes them. */
  async restartSearch(): Promise<void> {
    await this.search?.restart()
    await makeReady(this.#settings, this.folder)
  }

  close(): Promise<void> {
    return this.#children.close()
  }
}

export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { answers, keep, onStep = () => {}, pace = { firstTokenMs: 300, tokensPerSecond: 60 } } = options
  const folder = keep === undefined ? mkdtempSync(join(tmpdir(), 'mangaassist-cluster-')) : resolve(keep)
  mkdirSync(folder, { recursive: true })
  const children = new Children(folder, keep === undefined ? folder : undefined)
  try {
    onStep('Redis')
    const redis = await startRedis(children, folder)
    const program = options.durable === 'dynamodb' ? dynamoProgram() : undefined
    if (options.durable === 'dynamodb') onStep(program === undefined ? NO_EMULATOR : 'the emulated DynamoDB')
    const dynamo = program === undefined ? undefined : await startDynamo(children, folder, program)
    if (options.search === 'stand-in') onStep('the stand-in for OpenSearch')
    const search = options.search === 'stand-in' ? await startSearch(children) : undefined
    onStep('the simulated models')
    const models = await startModels(children, folder, [
      answers,
      JSON.stringify(pace),
      JSON.stringify(options.regions ?? {}),
    ])
    const { token, settings } = administrator()
    const { HOME = '', PATH = '', NODE_COMPILE_CACHE } = process.env
    const env = {
      HOME,
      PATH,
      ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
      ...nodeSettings({ redis: redis.url, models: models.address }, options.hasVendor),
      ...(dynamo === undefined ? {} : dynamoSettings(dynamo.address)),
      ...(search === undefined ? {} : searchSettings(search.address)),
      ...(options.search instanceof URL ? searchSettings(options.search.origin) : {}),
      ...settings,
      ...options.settings,
      ...developerSettings(),
    }
    if (dynamo !== undefined || options.search !== undefined) await makeReady(env, folder)
    const cluster = new Cluster({ folder, adminToken: token, children, redis, dynamo, search, models, settings: env })
    onStep(`${options.nodes} nodes`)
    // The first makes the keys that the others share, and the search index that they copy.
    await cluster.addNode()
    for (let number = 2; number <= options.nodes; number += 1) await cluster.addNode()
    onStep(`the load balancer (${options.balancer})`)
    await cluster.balance(options.balancer, options.port ?? (await freePort()))
    return cluster
  } catch (error) {
    await children.close()
    throw error
  }
}

/** Tables, templates and indexes, as an operator makes them. */
async function makeReady(env: Readonly<Record<string, string>>, folder: string): Promise<void> {
  const { promise, resolve: done, reject } = Promise.withResolvers<void>()
  execFile(process.execPath, [SERVER, 'setup', '--apply'], { env, cwd: folder }, (error, stdout, stderr) => {
    if (error === null) done()
    else reject(new Error(`The stores could not be made ready:\n${stdout}${stderr}`))
  })
  await promise
}

async function startModels(children: Children, folder: string, manner: readonly string[]): Promise<Service> {
  const port = await freePort()
  const service = new Service(children, {
    name: 'models',
    address: `http://127.0.0.1:${port}`,
    describe: () => ({
      command: process.execPath,
      args: [join(import.meta.dirname, 'models-process.ts'), String(port), join(folder, 'calls.jsonl'), ...manner],
      ready: /^ready/m,
    }),
  })
  await service.start()
  return service
}
