// `mangaassist restore`: replaces DATA_DIR by a backup. It refuses while a server runs.
import { resolve } from 'node:path'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { restoreStore } from '#wiring/profiles/restore.ts'
import { CommandError, parseWords, UsageError } from '../command.ts'
import type { Command } from '../command.ts'

const flags = { force: { type: 'boolean' } } as const

export const restore: Command = {
  summary: 'Replace DATA_DIR by a backup',
  usage: `Usage: mangaassist restore FOLDER [--force]

Checks the backup in FOLDER and copies it to DATA_DIR. Refuses while a server runs there, and where
there is a store already.

  --force   restore anyway; the files that were there are renamed, with .before-restore at the end
            of their names

People whose data was erased after the backup was made come back with it: erase them again.`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const [given, ...more] = positionals
    if (given === undefined || more.length > 0) throw new UsageError('restore needs one FOLDER: the backup.')
    const { server } = await loadConfig({ ...terminal, clock: systemClock() })
    const refused = restoreStore(resolve(given), server.dataDir, { force: values.force === true })
    if (refused !== undefined) throw new CommandError(refused)
    terminal.stdout.write(`Restored ${server.dataDir} from ${resolve(given)}. Start the server now.\n`)
    terminal.stdout.write(
      'People who were erased after this backup are in it: run mangaassist forget for each of them again.\n',
    )
    return 0
  },
}
