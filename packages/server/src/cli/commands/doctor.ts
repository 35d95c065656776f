// `mangaassist doctor`: checks whether `serve` would start here, and what to do if not, without starting or changing
// anything. It loads the parts with the functions of `serve`.
import type { Config } from '#config/config.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { ConfigError } from '#config/load-config.ts'
import type { ConfigProblem } from '#config/load-config.ts'
import { configure } from '#wiring/configure.ts'
import { printFound } from '../output/print-found.ts'
import { parseFlags } from '../command.ts'
import type { Command, Terminal } from '../command.ts'
import { checkData, checkDataDir, checkNode, checkPort } from '../doctor/checks.ts'
import type { Finding } from '../doctor/checks.ts'
import { checkCluster } from '../doctor/cluster.ts'
import { checkLive } from '../doctor/live.ts'
import { checkFiles, checkParts } from '../doctor/parts.ts'
import { checkRouting } from '../doctor/routing.ts'
import { checkSlowModels } from '../doctor/slow-models.ts'
import { checkStoreSetups } from '../doctor/store-setups.ts'
import { checkSearchEngine } from '../doctor/search-engine.ts'
import { describeSources } from '../doctor/sources.ts'
import { describeStores } from '../doctor/stores.ts'
import { describeV1 } from '../doctor/v1.ts'
import { healthOf, usualUrl } from '../server/find-server.ts'

const flags = { json: { type: 'boolean' }, live: { type: 'boolean' }, models: { type: 'boolean' } } as const

export const doctor: Command = {
  summary: 'Check the configuration and this machine without starting',
  usage: `Usage: mangaassist doctor [--live] [--models] [--json]

Checks the configuration, Node, the data folder, the database, the port, the catalogue, the FAQ, the
files of understanding and search, the prompts, the models, the web pages and, when one is
configured, the cluster's Redis and the tables of DynamoDB, with the rights there; prints what it
read, which model uses which lane, what routing would save while it is off, and which store holds
what. Nothing is changed.

Exit code 0 when serve would start here, or already runs here with this data folder and port. ✗
marks what stops serve, ! what should still be done.

  --live   also ask the embedder for a vector; connect to the hand-over, the senders of alarms and
           the OTLP collector without sending anything; and compare the clock with those of Redis,
           AWS and vendors. Fails when one cannot be reached, or when the clocks are so far apart
           that leases or signatures break. Says when all models are slower than the first word is
           promised
  --models also ask every vendor's model for one token, which costs next to nothing, and fail if one
           gives an error; without it no model is called
  --json   the findings as JSON`,

  async run(args, terminal) {
    const { json, live, models } = parseFlags(args, flags)
    const findings = await examine(terminal, { isLive: live === true, asksModels: models === true })
    const ok = findings.every((finding) => finding.ok)
    printFound({ stdout: terminal.stdout, isJson: json === true }, { ok, findings }, () => describeAll(findings))
    return ok ? 0 : 1
  },
}

interface DoctorAsks {
  /** Whether each vendor's model is asked for a token. */
  readonly asksModels: boolean
  /** Whether the other dependencies are asked. */
  readonly isLive: boolean
}

/** All findings, in the order in which they are printed. */
export async function examine(
  { env, workspaceRoot }: Terminal,
  { asksModels, isLive }: DoctorAsks = { asksModels: false, isLive: false },
): Promise<Finding[]> {
  const node = checkNode(process.versions.node)
  const files = await checkFiles()
  const configured = await configure({ env, workspaceRoot }).catch(asConfigError)
  if (configured instanceof ConfigError) return [node, ...describeProblems(configured, env), ...files]
  const { config, readBook, sources, warnings } = configured
  return [
    node,
    ...describeSources(sources, env, config),
    ...warnings.map(asFinding),
    ...(await examineMachine(config)),
    ...files,
    ...(await checkParts({ config, env, asksModels, isLive, readBook })),
    describeLanes(config),
    ...(await checkRouting(configured)),
    ...(isLive ? await checkSlowModels(config) : []),
    describeV1(config),
    describeStores(config),
    ...(await checkCluster(config, env, isLive)),
    ...(await checkStoreSetups(config, env)),
    ...(await checkSearchEngine(config, env)),
    ...(isLive ? await checkLive(config, env) : []),
  ]
}

export function describeAll(findings: readonly Finding[]): string {
  return findings.map(describe).join('\n')
}

function asConfigError(error: unknown): ConfigError {
  if (error instanceof ConfigError) return error
  throw error
}

function describeProblems({ problems, sources, warnings }: ConfigError, env: Terminal['env']): Finding[] {
  return [...describeSources(sources, env), ...[...problems, ...warnings].map(asFinding)]
}

async function examineMachine({ server }: Config): Promise<Finding[]> {
  const { dataDir, host, port } = server
  const folder = await checkDataDir(dataDir)
  const data = checkData(dataDir)
  const listening = await checkPort(host, port)
  if (!listening.isTaken) return [folder, data.finding, listening.finding]
  const url = usualUrl(server)
  const health = await healthOf(url)
  if (health === undefined) return [folder, data.finding, listening.finding]
  if (data.holder === undefined) {
    const detail = `${listening.finding.detail} by a MangaAssist with another data folder`
    return [folder, data.finding, { ...listening.finding, detail }]
  }
  const process = data.holder.pid === undefined ? '' : `process ${data.holder.pid}, `
  const detail = `a server is running here (${process}${url}, ${health}); a restart would use the settings checked here`
  return [folder, { check: 'server', ok: true, detail }]
}

/** Models that share a lane are named together: a fault of one affects all of them. */
function describeLanes(config: Config): Finding {
  const names = Object.keys(config.models)
  const byLane = Map.groupBy(names, (name) => laneOf(config, name))
  const detail = [...byLane].map(([lane, of]) => `${of.join(' and ')} by ${lane}`).join(', ')
  return { check: 'lanes', ok: true, detail: `${config.lanes.policy}; ${detail}` }
}

function asFinding({ path, given, allowed, fix, isWarning }: ConfigProblem): Finding {
  const detail = `given ${given}; allowed: ${allowed}`
  const problem = { check: path, detail, fix, path, given, allowed }
  return isWarning === true ? { ...problem, ok: true, isWarning } : { ...problem, ok: false }
}

function describe({ ok, isWarning, check, detail, fix }: Finding): string {
  const mark = isWarning === true ? '!' : '✓'
  return `${ok ? mark : '✗'} ${check}: ${detail}${fix === undefined ? '' : `\n    ${fix}`}`
}
