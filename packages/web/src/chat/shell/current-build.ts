// What the server serves now, for a page that is older than the server: after a deployment the files of the build that the page came
// from are gone. `/widget.json` names the current ones, with their hashes and the contracts that they keep.
import type { ModuleAddress } from '../../module-address.ts'

/** `/widget.json`. */
export interface Manifest {
  readonly contract: number
  readonly panel: ModuleAddress
  /** Absent from older servers. */
  readonly parts?: { readonly contract: number } & Readonly<Record<PartName, ModuleAddress>>
}

/** The modules that the panel loads later. */
export type PartName = 'ended' | 'history'

const manifestTimeoutMs = 10_000

export async function currentBuild(server: string): Promise<Manifest> {
  const signal = AbortSignal.timeout(manifestTimeoutMs)
  const response = await fetch(`${server}/widget.json`, { credentials: 'omit', cache: 'no-cache', signal })
  if (!response.ok) throw new Error(`widget.json: ${response.status}`)
  return (await response.json()) as Manifest
}
