// What `doctor` looks at on the machine. Each look answers with a finding and leaves things as they were.
import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { checkFile } from '#adapters/sqlite/check-file.ts'
import { DataDirError } from '#adapters/sqlite/data-dir-error.ts'
import { openDataDir } from '#adapters/sqlite/data-dir.ts'
import { systemChance } from '#adapters/system/chance.ts'
import { listenProblem } from '#wiring/listen-problem.ts'

export interface Finding {
  readonly check: string
  readonly ok: boolean
  /** It would start, and yet something should be done. */
  readonly isWarning?: true
  readonly detail: string
  /** What to do about it. */
  readonly fix?: string
  /** Of a problem with the configuration. */
  readonly path?: string
  readonly given?: string
  readonly allowed?: string
}

const NODE_MAJOR_MIN = 24

export function checkNode(version: string): Finding {
  const ok = Number.parseInt(version) >= NODE_MAJOR_MIN
  const fix = `Use Node ${NODE_MAJOR_MIN} or newer.`
  return { check: 'Node', ok, detail: version, ...(ok ? {} : { fix }) }
}

export async function checkDataDir(dataDir: string): Promise<Finding> {
  const check = 'data folder'
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    return { check, ok: true, detail: dataDir }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // It is made at the first start: then its nearest parent is what must be writable.
    if (code === 'ENOENT' && dirname(dataDir) !== dataDir) {
      const parent = await checkDataDir(dirname(dataDir))
      return parent.ok ? { check, ok: true, detail: `${dataDir}, to be made` } : parent
    }
    const fix = 'Give this user write access to it, or set DATA_DIR to another folder.'
    return { check, ok: false, detail: `${dataDir} cannot be written (${code})`, fix }
  }
}

/** Whether the folder is free to use, its secrets can be read, and its database is one. Holds the lock for a moment. */
export function checkData(dataDir: string): Finding {
  const check = 'data'
  // A folder that was never served from has nothing to check, and making its secrets here could give them the wrong owner.
  if (!existsSync(join(dataDir, 'secrets.json'))) return { check, ok: true, detail: 'none yet' }
  try {
    using opened = openDataDir({ path: dataDir, chance: systemChance() })
    if (existsSync(opened.databasePath)) checkFile(opened.databasePath)
    return { check, ok: true, detail: 'not in use, and sound' }
  } catch (error) {
    if (error instanceof DataDirError) return { check, ok: false, detail: error.message }
    throw error
  }
}

export function checkPort(host: string, port: number): Promise<Finding> {
  const check = 'port'
  const { promise, resolve } = Promise.withResolvers<Finding>()
  const probe = createServer()
  probe.once('error', ({ code = 'no code' }: NodeJS.ErrnoException) =>
    resolve({ check, ok: false, ...listenProblem(code, host, port) }),
  )
  probe.listen({ host, port }, () => {
    const detail = port === 0 ? `any free one on ${host}` : `${port} on ${host} is free`
    probe.close(() => resolve({ check, ok: true, detail }))
  })
  return promise
}
