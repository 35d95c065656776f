// `mangaassist fleet`: runs a simulated fleet through a scenario in virtual time, with one policy or several. The same
// flags print the same bytes on any machine; progress goes to standard error.
import { parseFlags } from '@mangaassist/server/cli/command'
import type { Command } from '@mangaassist/server/cli/command'

const flags = {
  scenario: { type: 'string' },
  nodes: { type: 'string' },
  seed: { type: 'string' },
  policy: { type: 'string' },
  set: { type: 'string', multiple: true },
  html: { type: 'string' },
  json: { type: 'boolean' },
  seconds: { type: 'boolean' },
  list: { type: 'boolean' },
} as const

export const fleet: Command = {
  summary: 'Simulate many servers during faults, in virtual time',
  usage: `Usage: mangaassist fleet [--scenario name|file] [--policy names] [--seed n] [--nodes n]
                         [--set path=value …] [--html file] [--json [--seconds]]
       mangaassist fleet --list

Runs N whole servers in one process and virtual time, over simulated providers, people, stores and
faults, and prints what happened: a timeline, the events and the figures. It makes no network calls
and reads no file but the scenario; the same flags give the same bytes each time.

  --scenario x      one of --list, or a file of your own (default throttle; docs/simulation.md
                    describes how to write one)
  --policy names    naive, sdk, reference, ours, several with commas, or all (default ours)
  --seed n          the seed of every random choice (default 1)
  --nodes n         in place of the scenario's; the number of shoppers does not change
  --set path=value  a setting of the server, such as lanes.open.maxMs=4000; may be repeated
  --html file       also write a self-contained HTML report
  --json            a line of JSON for each run, with --seconds also second by second
  --list            list the bundled scenarios

Exit code 1: a scenario or setting is wrong, or a run broke an invariant.`,

  async run(args, terminal) {
    const given = parseFlags(args, flags)
    // Loaded only here: it pulls in the whole server, which other commands do not need.
    const { list, runScenario } = await import('./fleet/run-scenario.ts')
    return given.list === true ? list(terminal) : runScenario(given, terminal)
  },
}
