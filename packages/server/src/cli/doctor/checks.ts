// The checks of `doctor` on this machine. Each returns a finding and changes nothing.
import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { checkFile } from '#adapters/sqlite/files/check-file.ts'
import { DataDirError, DataDirInUse } from '#adapters/sqlite/files/data-dir-error.ts'
import { databasePathIn, openDataDir } from '#adapters/sqlite/files/data-dir.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { listenProblem } from '#wiring/checks/listen-problem.ts'

export interface Finding {
  readonly check: string
  readonly ok: boolean
  /** The server would start, but something should be done. */
  readonly isWarning?: true
  readonly detail: string
  /** What to do. */
  readonly fix?: string
  /** The setting, for a problem with the configuration. */
  readonly path?: string
  readonly given?: string
  readonly allowed?: string
}

/** Only for information: `bin/mangaassist.js` refuses a Node that is too old before anything else runs. */
export function checkNode(version: string): Finding {
  return { check: 'Node', ok: true, detail: version }
}

export async function checkDataDir(dataDir: string): Promise<Finding> {
  const check = 'data folder'
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return { check, ok: true, detail: dataDir }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // The folder is created at the first start: then its nearest existing parent must be writable.
    if (code === 'ENOENT' && dirname(dataDir) !== dataDir) {
      const parent = await checkDataDir(dirname(dataDir))
      return parent.ok ? { check, ok: true, detail: `${dataDir}, created at the first start` } : parent
    }
    const fix = 'Give this user write access to it, or set DATA_DIR to another folder.'
    return { check, ok: false, detail: `${dataDir} cannot be written (${code})`, fix }
  }
}

export interface DataFinding {
  readonly finding: Finding
  /** The process that holds the folder's lock. */
  readonly holder?: { readonly pid: number | undefined }
}

/** Checks that the folder is not in use, its secrets are readable and its database is valid. Takes the lock briefly. */
export function checkData(dataDir: string): DataFinding {
  const check = 'data'
  try {
    const found = { check, ok: true, detail: examineData(dataDir) }
    return { finding: found }
  } catch (error) {
    // An error of the file system has a code; an error without one is a bug, and its stack is needed.
    if (!(error instanceof DataDirError || (error instanceof Error && 'code' in error))) throw error
    const detail = error instanceof DataDirError ? error.message : `${dataDir}: ${error.message}`
    const finding = { check, ok: false, detail }
    return error instanceof DataDirInUse ? { finding, holder: { pid: error.pid } } : { finding }
  }
}

function examineData(dataDir: string): string {
  const databasePath = databasePathIn(dataDir)
  // The server creates missing secrets: created here, they could get the wrong owner.
  if (!existsSync(join(dataDir, 'secrets.json'))) {
    if (!existsSync(databasePath)) return 'none yet'
    checkFile(databasePath)
    return 'not damaged'
  }
  using _lock = openDataDir({ path: dataDir, random: systemRandom() })
  if (existsSync(databasePath)) checkFile(databasePath)
  return 'not in use, not damaged'
}

export interface PortFinding {
  readonly finding: Finding
  readonly isTaken: boolean
}

export function checkPort(host: string, port: number): Promise<PortFinding> {
  const check = 'port'
  const { promise, resolve } = Promise.withResolvers<PortFinding>()
  const probe = createServer()
  probe.once('error', ({ code = 'no code' }: NodeJS.ErrnoException) => {
    const finding = { check, ok: false, ...listenProblem(code, host, port) }
    resolve({ finding, isTaken: code === 'EADDRINUSE' })
  })
  probe.listen({ host, port }, () => {
    const detail = port === 0 ? `any free one on ${host}` : `${port} on ${host} is free`
    probe.close(() => resolve({ finding: { check, ok: true, detail }, isTaken: false }))
  })
  return promise
}
