// Restores a DATA_DIR for the command line; returns a message for the operator if it was refused.
import { restoreDataDir } from '#adapters/sqlite/files/back-up.ts'
import { DataDirError } from '#adapters/sqlite/files/data-dir-error.ts'

export function restoreStore(
  backup: string,
  dataDir: string,
  options: { readonly force: boolean },
): string | undefined {
  try {
    restoreDataDir(backup, dataDir, options)
    return undefined
  } catch (error) {
    if (error instanceof DataDirError) return error.message
    throw error
  }
}
