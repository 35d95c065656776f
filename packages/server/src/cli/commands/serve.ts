// `mangaassist serve`: serves until a signal, then lets the answers in flight finish. `npm start` runs it.
import { serve as startServer } from '#main.ts'
import { parseFlags, UsageError } from '../command.ts'
import type { Command } from '../command.ts'

const flags = { demo: { type: 'boolean' }, 'no-demo': { type: 'boolean' } } as const

export const serve: Command = {
  summary: 'Serve the store and its assistant (what npm start runs)',
  usage: `Usage: mangaassist serve [--demo | --no-demo]

Serves until SIGINT or SIGTERM, then finishes the answers in flight. A second signal ends the wait
for them: they are continued by another node, or after the next start.

  --demo               sample members to sign in as at /sign-in, and a checkout that takes no money.
                       Refused beside auth.issuers. The default where nothing is configured
  --no-demo            never

  PORT, HOST           where to listen (default 8080 on 127.0.0.1)
  DATA_DIR             where everything that persists lives (default data/local in the workspace or,
                       for an installed package, in the current folder)
  MANGA_STATE__REDIS   the Redis that several processes share to form one cluster (default none)

Every other setting is in mangaassist.config.ts or a MANGA_ variable; mangaassist doctor checks
them.`,

  async run(args, terminal) {
    const { demo = false, 'no-demo': noDemo = false } = parseFlags(args, flags)
    if (demo && noDemo) throw new UsageError('--demo and --no-demo contradict each other.')
    const env = demo || noDemo ? { ...terminal.env, MANGA_DEMO: String(demo) } : terminal.env
    const print = (line: string) => void terminal.stdout.write(`${line}\n`)
    // Listened for before the start, because a caller may send the signal as soon as it reads the ready line. A terminal and npm each
    // pass on the same Ctrl-C: what counts as a second signal is decided by the server.
    const stopped = Promise.withResolvers<string>()
    let hurry = (_signal: string) => {}
    terminal.onSignal((signal) => {
      stopped.resolve(signal)
      hurry(signal)
    })
    const server = await startServer({
      env,
      workspaceRoot: terminal.workspaceRoot,
      print,
      demoWithoutConfiguration: true,
    })
    hurry = server.hurry
    await Promise.race([server.closed, stopped.promise.then((signal) => server.close(signal))])
    return 0
  },
}
