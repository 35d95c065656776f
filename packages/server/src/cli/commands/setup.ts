// `mangaassist setup`: makes what the chosen stores need: tables, indexes, expiry, backups. It says what it will do, and does it
// only with --apply.
import { configure } from '#wiring/configure.ts'
import type { SetupStep, StoreSetup } from '#domain/setup-step.ts'
import { planSetup } from '#wiring/setup/plan-setup.ts'
import { fixOf } from '../doctor/store-setups.ts'
import { CommandError, parseFlags, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'

const flags = {
  'dry-run': { type: 'boolean' },
  apply: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export const setup: Command = {
  summary: 'Make the tables and indexes that the chosen stores need',
  usage: `Usage: mangaassist setup --dry-run [--json]
       mangaassist setup --apply [--json]

Examines the stores of the configuration that have to be prepared (DynamoDB, OpenSearch, S3) and
says what is there, what is missing and what differs. A repeat makes only what is still missing.
Nothing is ever deleted.

  --dry-run   change nothing; also print the least policy (IAM) of the server for each store, and
              that of the operator who runs --apply
  --apply     make what is missing
  --json      as JSON

Exit code 0 when everything is there, or with --dry-run can be made; else 1. Credentials come from
the environment, else from the AWS SDK's own search: profiles, containers, instances.`,

  async run(args, terminal) {
    const { apply, json, 'dry-run': isDry } = parseFlags(args, flags)
    if ((apply === true) === (isDry === true)) throw new UsageError('Give one of --dry-run and --apply.')
    const { config } = await configure({ env: terminal.env, workspaceRoot: terminal.workspaceRoot })
    const setups = await planSetup(config, terminal.env)
    const isApplied = apply === true
    if (isApplied) await applyAll(setups, terminal, json === true)
    else if (json !== true) terminal.stdout.write(described(setups))
    const after = isApplied ? await planSetup(config, terminal.env) : setups
    if (json === true) terminal.stdout.write(`${JSON.stringify({ stores: after })}\n`)
    else if (setups.length === 0) terminal.stdout.write('No store of this configuration has to be prepared.\n')
    return after.flatMap(({ steps }) => steps).every((step) => isInOrder(step, isApplied)) ? 0 : 1
  },
}

/** Before it is applied, what can be made is in order too. */
function isInOrder({ apply, state }: SetupStep, isApplied: boolean): boolean {
  if (state === 'present' || state === 'not-offered') return true
  return !isApplied && apply !== undefined
}

async function applyAll(setups: readonly StoreSetup[], terminal: Terminal, isQuiet: boolean): Promise<void> {
  const say = (line: string) => (isQuiet ? undefined : terminal.stdout.write(`${line}\n`))
  for (const { store, steps } of setups) {
    say(store)
    for (const step of steps) {
      if (step.apply === undefined) {
        say(describedStep(step))
        continue
      }
      try {
        const isOffered = (await step.apply()) !== 'not-offered'
        say(isOffered ? `  + ${step.what}: made` : describedStep({ ...step, state: 'not-offered' }))
      } catch (error) {
        const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
        throw new CommandError(
          `${step.what} could not be made (${why}). What was made before it stays; run setup again.`,
        )
      }
    }
  }
}

function described(setups: readonly StoreSetup[]): string {
  const lines = setups.flatMap(({ policies, steps, store }) => [
    store,
    ...steps.map(describedStep),
    '',
    ...policies.flatMap(({ policy, purpose }) => [`Policy ${purpose}:`, JSON.stringify(policy, null, 2), '']),
  ])
  if (lines.length === 0) return ''
  const outlook = outlooks(setups.flatMap(({ steps }) => steps))
  return [...lines, ['Nothing was changed.', ...outlook].join(' '), ''].join('\n')
}

/** Below the policies, which fill screens, is where it is read. */
function outlooks(steps: readonly SetupStep[]): readonly string[] {
  const unknown = steps.find(({ state }) => state === 'unknown')
  const byHand = steps.some(({ apply, state }) => state === 'differs' && apply === undefined)
  return [
    ...(steps.some(({ apply }) => apply !== undefined) ? ['setup --apply makes what is marked with + or ~.'] : []),
    ...(byHand ? ['What is marked with ✗ has to be done by hand.'] : []),
    ...(unknown === undefined
      ? []
      : [
          `What is marked with ? could not be checked: ${unknown.detail ?? 'no reason was given'}. ${unknown.fix ?? fixOf(unknown.detail)}`,
        ]),
    ...(steps.every(({ state }) => state === 'present' || state === 'not-offered') ? ['Everything is there.'] : []),
  ]
}

const MARKS: Readonly<Record<SetupStep['state'], string>> = {
  present: '✓',
  missing: '+',
  differs: '~',
  unknown: '?',
  'not-offered': '-',
}

function describedStep({ apply, detail, state, what }: SetupStep): string {
  const mark = state === 'differs' && apply === undefined ? '✗' : MARKS[state]
  const said = state === 'not-offered' ? 'not offered by this server' : detail
  return `  ${mark} ${what}${said === undefined ? '' : `: ${said}`}`
}
