// A copy of the previous version, to be run beside this one: the commit that `previous-version.txt` names, from the history of this
// clone, with the packages that are installed here. A change of a format that both versions must read needs the commit before it in
// that file, and a deployment of its own between the two.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../../../..')
const OURS = '@mangaassist'

export const previousCommit = readFileSync(join(import.meta.dirname, 'previous-version.txt'), 'utf8').trim()

/** False in a clone without enough history. */
export function hasPreviousVersion(): boolean {
  try {
    git('cat-file', '-e', `${previousCommit}^{commit}`)
    return true
  } catch {
    return false
  }
}

export interface PreviousVersion extends Disposable {
  /** Its command line. */
  readonly bin: string
}

export function checkOutPreviousVersion(): PreviousVersion {
  const folder = mkdtempSync(join(tmpdir(), 'mangaassist-previous-'))
  const archive = git('archive', previousCommit)
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, OURS), { recursive: true })
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (name !== OURS) symlinkSync(join(root, 'node_modules', name), join(modules, name))
  }
  // Its own packages, not ours.
  for (const name of readdirSync(join(folder, 'packages')))
    symlinkSync(join(folder, 'packages', name), join(modules, OURS, name))
  return {
    bin: join(folder, 'packages/server/bin/mangaassist.js'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function git(...args: readonly string[]): Buffer {
  return execFileSync('git', args, { cwd: root, maxBuffer: 1024 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] })
}
