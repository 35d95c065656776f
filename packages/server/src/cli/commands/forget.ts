// `mangaassist forget`: erases the stored data of one user, and prints what was removed and what was not.
import type { Admin } from '#wiring/profiles/open-app.ts'
import { TOKEN_VARIABLE } from '../server/admin-api.ts'
import { parseFlags, UsageError } from '../command.ts'
import type { Command } from '../command.ts'
import { withData } from '../server/data-source.ts'

const flags = {
  user: { type: 'string' },
  reason: { type: 'string' },
  json: { type: 'boolean' },
  url: { type: 'string' },
} as const

type Erased = Awaited<ReturnType<Admin['eraseUser']>>

export const forget: Command = {
  summary: 'Erase the stored data of one user',
  usage: `Usage: mangaassist forget --user ID --reason WHY [--json] [--url URL]

Stops running answers, then removes conversations, turn logs, waiting questions, cached answers,
requests for a person, turn records, the cart, orders and samples; the ledger keeps its figures
under a pseudonym. Asks the running server of this configuration, or the one at --url, with the
admin token of ${TOKEN_VARIABLE}; where none runs it opens the stores itself.
It cannot be undone.

  --user ID      as the ledger has it, such as guest_… or user:https://issuer:subject
                 (\`mangaassist usage --by user\`)
  --reason WHY   goes to the audit
  --json         what was removed, as JSON
  --url URL      the server to ask`,

  async run(args, terminal) {
    const { json, user, url, reason } = parseFlags(args, flags)
    if (user === undefined || user === '') throw new UsageError('--user ID is missing.')
    if (reason === undefined || reason.trim() === '') throw new UsageError('--reason WHY is missing.')
    const erased = await withData<Erased>(terminal, url, {
      reason,
      over: (api) => api.eraseUser(user, { reason }),
      on: (admin, author) => admin.eraseUser(user, author),
    })
    terminal.stdout.write(json === true ? `${JSON.stringify(erased)}\n` : described(erased))
    return erased.stillRunning === 0 ? 0 : 1
  },
}

function described(erased: Erased): string {
  const removed = [
    `${erased.conversations} conversations`,
    `${erased.turnLogs} turn logs`,
    `${erased.deferredQuestions} waiting questions`,
    `${erased.cachedAnswers} cached answers`,
    `${erased.handovers ?? 0} requests for a person`,
    `${erased.turnRecords} turn records`,
    `${erased.cartItems} items of the cart`,
    `${erased.orders} orders`,
    `${erased.samples} samples`,
  ]
  const running =
    erased.stillRunning === 0 ? [] : [`${erased.stillRunning} answers had not ended in time: run this command again.`]
  const lines = [
    `Removed: ${removed.join(', ')}.`,
    `${erased.ledgerRowsRenamed} rows of the ledger now have a pseudonym.`,
    ...erased.kept.map((line) => `Not removed: ${line}.`),
    ...running,
  ]
  return `${lines.join('\n')}\n`
}
