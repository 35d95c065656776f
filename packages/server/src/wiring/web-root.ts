// Finds the built web pages. Without them only the API is served; pages that exist but cannot be read stop the start, because
// every shopper would see an error instead of the store.
import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { bundled } from '#config/installation.ts'
import { StartError } from './start-error.ts'

export interface WebRoot {
  readonly path: string
  readonly isBuilt: boolean
}

export async function findWebRoot(): Promise<WebRoot> {
  const path = bundled.web
  if (!existsSync(path)) return { path, isBuilt: false }
  try {
    await access(join(path, 'index.html'), constants.R_OK)
    return { path, isBuilt: true }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const advice = `Delete ${path}; npm start builds it again.`
    throw new StartError(`The web pages in ${path} cannot be read (${code}). ${advice}`, { cause: error })
  }
}
