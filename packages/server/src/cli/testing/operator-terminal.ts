// A terminal with an admin token, and a real server for it to ask.
import type { TestContext } from 'node:test'
import { openDoors } from '#fixtures/edge/doors.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { main } from '../main.ts'
import { fakeTerminal } from './fake-terminal.ts'

type Role = 'viewer' | 'operator' | 'admin'

const TOKEN = 'maa_cli'

/** `run` gives the command the arguments, and returns its exit code and what it printed. */
export async function operatorTerminal(context: TestContext, command: string, role: Role = 'admin') {
  const doors = await openDoors({ auth: { admins: [{ name: 'aki', hash: secretHash(TOKEN), role }] } })
  context.after(() => doors[Symbol.asyncDispose]())
  const { port } = new URL(await doors.listen())
  const terminal = fakeTerminal(context, { env: { MANGAASSIST_ADMIN_TOKEN: TOKEN, PORT: port } })
  const run = async (...args: readonly string[]) => {
    terminal.printed.out = terminal.printed.err = ''
    const code = await main([command, ...args], terminal)
    return { code, ...terminal.printed }
  }
  return { doors, run, terminal }
}
