// Search of a local cluster: the stand-in for OpenSearch as a process, or a real OpenSearch at a given address.
import { resolve } from 'node:path'
import { freePort } from '../../packages/server/test/fixtures/stores/free-port.ts'
import type { Children } from './children.ts'
import { Service } from './service.ts'

const SERVER = resolve(import.meta.dirname, '../../packages/server/bin/mangaassist.js')

export async function startSearch(children: Children): Promise<Service> {
  const port = await freePort()
  const service = new Service(children, {
    name: 'opensearch',
    address: `http://127.0.0.1:${port}`,
    describe: () => ({
      command: process.execPath,
      args: [SERVER, 'search-engine', '--port', String(port)],
      ready: /OpenSearch is at/,
    }),
  })
  await service.start()
  return service
}

export function searchSettings(node: string): Record<string, string> {
  return { MANGA_STORES__SEARCH: 'opensearch', MANGA_OPENSEARCH__NODE: node }
}
