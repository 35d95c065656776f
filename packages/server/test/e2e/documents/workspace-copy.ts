// A copy of the workspace for one run of the documents: its own configuration file and data folder, the original's packages
// as links. Documents can write anything in it.
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { temporaryFolder } from '../server-process.ts'

const ORIGINAL = resolve(import.meta.dirname, '../../../../..')
const COPIED = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'README.md',
  'data',
  'docs',
  'packages',
  'scripts',
]
const LEFT_OUT = new Set(['node_modules', 'local', '.git'])

export async function copyWorkspace() {
  const folder = await temporaryFolder()
  const root = join(folder.path, 'mangaassist')
  const filter = (source: string) => !LEFT_OUT.has(basename(source))
  for (const name of COPIED) await cp(join(ORIGINAL, name), join(root, name), { recursive: true, filter })
  await linkPackages(root)
  const tools = join(folder.path, 'tools')
  await writeTools(tools)
  return {
    root,
    /** Must be first in PATH. */
    tools,
    home: folder.path,
    [Symbol.asyncDispose]: () => rm(folder.path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}

async function linkPackages(root: string): Promise<void> {
  const modules = join(root, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await mkdir(join(modules, '@mangaassist'))
  for (const name of await readdir(join(ORIGINAL, 'node_modules'))) {
    if (name !== '.bin' && name !== '@mangaassist')
      await symlink(join(ORIGINAL, 'node_modules', name), join(modules, name))
  }
  for (const name of await readdir(join(root, 'packages')))
    await symlink(join(root, 'packages', name), join(modules, '@mangaassist', name))
  await symlink(join(root, 'packages/server/bin/mangaassist.js'), join(modules, '.bin/mangaassist'))
}

// The same Node for everything, and an npm and npx that save a second for each command. This npx knows only the workspace's
// commands: a document that would ask a public registry fails.
async function writeTools(tools: string): Promise<void> {
  const node = process.execPath
  await mkdir(tools)
  await symlink(node, join(tools, 'node'))
  const npx = `#!/usr/bin/env bash
folder=$PWD
until [ -x "$folder/node_modules/.bin/$1" ]; do
  if [ "$folder" = / ]; then echo "npx: $1 is not a command of this workspace" >&2; exit 1; fi
  folder=$(dirname "$folder")
done
command=$folder/node_modules/.bin/$1; shift
exec "${node}" "$command" "$@"
`
  const npm = `#!/usr/bin/env bash
if [ "$*" = start ]; then exec npx mangaassist serve; fi
if [ "$1 $2" = "run bench" ]; then shift 3; exec "${node}" "${join(ORIGINAL, 'scripts/bench.js')}" "$@"; fi
echo "npm $*: not something that a document of this project can run in a test" >&2; exit 1
`
  await writeFile(join(tools, 'npx'), npx, { mode: 0o755 })
  await writeFile(join(tools, 'npm'), npm, { mode: 0o755 })
}
