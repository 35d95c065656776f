// The real server on a real SQLite file with a model that sends 50 tokens a second to every caller; each token is the
// time at which it was sent, so that the reader knows its delay.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serve } from '../../packages/server/src/main.ts'
import { reportUsage } from './report-usage.ts'
import { crowd } from './crowd.ts'
import { pacedModel } from './paced-model.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'mangaassist-bench-'))
const serving = await serve({
  env: {
    ...crowd,
    PORT: '0',
    DATA_DIR: dataDir,
    MANGA_SERVER__LOGLEVEL: 'silent',
    MANGA_TOKENS__OUTPUTPERSESSIONMAX: '1000000',
    MANGA_TIERS__FREE__OUTPUTTOKENSPERREQUEST: '2048',
    MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '1000000',
    ...(process.env['REDIS'] === undefined ? {} : { MANGA_STATE__REDIS: process.env['REDIS'] }),
  },
  workspaceRoot: resolve(import.meta.dirname, '../..'),
  print: () => {},
  models: new Map([['embedded', pacedModel(Number(process.env['SECONDS'] ?? 30))]]),
})
reportUsage(serving.address)
