// The server of `ours.ts`, with telemetry as the environment asks for it: the log level, and OpenTelemetry's variables.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serve } from '../../packages/server/src/main.ts'
import { systemClock } from '../../packages/server/src/adapters/system/clock.ts'
import { crowd } from './crowd.ts'
import { reportUsage } from './report-usage.ts'
import { scriptedModel } from './scripted-model.ts'

const asked = Object.entries(process.env).filter(([name]) =>
  /^(OTEL_|MANGA_SERVER__LOGLEVEL|MANGA_TELEMETRY__)/.test(name),
)
const dataDir = await mkdtemp(join(tmpdir(), 'mangaassist-bench-'))
const serving = await serve({
  env: { ...crowd, PORT: '0', DATA_DIR: dataDir, ...Object.fromEntries(asked) },
  workspaceRoot: resolve(import.meta.dirname, '../..'),
  print: () => {},
  models: new Map([['embedded', scriptedModel(systemClock())]]),
})
reportUsage(serving.address)
