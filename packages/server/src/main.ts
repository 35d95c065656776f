// The composition root: the environment becomes a configuration, the configuration a wiring, the wiring a server.
// Called by the command line, which hands in the environment, prints what is thrown, and says when to close.
import { createApp } from '#app/app.ts'
import type { App, Ports } from '#app/app.ts'
import { createAdopt } from '#edge/identity/adopt.ts'
import { authenticator } from '#edge/identity/auth.ts'
import { Readiness } from '#edge/http/health.ts'
import { closeHttp, createHttp } from '#edge/http/http.ts'
import { networkFinder, networkNamer } from '#edge/http/network.ts'
import { refuser } from '#edge/http/refuse.ts'
import type { Refuse } from '#edge/http/refuse.ts'
import { RequestGate } from '#edge/http/request-gate.ts'
import type { Routes } from '#edge/http/route-parts.ts'
import { createTickets } from '#edge/identity/tickets.ts'
import { createTranscriptLinks, linkedHandover } from '#edge/admin/transcript-links.ts'
import { connectionAdmitter } from '#edge/connection/admit-connection.ts'
import type { TranscriptLinks } from '#edge/admin/transcript-links.ts'
import { WebSocketDoor } from '#edge/ws/ws.ts'
import type { Config } from '#config/config.ts'
import type { ConfigSources } from '#config/load-config.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Model } from '#ports/model/port.ts'
import { configure } from './wiring/configure.ts'
import { wireIdentity } from '#wiring/identity/identity.ts'
import { listenProblem } from '#wiring/checks/listen-problem.ts'
import { wireLocal } from '#wiring/profiles/local.ts'
import { createClosing } from './wiring/closing.ts'
import { reportStart } from './wiring/lifecycle-lines.ts'
import { StartError } from './wiring/start-error.ts'
import { wireServing } from './wiring/system.ts'
import { findWebRoot } from './wiring/web-root.ts'

export { probeModels } from '#app/health/probe-models.ts'
export type { ProbedModel } from '#app/health/probe-models.ts'

export interface ServeOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly workspaceRoot: string
  readonly print: (line: string) => void
  /** Take the place of the configured models of the same names: for programs that bring their own. */
  readonly models?: ReadonlyMap<string, Model>
  /** Makes the shop a demo when nothing is configured. */
  readonly demoWithoutConfiguration?: boolean
  /** Takes the place of the machine's: for programs whose time is not the machine's. */
  readonly clock?: Clock
}

export interface Serving {
  readonly address: string
  readonly closed: Promise<void>
  /**
   * Answers as a lame duck, then refuses new requests, lets running turns finish within their limit, and closes everything. A repeat changes
   * nothing. The reason is for the log.
   */
  close(reason?: string): Promise<void>
  /** Once it closes: ends the lame duck and the wait for running turns, which another node or the next start continues. */
  hurry(reason: string): void
}

export async function serve(options: ServeOptions): Promise<Serving> {
  const { clock, env, models, print } = options
  const { config, readBook, sources, warnings } = await configuredFor(options)
  await using opened = new AsyncDisposableStack()
  // Closed last: everything else may still report.
  const system = opened.use(await wireServing(config, { clock, env }))
  const { clock: time, random, telemetry } = system
  const from = time.now()
  for (const { path, given, fix } of warnings) telemetry.log('warn', 'config.warning', { path, given, fix })
  const { path: webRoot } = await findWebRoot()
  // Loaded only for a cluster: a server on one machine pays for no client of Redis.
  const wire = config.state.redis === undefined ? wireLocal : (await import('#wiring/profiles/cluster.ts')).wireCluster
  const wiring = opened.use(await wire(config, { clock: time, random, telemetry, env, readBook }))
  const { cookieKeys } = wiring
  const transcripts = createTranscriptLinks({ keys: cookieKeys, clock: time, publicUrl: config.server.publicUrl })
  const app = createApp({ ...portsOf(wiring.ports, transcripts, models), ...processParts(system) }, config)
  const readiness = new Readiness({
    ...wiring,
    clock: time,
    models: app.health,
    mode: app.admin.mode,
    catalogue: app.editions,
  })
  const tickets = createTickets({ clock: time, random, keys: cookieKeys, ticketMs: config.auth.ticketMs })
  const adopt = createAdopt({ app, telemetry })
  const { bearer, ...operators } = await wireIdentity(config, { clock: time, random, telemetry, env, cookieKeys })
  const identify = authenticator({ adopt, bearer, cookieKeys, random, takesMemberCookies: config.demo, tickets })
  const findNetwork = networkFinder(config.server, telemetry)
  const nameNetwork = networkNamer(cookieKeys, findNetwork)
  const refuse = noted(refuser(telemetry, app.recordRefusal), app.noteRefusal)
  const isBlocked = app.admin.isAddressBlocked
  const gate = new RequestGate({ ...operators, clock: time, telemetry, config, findNetwork, refuse, isBlocked })
  const doorParts = {
    ...operators,
    adopt,
    app,
    clock: time,
    config,
    findNetwork,
    gate,
    identify,
    metrics: () => system.metrics.text(),
    nameNetwork,
    random,
    readiness,
    refuse,
    telemetry,
    tickets,
    transcripts,
    webRoot,
  }
  const http = await createHttp(doorParts)
  const admitConnection = connectionAdmitter({ app, config, identify })
  const sockets = new WebSocketDoor(http, { ...doorParts, admitConnection })
  system.metrics.gauge('websocket_connections', () => sockets.size)
  system.metrics.gauge('http_connections', () => gate.connections)
  app.exportGauges(system.metrics)
  // Closed in the reverse order: turns finish and their readers get the end, sockets are closed, then the stores.
  opened.defer(() => closeHttp(http, time))
  const closing = createClosing({ app, clock: time, readiness, sockets, telemetry }, opened)
  await app.prepare()
  const address = await listen(http, config.server)
  app.start(() => sockets.size)
  readiness.state = 'ready'
  announce(print, config, { address, sources })
  reportStart({ config, telemetry }, { node: wiring.ports.registry.self, address, sources, readyMs: time.now() - from })
  void app.warm()
  return { address, ...closing(opened.move()) }
}

async function configuredFor({ demoWithoutConfiguration = false, env, workspaceRoot }: ServeOptions) {
  const configured = await configure({ env, workspaceRoot })
  const { config, sources } = configured
  const demo = config.demo || (demoWithoutConfiguration && isUnconfigured(sources))
  return { ...configured, config: { ...config, demo } }
}

/** Also counts refusals for the overview. */
function noted(refuse: Refuse, note: App['noteRefusal']): Refuse {
  return (...asked) => {
    const refused = refuse(...asked)
    note(refused.body.code)
    return refused
  }
}

/** What the app has of the process itself. */
function processParts({ metrics, setLogLevel, turnLines }: Awaited<ReturnType<typeof wireServing>>) {
  return { figures: metrics, setLogLevel, turnLines }
}

/** As they are wired, with links to the transcript in what staff are sent, and the caller's models. */
function portsOf(wired: Ports, transcripts: TranscriptLinks, models: ServeOptions['models']): Ports {
  const { handover } = wired
  const linked = handover === undefined ? {} : { handover: linkedHandover(handover, transcripts) }
  return { ...wired, ...linked, models: new Map([...wired.models, ...(models ?? [])]) }
}

async function listen(http: Routes, { host, port }: { readonly host: string; readonly port: number }): Promise<string> {
  try {
    return await http.listen({ host, port })
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === undefined) throw error
    const { detail, fix } = listenProblem(code, host, port)
    throw new StartError(`${detail}. ${fix}`, { cause: error })
  }
}

/** The line that callers of `serve` wait for is the first on stdout. */
function announce(
  print: ServeOptions['print'],
  { demo, server }: Config,
  { address, sources }: { readonly address: string; readonly sources: ConfigSources },
): void {
  print(`MangaAssist is ready at ${address} (data in ${server.dataDir})`)
  if (demo) print(DEMO_HINT)
  if (isUnconfigured(sources)) print(INIT_HINT)
}

const DEMO_HINT =
  'This is a demo: every visitor can sign in as one of its members at /sign-in, and orders are not real (--no-demo turns it off).'
const INIT_HINT =
  'There is no mangaassist.config.ts, so every setting has its default: npx mangaassist init writes one.'

/** Whether nothing is configured. `PORT`, `HOST` and `DATA_DIR` do not count. */
function isUnconfigured({ file, variables }: ConfigSources): boolean {
  return file === undefined && !variables.some((name) => name.startsWith('MANGA_'))
}
