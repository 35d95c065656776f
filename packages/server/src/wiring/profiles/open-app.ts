// Opens the app on the configured stores without any door, for commands that change or copy data while no server runs. It takes the
// lock of DATA_DIR, so that no server can start meanwhile.
import { createApp } from '#app/app.ts'
import type { App } from '#app/app.ts'
import { configure } from '../configure.ts'
import { wireLocal } from './local.ts'
import type { Environment } from '../models/model-secrets.ts'
import { wireSystem } from '../system.ts'

export type { Admin } from '#app/app.ts'

export interface OpenedApp extends AsyncDisposable {
  readonly app: App
}

export async function openApp(options: { env: Environment; workspaceRoot: string }): Promise<OpenedApp> {
  const { config, readBook } = await configure(options)
  const { clock, random, telemetry } = wireSystem({ ...config, server: { ...config.server, logLevel: 'silent' } })
  await using opened = new AsyncDisposableStack()
  const wire = config.state.redis === undefined ? wireLocal : (await import('./cluster.ts')).wireCluster
  const wiring = opened.use(await wire(config, { clock, random, telemetry, env: options.env, readBook }))
  const app = createApp(wiring.ports, config)
  opened.defer(() => app.drain())
  const keep = opened.move()
  return { app, [Symbol.asyncDispose]: () => keep.disposeAsync() }
}
