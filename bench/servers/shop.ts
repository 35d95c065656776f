// The server as `npm start` runs it, with its default limits, and an API key without limits for the measured shoppers:
// the benchmark measures the effect of others on them.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { secretHash } from '../../packages/server/src/lib/text/secret-hash.ts'
import { serve } from '../../packages/server/src/main.ts'
import { reportUsage } from './report-usage.ts'

const PLENTY = '1000000000'
const serving = await serve({
  env: {
    PORT: '0',
    DATA_DIR: await mkdtemp(join(tmpdir(), 'mangaassist-bench-')),
    MANGA_SERVER__LOGLEVEL: 'silent',
    MANGA_AUTH__APIKEYS: JSON.stringify([{ name: 'shopper', hash: secretHash('sk-shopper'), tier: 'measured' }]),
    ...Object.fromEntries(
      ['INPUTTOKENSPERDAY', 'OUTPUTTOKENSPERDAY', 'MICROUSDPERDAY', 'REQUESTSPERMINUTE'].map((name) => [
        `MANGA_TIERS__MEASURED__${name}`,
        PLENTY,
      ]),
    ),
    MANGA_TIERS__MEASURED__OUTPUTTOKENSPERREQUEST: '512',
    MANGA_TIERS__MEASURED__RATEFACTOR: '100',
  },
  workspaceRoot: resolve(import.meta.dirname, '../..'),
  print: () => {},
})
reportUsage(serving.address)
