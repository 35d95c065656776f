// `mangaassist backup`: copies DATA_DIR, while the server runs, to a folder from which a server can run.
import { resolve } from 'node:path'
import type { BackupView } from '@mangaassist/protocol/admin'
import { TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseWords, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { withData } from '../server/data-source.ts'

const flags = { reason: { type: 'string' }, url: { type: 'string' } } as const

export const backup: Command = {
  summary: 'Copy DATA_DIR to a new folder while the server runs',
  usage: `Usage: mangaassist backup FOLDER [--reason WHY] [--url URL]

Writes the database as it is at one moment, and secrets.json, to FOLDER on the server's machine;
FOLDER must be new or empty. Asks the running server of this configuration, or the one at --url,
with the admin token of ${TOKEN_VARIABLE}; where none runs it opens DATA_DIR itself. For a
cluster, back up Redis and the other stores that its nodes share.

  --reason WHY   goes to the audit (default: backup)
  --url URL      the server to ask`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const [given, ...more] = positionals
    if (given === undefined || more.length > 0) throw new UsageError('backup needs one FOLDER to write to.')
    const { url, reason = 'backup' } = values
    const folder = resolve(given)
    const { bytes } = await withData<BackupView>(terminal, url, {
      reason,
      over: (api) => api.backUp({ folder, reason }),
      on: (admin, author) => admin.backUpTo(folder, author),
    })
    terminal.stdout.write(`Backed up to ${folder}: ${bytes} bytes and secrets.json, for their owner alone.\n`)
    return 0
  },
}
