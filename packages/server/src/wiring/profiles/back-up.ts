// Backs up the DATA_DIR of this machine, by hand or by a request of an operator. No backup lies in a folder that is served; by a request
// it goes to the configured folder alone, because an admin token is no account of the machine.
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { backUpDataDir } from '#adapters/sqlite/files/back-up.ts'
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'
import type { Ports } from '#app/app.ts'
import type { Config } from '#config/config.ts'
import { bundled, isWithin } from '#config/installation.ts'

type BackUp = NonNullable<Ports['backUp']>

const NAME = /^\w[\w.-]{0,127}$/

/** `folder` is the name of a new folder in `server.backupDir`. */
export function requestedBackUp({ server: { backupDir, dataDir } }: Pick<Config, 'server'>): BackUp {
  return async (folder) => {
    if (backupDir === undefined) return { refused: 'no folder for backups is configured: set server.backupDir' }
    if (!NAME.test(folder))
      return { refused: `must be the name of a new folder in server.backupDir: letters, digits, dots, dashes` }
    return backUpTo(dataDir, join(backupDir, folder))
  }
}

/** For a caller who may read the files of DATA_DIR; the server may be running. */
export async function backUpTo(dataDir: string, folder: string): ReturnType<BackUp> {
  if (isWithin(realPathOf(bundled.web), realPathOf(folder))) return { refused: `${folder} is served to everyone` }
  try {
    return { folder, ...(await backUpDataDir(dataDir, folder)) }
  } catch (error) {
    if (error instanceof DataDirError) return { refused: error.message }
    throw error
  }
}

/** Where a path leads, of which not everything exists yet. */
function realPathOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPathOf(dirname(path)), basename(path))
}
