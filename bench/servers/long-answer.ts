// The real server with a model that writes one long answer at 80 tokens a second: paragraphs, a list and a table of the
// Markdown that answers have. The limits are raised, since real answers are shorter.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Model } from '../../packages/server/src/ports/model/port.ts'
import { serve } from '../../packages/server/src/main.ts'
import { crowd } from './crowd.ts'
import { reportUsage } from './report-usage.ts'

const TOKENS_PER_SECOND = 80
const CHARACTERS_PER_TOKEN = 2
const SECTION = `静かな余韻の残る物語がお好きでしたら、**短くまとまった作品**から始めるのがおすすめです。一巻ずつ雰囲気を確かめながら読み進められます。

- 絵の密度が高く、**一コマごと**に見入ってしまうもの
- 会話が軽やかで、疲れた夜にも読みやすいもの
- 最後まで読むと、はじめの場面の意味が変わるもの

| 気分 | 長さ | 読みどころ |
|---|---|---|
| 静か | 短い | 余白の多い画面 |
| 熱い | 長い | 仲間との約束 |

`

function longAnswer(seconds: number): Model {
  return {
    id: 'long-answer',
    async *stream({ signal }) {
      yield { type: 'message-start', model: 'long-answer' }
      const began = Date.now()
      const length = seconds * TOKENS_PER_SECOND
      const text = [...SECTION.repeat(Math.ceil((length * CHARACTERS_PER_TOKEN) / SECTION.length))]
      for (let token = 0; token < length && !signal.aborted; token += 1) {
        // By the clock, so that a late timer does not slow the answer down.
        const early = began + (token * 1000) / TOKENS_PER_SECOND - Date.now()
        if (early > 0) await sleep(early)
        const at = token * CHARACTERS_PER_TOKEN
        yield { type: 'text-delta', text: text.slice(at, at + CHARACTERS_PER_TOKEN).join('') }
      }
      yield { type: 'usage', inputTokens: 100, outputTokens: length }
      yield { type: 'message-end', stopReason: 'end' }
    },
  }
}

const dataDir = await mkdtemp(join(tmpdir(), 'mangaassist-bench-'))
const serving = await serve({
  env: {
    ...crowd,
    PORT: '0',
    DATA_DIR: dataDir,
    MANGA_SERVER__LOGLEVEL: 'silent',
    MANGA_ANSWERS__FRESHMS: '1',
    MANGA_ANSWERS__FOLLOWMS: '1',
    MANGA_TOKENS__OUTPUTPERSESSIONMAX: '1000000',
    MANGA_TIERS__FREE__OUTPUTTOKENSPERREQUEST: '2048',
    MANGA_TIERS__FREE__OUTPUTTOKENSPERDAY: '1000000',
  },
  workspaceRoot: resolve(import.meta.dirname, '../..'),
  print: () => {},
  models: new Map([['embedded', longAnswer(Number(process.env['SECONDS'] ?? 24))]]),
})
process.once('SIGTERM', () => void rm(dataDir, { recursive: true, force: true }).finally(() => process.exit(0)))
reportUsage(serving.address)
