// An emulated DynamoDB (Dynoxide, from npm), with its items in a file, so that they survive its restarts.
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { freePort } from '../../packages/server/test/fixtures/stores/free-port.ts'
import type { Children } from './children.ts'
import { Service } from './service.ts'

/** The path of the emulator; undefined where npm has none for this platform. */
export function dynamoProgram(): string | undefined {
  const packaged = resolve(
    import.meta.dirname,
    `../../node_modules/@dynoxide/${process.platform}-${process.arch}/dynoxide`,
  )
  const onPath = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'dynoxide'))
  return process.env['DYNAMODB_EMULATOR'] ?? [packaged, ...onPath].find(isExecutable)
}

function isExecutable(path: string): boolean {
  if (!existsSync(path)) return false
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export async function startDynamo(children: Children, folder: string, program: string): Promise<Service> {
  const port = await freePort()
  const args = ['--host', '127.0.0.1', '--port', String(port), '--db-path', join(folder, 'dynamodb.sqlite')]
  const service = new Service(children, {
    name: 'dynamodb',
    address: `http://127.0.0.1:${port}`,
    describe: () => ({ command: program, args, ready: /listening on/ }),
  })
  await service.start()
  return service
}

/** Conversations, ledger and catalogue are there; the emulator takes any credentials. */
export function dynamoSettings(endpoint: string): Record<string, string> {
  return {
    MANGA_DYNAMODB__ENDPOINT: endpoint,
    MANGA_STORES__SESSIONS: 'dynamodb',
    MANGA_STORES__LEDGER: 'dynamodb',
    MANGA_STORES__PRODUCTS: 'dynamodb',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  }
}
