// Loads a module of the panel that is needed later. On a page that is older than the server its file is missing: then the current
// one is used, if it keeps the same contract.
import { currentBuild } from '../shell/current-build.ts'
import type { PartName } from '../shell/current-build.ts'
import { againAt, loadModule } from '../shell/load-module.ts'
import { partsContract } from './parts-contract.ts'

interface Part<Module> {
  readonly name: PartName
  /** The server's origin. */
  readonly server: string
  /** Imports the module of the panel's own build. */
  readonly own: () => Promise<Module>
}

export async function loadPart<Module>({ name, server, own }: Part<Module>): Promise<Module> {
  try {
    return await own()
  } catch (error) {
    const { parts } = await currentBuild(server)
    if (parts?.contract !== partsContract) throw error
    return loadModule<Module>(server, againAt(parts[name]))
  }
}
