// The real server on a real SQLite file, with the scripted model on its ladder and limits lifted.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serve } from '../../packages/server/src/main.ts'
import { systemClock } from '../../packages/server/src/adapters/system/clock.ts'
import { crowd } from './crowd.ts'
import { reportUsage } from './report-usage.ts'
import { scriptedModel } from './scripted-model.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'mangaassist-bench-'))
const serving = await serve({
  env: { ...crowd, PORT: '0', DATA_DIR: dataDir, MANGA_SERVER__LOGLEVEL: 'silent' },
  workspaceRoot: resolve(import.meta.dirname, '../..'),
  print: () => {},
  models: new Map([['embedded', scriptedModel(systemClock())]]),
})
reportUsage(serving.address)
