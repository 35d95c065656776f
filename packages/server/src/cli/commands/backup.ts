// `mangaassist backup`: copies DATA_DIR, while the server runs, to a folder from which a server can run. By hand it needs no server, only the
// right to read the files; a server that is asked writes only to the folder that it is configured with.
import { resolve } from 'node:path'
import { systemClock } from '#adapters/system/clock.ts'
import { loadConfig } from '#config/load-config.ts'
import { Refusal } from '#domain/refusal.ts'
import { backUpTo } from '#wiring/profiles/back-up.ts'
import { adminApi, TOKEN_VARIABLE } from '../server/admin-api.ts'
import { CommandError, parseWords, UsageError } from '../command.ts'
import type { Command, Terminal } from '../command.ts'

const flags = { reason: { type: 'string' }, url: { type: 'string' } } as const

export const backup: Command = {
  summary: 'Copy DATA_DIR to a new folder while the server runs',
  usage: `Usage: mangaassist backup FOLDER
       mangaassist backup NAME --url URL [--reason WHY]

Writes the database of DATA_DIR as it is at one moment, and secrets.json, to FOLDER, which must be
new or empty; a server may be running. With --url the server there does it, to a new folder NAME in
its server.backupDir, with the admin token of ${TOKEN_VARIABLE}. For a cluster, back up Redis
and the other stores that its nodes share.

  --url URL      the server to ask
  --reason WHY   goes to its audit (default: backup)`,

  async run(args, terminal) {
    const { positionals, values } = parseWords(args, flags)
    const [given, ...more] = positionals
    if (given === undefined || more.length > 0) throw new UsageError('backup needs one FOLDER to write to.')
    const { url, reason } = values
    if (reason !== undefined && url === undefined)
      throw new UsageError('--reason goes with --url: no audit has a copy by hand.')
    const made =
      url === undefined
        ? await backUpHere(given, terminal)
        : await adminApi(url, terminal.env).backUp({ folder: given, reason: reason ?? 'backup' })
    terminal.stdout.write(`Backed up to ${made.folder}: ${made.bytes} bytes and secrets.json, for their owner alone.\n`)
    return 0
  },
}

async function backUpHere(given: string, { env, workspaceRoot }: Terminal) {
  const { server, state } = await loadConfig({ env, workspaceRoot, clock: systemClock() })
  if (state.redis !== undefined) throw new Refusal('INVALID_REQUEST', { details: { reason: 'not-stored-here' } })
  const made = await backUpTo(server.dataDir, resolve(given))
  if ('refused' in made) throw new CommandError(made.refused)
  return made
}
