// `mangaassist keygen`: creates the key of a program or the token of an administrator, and prints it once with the line
// of configuration that accepts it. Nothing is stored: the configuration has only the digest.
import { ROLES } from '@mangaassist/protocol/admin'
import { systemRandom } from '#adapters/system/random.ts'
import { secretHash } from '#lib/text/secret-hash.ts'
import { parseFlags, UsageError } from '../command.ts'
import type { Command } from '../command.ts'

const flags = {
  name: { type: 'string' },
  tier: { type: 'string' },
  admin: { type: 'boolean' },
  role: { type: 'string' },
  json: { type: 'boolean' },
} as const

const NAME = /^[a-z0-9][a-z0-9.-]{0,62}$/
const TIER = 'standard'

export const keygen: Command = {
  summary: 'Make an API key or an admin token, and the line of configuration for it',
  usage: `Usage: mangaassist keygen --name NAME [--tier TIER] [--json]
       mangaassist keygen --name NAME --admin [--role viewer|operator|admin] [--json]

Prints a new secret, which is not stored: copy it now. The configuration holds only its digest, so
the line that is printed for it is no secret.

  --name NAME   the owner's name: lower-case letters, digits, dots and dashes; an administrator's
                name is in the audit
  --tier TIER   the tier of the program that uses the key (default ${TIER})
  --admin       a token for the admin API instead of a key
  --role ROLE   what the token may do: viewer (read, without the texts of conversations), operator
                (also act), or admin (also export and erase people, import; the default)
  --json        as JSON`,

  async run(args, terminal) {
    const { admin, json, name, role, tier } = parseFlags(args, flags)
    if (name === undefined) throw new UsageError('--name NAME is missing.')
    if (!NAME.test(name))
      throw new UsageError('--name must be lower-case letters, digits, dots and dashes, at most 63.')
    if (admin === true && tier !== undefined) throw new UsageError('An administrator has no tier: remove --tier.')
    if (admin !== true && role !== undefined) throw new UsageError('--role is for --admin.')
    if (role !== undefined && !ROLES.some((known) => known === role))
      throw new UsageError(`--role must be one of ${ROLES.join(', ')}.`)
    const secret = systemRandom().id(admin === true ? 'maa' : 'mak')
    const hash = secretHash(secret)
    const entry =
      admin === true ? { name, hash, ...(role === undefined ? {} : { role }) } : { name, hash, tier: tier ?? TIER }
    const list = admin === true ? 'admins' : 'apiKeys'
    const config = `auth: { ${list}: [${literal(entry)}] }`
    const data = { name, secret, hash, config }
    terminal.stdout.write(json === true ? `${JSON.stringify(data)}\n` : described(data, admin === true))
    return 0
  },
}

function described({ config, secret }: { config: string; secret: string }, isAdmin: boolean): string {
  return [
    `${isAdmin ? 'Token' : 'Key'} (shown only now; send it as Authorization: Bearer …):`,
    `  ${secret}`,
    '',
    'In mangaassist.config.ts:',
    `  ${config}`,
    '',
  ].join('\n')
}

function literal(entry: Readonly<Record<string, string>>): string {
  return `{ ${Object.entries(entry)
    .map(([name, value]) => `${name}: '${value}'`)
    .join(', ')} }`
}
