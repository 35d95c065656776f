// `mangaassist doctor`: says whether `serve` would start here, and if not what to do about it, without starting
// or changing anything.
import type { Config } from '#config.ts'
import { laneOf } from '#domain/lane/lanes-of.ts'
import { ConfigError } from '#load-config.ts'
import type { ConfigProblem } from '#load-config.ts'
import { configure } from '#wiring/configure.ts'
import { parseFlags } from './command.ts'
import type { Command, Terminal } from './command.ts'
import { checkData, checkDataDir, checkNode, checkPort } from './doctor-checks.ts'
import type { Finding } from './doctor-checks.ts'
import { checkFleet } from './doctor-fleet.ts'

export const doctor: Command = {
  summary: 'Check the configuration and this machine without starting',
  usage: `Usage: mangaassist doctor [--json]

Checks the configuration, Node, the data folder, the database, the port and, when one is configured, the Redis of the
fleet; says which model goes by which lane. Exit code 0 when serve would start; what should still be done is marked with !.

  --json   the findings as JSON`,

  async run(args, terminal) {
    const { json } = parseFlags(args, { json: { type: 'boolean' } })
    const findings = await examine(terminal)
    const ok = findings.every((finding) => finding.ok)
    const report = json === true ? JSON.stringify({ ok, findings }) : findings.map(describe).join('\n')
    terminal.stdout.write(`${report}\n`)
    return ok ? 0 : 1
  },
}

async function examine({ env, workspaceRoot }: Terminal): Promise<Finding[]> {
  const node = checkNode(process.versions.node)
  try {
    const { config } = await configure({ env, workspaceRoot })
    return [node, { check: 'configuration', ok: true, detail: 'no problems' }, ...(await examineMachine(config, env))]
  } catch (error) {
    if (error instanceof ConfigError) return [node, ...error.problems.map(asFinding)]
    throw error
  }
}

async function examineMachine(config: Config, env: Terminal['env']): Promise<Finding[]> {
  const { dataDir, host, port } = config.server
  const own = [await checkDataDir(dataDir), checkData(dataDir), await checkPort(host, port), describeLanes(config)]
  return [...own, ...(await checkFleet(config, env))]
}

/** Models that share what a vendor gives them are named together: one of them in trouble is all of them. */
function describeLanes(config: Config): Finding {
  const names = Object.keys(config.models)
  const byLane = Map.groupBy(names, (name) => laneOf(config, name))
  const detail = [...byLane].map(([lane, of]) => `${of.join(' and ')} by ${lane}`).join(', ')
  return { check: 'lanes', ok: true, detail: `${config.lanes.policy}; ${detail}` }
}

function asFinding({ path, given, allowed, fix }: ConfigProblem): Finding {
  return { check: path, ok: false, detail: `given ${given}; allowed: ${allowed}`, fix, path, given, allowed }
}

function describe({ ok, isWarning, check, detail, fix }: Finding): string {
  const mark = isWarning === true ? '!' : '✓'
  return `${ok ? mark : '✗'} ${check}: ${detail}${fix === undefined ? '' : `\n    ${fix}`}`
}
