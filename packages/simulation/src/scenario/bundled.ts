// Loads a bundled scenario by name, or any scenario file by path. Used by the command line.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nearest } from '@mangaassist/server/lib/text/nearest'
import { FleetScenarioError, readFleetScenario } from './read-scenario.ts'
import type { FleetScenario } from './scenario.ts'

const FOLDER = resolve(import.meta.dirname, '../../scenarios')
const SUFFIX = '.yaml'

/** In alphabetical order. */
export function bundledScenarioNames(): readonly string[] {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(SUFFIX))
  return files.map((file) => file.slice(0, -SUFFIX.length)).toSorted((a, b) => (a < b ? -1 : 1))
}

/** Loads the bundled scenario of this name, else the file. Throws a `FleetScenarioError`. */
export function loadFleetScenario(nameOrPath: string): FleetScenario {
  const names = bundledScenarioNames()
  const path = names.includes(nameOrPath) ? join(FOLDER, nameOrPath + SUFFIX) : nameOrPath
  if (!existsSync(path)) {
    const meant = nearest(nameOrPath, names)
    const problem = {
      path: nameOrPath,
      given: 'a name or file that does not exist',
      allowed: `the path of a file, or one of ${names.join(', ')}`,
      fix: meant === undefined ? 'Use one of these names or the path of a file.' : `Did you mean ${meant}?`,
    }
    throw new FleetScenarioError(nameOrPath, [problem])
  }
  return readFleetScenario(readFileSync(path, 'utf8'), nameOrPath)
}
