// Loads the panel of the widget. A page may be older than the server: then the panel of that build is missing, and the current one is
// used instead if it has the same contract.
import type { ModuleAddress } from '../../module-address.ts'
import { currentBuild } from './current-build.ts'
import { againAt, loadModule } from './load-module.ts'
import { panelContract } from './panel-contract.ts'
import type { LoadPanel, PanelModule } from './panel-contract.ts'

export function panelLoader(built: ModuleAddress): LoadPanel {
  return (server) =>
    loadModule<PanelModule>(server, built).catch((error: unknown) => loadCurrentPanel(server, error, built.path))
}

/** `error`: why the panel of the page's own build could not be loaded; `failedPath`: where it was. */
export async function loadCurrentPanel(server: string, error: unknown, failedPath?: string): Promise<PanelModule> {
  const current = await currentBuild(server).catch(() => undefined)
  if (current?.contract !== panelContract) throw error
  return loadModule(server, current.panel.path === failedPath ? againAt(current.panel) : current.panel)
}
