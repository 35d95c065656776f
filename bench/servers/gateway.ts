// Our server in front of a vendor, with limits lifted: the whole pipeline, including hold, log and ledger.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { serve } from '../../packages/server/src/main.ts'
import { crowd } from './crowd.ts'
import { reportUsage } from './report-usage.ts'

const PLENTY = '1000000000'
const vendor =
  process.env['VENDOR'] === 'bedrock'
    ? { PROVIDER: 'bedrock', ID: 'anthropic.claude-3-haiku-20240307-v1:0', BASEURL: process.env['UPSTREAM'] ?? '' }
    : { PROVIDER: 'openai-compatible', ID: 'bench', BASEURL: `${process.env['UPSTREAM'] ?? ''}/v1`, PRICE: '[1, 1]' }
const serving = await serve({
  env: {
    ...crowd,
    PORT: '0',
    DATA_DIR: await mkdtemp(join(tmpdir(), 'mangaassist-bench-')),
    MANGA_SERVER__LOGLEVEL: 'silent',
    AWS_ACCESS_KEY_ID: 'bench',
    AWS_SECRET_ACCESS_KEY: 'bench',
    ...Object.fromEntries(Object.entries(vendor).map(([key, value]) => [`MANGA_MODELS__PRIMARY__${key}`, value])),
    MANGA_TIERS__FREE__INPUTTOKENSPERDAY: PLENTY,
    MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: PLENTY,
    MANGA_TIERS__FREE__MICROUSDPERDAY: PLENTY,
    MANGA_TIERS__FREE__REQUESTSPERMINUTE: '1000000',
    MANGA_AUTH__V1GUESTS: 'true',
    MANGA_RATES__USERPERSECOND: '100000',
    MANGA_RATES__USERBURST: '100000',
    MANGA_RATES__MESSAGESPERDAY: PLENTY,
  },
  workspaceRoot: resolve(import.meta.dirname, '../..'),
  print: () => {},
})
reportUsage(serving.address)
