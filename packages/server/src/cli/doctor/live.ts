// What `doctor --live` asks besides stores and embedder: whether the webhooks, senders of alarms and collectors that are configured can be
// reached, without sending them anything, and whether the clocks of this machine, of Redis and of the services that it calls agree.
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'
import { systemClock } from '#adapters/system/clock.ts'
import type { Config } from '#config/config.ts'
import type { Clock } from '#ports/clock/port.ts'
import { readOtelVariables } from '#wiring/telemetry/otel-variables.ts'
import type { Terminal } from '../command.ts'
import type { Finding } from './checks.ts'
import { clockFinding, SIGNATURE_LIMITS, TOKEN_LIMITS } from './clocks.ts'
import { httpClock, whyUnreachable } from './reach.ts'
import { servicesCalled } from './services-called.ts'

type Environment = Terminal['env']

export async function checkLive(config: Config, env: Environment): Promise<Finding[]> {
  const reached = await Promise.all(
    [...handoverOf(config, env), ...webhooksOf(config, env), ...topicsOf(config), ...collectorsOf(env)].map(
      checkAddress,
    ),
  )
  const commands = await Promise.all(
    config.alarms.commands.map(({ argv, name }) => checkProgram(name, argv[0] ?? '', env)),
  )
  return [...reached.flat(), ...commands, ...(await checkClocks(config, env, systemClock()))]
}

interface ToReach {
  readonly check: string
  readonly url: string
  /** What it is called: a host, or the variable whose value is not shown. */
  readonly shown: string
}

function handoverOf({ store }: Config, env: Environment): readonly ToReach[] {
  return store.handover === undefined ? [] : addressed('hand-over', store.handover, env)
}

function webhooksOf({ alarms }: Config, env: Environment): readonly ToReach[] {
  return alarms.webhooks.flatMap((webhook) => addressed(`alarm webhook ${webhook.name}`, webhook, env))
}

function topicsOf({ alarms }: Config): readonly ToReach[] {
  return alarms.topics.map(({ endpoint, name, topicArn }) => {
    const url = endpoint ?? `https://sns.${topicArn.split(':')[3] ?? ''}.amazonaws.com`
    return { check: `alarm topic ${name}`, url, shown: new URL(url).host }
  })
}

/** One for each address: usually all signals go to the same. */
function collectorsOf(env: Environment): readonly ToReach[] {
  const signals = Object.values(readOtelVariables(env).settings?.signals ?? {})
  const origins = new Set(signals.map(({ url }) => new URL(url).origin))
  return [...origins].map((url) => ({ check: 'OTLP collector', url, shown: new URL(url).host }))
}

/** A missing address is a finding of its own, by the function that `serve` opens it with. */
function addressed(
  check: string,
  { url, urlEnv }: { readonly url?: string | undefined; readonly urlEnv?: string | undefined },
  env: Environment,
): readonly ToReach[] {
  const address = url ?? env[urlEnv ?? ''] ?? ''
  if (!URL.canParse(address)) return []
  return [{ check, url: address, shown: url === undefined ? `the address in ${urlEnv}` : new URL(address).host }]
}

async function checkAddress({ check, shown, url }: ToReach): Promise<Finding[]> {
  const why = await whyUnreachable(url)
  const reached = `${check} reachable`
  if (why === undefined) return [{ check: reached, ok: true, detail: `${shown}; nothing was sent` }]
  return [
    {
      check: reached,
      ok: false,
      detail: `${shown}: ${why}`,
      fix: 'Check the address, the network and its certificate.',
    },
  ]
}

/** Whether the program of a sender exists and may be run; it is not run. */
async function checkProgram(name: string, program: string, env: Environment): Promise<Finding> {
  const check = `alarm command ${name}`
  const folders = isAbsolute(program) || program.includes('/') ? [''] : (env['PATH'] ?? '').split(delimiter)
  for (const folder of folders) {
    const path = folder === '' ? program : join(folder, program)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return { check, ok: true, detail: `${path}; it was not run` }
  }
  return { check, ok: false, detail: `${program} cannot be run`, fix: 'Install it, or correct alarms.commands.' }
}

/** Services without a time of their own give no finding: whether they answer is checked elsewhere. */
async function checkClocks(config: Config, env: Environment, clock: Clock): Promise<Finding[]> {
  const found = await Promise.all(
    servicesCalled(config, env).map(async ({ isSigned, url }) => {
      const difference = await httpClock(url, clock)
      const limits = isSigned ? SIGNATURE_LIMITS : TOKEN_LIMITS
      return difference === undefined ? [] : [clockFinding(new URL(url).host, difference, limits)]
    }),
  )
  return found.flat()
}
