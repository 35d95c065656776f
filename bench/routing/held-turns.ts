// The turns of the bundled conversations that nothing is tuned by, each held once by the built-in responder through the whole app.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Conversation } from '../../packages/bookseller/src/evaluation/conversation.ts'
import type { TurnRecord } from '../../packages/server/src/ports/turn-records/port.ts'
import { openTrial } from '../../packages/server/src/wiring/profiles/trial.ts'

const ROOT = fileURLToPath(new URL('../../packages/bookseller', import.meta.url))
const FOLDER = join(ROOT, 'evaluation/conversations')

/** In the order in which they are held; every `step`th conversation alone. */
export async function heldTurns(step = 1): Promise<readonly TurnRecord[]> {
  const conversations = readdirSync(FOLDER)
    .filter((name) => /^h-\d+\.jsonl$/u.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as Conversation)
    .filter((_, index) => index % step === 0)
  await using trial = await openTrial({ env: { DATA_DIR: '/nonexistent' }, workspaceRoot: ROOT, withoutVendors: true })
  for (const { language, turns } of conversations) {
    const ask = trial.converse()
    for (const { say, page } of turns)
      await ask({ message: say, interfaceLanguage: language, ...(page === undefined ? {} : { page }) })
  }
  const records = await trial.finish()
  const sessions = [...Map.groupBy(records, ({ sessionId }) => sessionId).values()]
  if (sessions.length !== conversations.length)
    throw new Error(`${conversations.length} conversations, but records of ${sessions.length}`)
  const begun = (of: readonly TurnRecord[]) => Math.min(...of.map(({ at }) => at))
  return sessions
    .toSorted((one, other) => begun(one) - begun(other))
    .flatMap((of, index) =>
      of
        .toSorted((one, other) => one.position - other.position)
        .map((turn) => ({ ...turn, sessionId: conversations[index]?.id ?? '' })),
    )
}
