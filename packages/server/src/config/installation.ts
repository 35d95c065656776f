// Where the files of this installation are. The only place that knows whether the program runs from its workspace or as
// an installed package: the workspace runs TypeScript sources, a package holds JavaScript and its own copy of the data.
import { readFileSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'

const packageFolder = resolve(import.meta.dirname, '../..')
const workspaceFolder = resolve(packageFolder, '../..')

/** Node refuses to strip types below `node_modules`, so sources run in the workspace and nowhere else. */
const inWorkspace = import.meta.filename.endsWith('.ts')

/** The files that come with the program, read-only. */
export const bundled = inWorkspace
  ? {
      data: join(workspaceFolder, 'data'),
      evaluation: join(workspaceFolder, 'packages/bookseller/evaluation'),
      web: join(workspaceFolder, 'packages/web/dist'),
    }
  : {
      data: join(packageFolder, 'data'),
      evaluation: join(packageFolder, 'evaluation'),
      web: join(packageFolder, 'web'),
    }

/** The version of this software. */
export function softwareVersion(): string {
  return (JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }).version
}

/**
 * The folder of `mangaassist.config.ts`, and the one that a relative DATA_DIR starts from: the current folder, and
 * anywhere in the workspace its root.
 */
export function baseFolder(currentFolder: string): string {
  return inWorkspace && isWithin(workspaceFolder, currentFolder) ? workspaceFolder : currentFolder
}

/** Adds a package where `import()` finds it from here. */
export function installCommand(packageName: string): string {
  return `npm install ${packageName}${inWorkspace ? ' --workspace packages/server' : ''}`
}

/** A command of this program as it is typed here; `--no` keeps npx from fetching a package of that name. */
export function commandLine(args: string, isWorkspace = inWorkspace): string {
  return `npx ${isWorkspace ? '' : '--no '}mangaassist ${args}`
}

export function startCommand(isWorkspace = inWorkspace): string {
  return isWorkspace ? 'npm start' : commandLine('serve', isWorkspace)
}

/** Where a reader finds how models are configured: a package carries its README and no other document. */
export function modelsGuide(isWorkspace = inWorkspace): string {
  return isWorkspace ? 'docs/models.md' : 'node_modules/@mangaassist/server/README.md'
}

/** Whether a path is a folder or lies in it; both absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
