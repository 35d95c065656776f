// `mangaassist export`: prints all stored data of one user as JSON.
import { escapedJson } from '#lib/text/readable.ts'
import { TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseFlags, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { withData } from '../server/data-source.ts'

const flags = { user: { type: 'string' }, reason: { type: 'string' }, url: { type: 'string' } } as const

export const exportUser: Command = {
  summary: 'Print all stored data of one user as JSON',
  usage: `Usage: mangaassist export --user ID [--reason WHY] [--url URL] > user.json

Conversations with every turn, questions that wait for an answer, and the rows of the ledger. Asks
the running server of this configuration, or the one at --url, with the admin token of
${TOKEN_VARIABLE}; where none runs it opens the stores itself.

  --user ID      as the ledger has it, such as guest_… or user:https://issuer:subject
                 (\`mangaassist usage --by user\`)
  --reason WHY   goes to the audit (default: data export)
  --url URL      the server to ask`,

  async run(args, terminal) {
    const { user, url, reason = 'data export' } = parseFlags(args, flags)
    if (user === undefined || user === '') throw new UsageError('--user ID is missing.')
    const data = await withData<object>(terminal, url, {
      reason,
      over: (api) => api.exportUser(user, { reason }),
      on: (admin, author) => admin.exportUser(user, author),
    })
    terminal.stdout.write(`${escapedJson(data, 2)}\n`)
    return 0
  },
}
