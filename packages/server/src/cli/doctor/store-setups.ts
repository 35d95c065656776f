// The checks of `doctor` for stores that have to be prepared: whether what `setup` makes is there, and whether this machine has the
// rights that a server needs. Everything is asked live, and nothing is changed.
import { systemClock } from '#adapters/system/clock.ts'
import { systemRandom } from '#adapters/system/random.ts'
import { chosenStores } from '#config/chosen-stores.ts'
import type { Config } from '#config/config.ts'
import type { SetupStep } from '#domain/setup-step.ts'
import { orUnavailable, StoreUnavailable } from '#domain/store-unavailable.ts'
import { NO_TELEMETRY } from '#ports/telemetry/plain-scope.ts'
import { planSetup, usedTables } from '#wiring/setup/plan-setup.ts'
import { openConfiguredDynamo } from '#wiring/stores/open-dynamo.ts'
import { openSampleBucket } from '#wiring/stores/samples.ts'
import type { Terminal } from '../command.ts'
import type { Finding } from './checks.ts'

/** Not the name of a sample. */
const TRIED = 'doctor.json'
const FIX = 'npx mangaassist setup --apply makes it.'
const RIGHTS = 'npx mangaassist setup --dry-run prints the policy that the server needs.'
const CREDENTIALS =
  'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY to keys that are valid, or give the process a role.'
const REGION = 'Set s3.region to the region of the bucket.'
const NETWORK = 'Check the region and the endpoint in the configuration, and the network.'

/** No findings without such a store. */
export async function checkStoreSetups(config: Config, env: Terminal['env']): Promise<Finding[]> {
  const setups = await planSetup(config, env)
  const findings = setups.flatMap(({ steps, store }) => summed(store, steps.map(asFinding)))
  return findings.some(({ ok }) => !ok)
    ? findings
    : [...findings, ...(await checkRights(config, env)), ...(await checkBucket(config, env))]
}

/** When nothing is wrong, one line is enough. */
function summed(store: string, findings: readonly (Finding | undefined)[]): Finding[] {
  const wrong = findings.filter((finding) => finding !== undefined)
  return wrong.length > 0 ? wrong : [{ check: store, ok: true, detail: 'everything that setup makes is there' }]
}

/** By the error's name, as the AWS SDK or Node gives it. */
export function fixOf(detail = ''): string {
  if (detail.startsWith('PermanentRedirect')) return REGION
  if (
    /Credentials|ExpiredToken|UnrecognizedClient|InvalidSignature|InvalidAccessKeyId|SignatureDoesNotMatch/.test(detail)
  )
    return CREDENTIALS
  return /ECONN|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|EAI_AGAIN|TimeoutError/.test(detail) ? NETWORK : RIGHTS
}

function asFinding({ apply, detail, fix, isOptional, state, what }: SetupStep): Finding | undefined {
  if (state === 'present' || state === 'not-offered') return undefined
  const weight: Pick<Finding, 'ok' | 'isWarning'> = isOptional === true ? { ok: true, isWarning: true } : { ok: false }
  if (state === 'unknown')
    return { check: what, ...weight, detail: `not known: ${detail ?? ''}`, fix: fix ?? fixOf(detail) }
  const said = state === 'missing' ? 'missing' : (detail ?? 'differs')
  return { check: what, ...weight, detail: said, ...(apply === undefined ? {} : { fix: FIX }) }
}

/** Stores a small object, lists, reads and removes it. */
async function checkBucket(config: Config, env: Terminal['env']): Promise<Finding[]> {
  if (chosenStores(config).samples !== 's3') return []
  const check = `rights for the samples in ${config.s3.bucket ?? ''}`
  using bucket = await openSampleBucket(config, { clock: systemClock(), env })
  const tried = await orUnavailable(async () => {
    await bucket.put(TRIED, '{}')
    await bucket.list(1)
    await bucket.get(TRIED)
    await bucket.remove([TRIED])
  })
  if (!(tried instanceof StoreUnavailable)) return [{ check, ok: true, detail: 'put, list, get, delete' }]
  const why = tried.cause instanceof Error ? ` (${tried.cause.message})` : ''
  return [{ check, ok: false, detail: `${tried.message}${why}`, fix: RIGHTS }]
}

async function checkRights(config: Config, env: Terminal['env']): Promise<Finding[]> {
  const shapes = usedTables(config)
  if (shapes.length === 0) return []
  const { deniedActions } = await import('#adapters/aws/dynamodb/client/table-rights.ts')
  const parts = { clock: systemClock(), random: systemRandom(), telemetry: NO_TELEMETRY, env }
  using dynamo = await openConfiguredDynamo(config, parts)
  const findings: Finding[] = []
  for (const shape of shapes) {
    const check = `rights for ${dynamo.tableName(shape)}`
    try {
      const denied = await deniedActions(dynamo, shape)
      if (denied.length === 0) findings.push({ check, ok: true, detail: shape.actions.join(', ') })
      else findings.push({ check, ok: false, detail: `denied: ${denied.join(', ')}`, fix: RIGHTS })
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      const why = error.cause instanceof Error ? ` (${error.cause.message})` : ''
      findings.push({ check, ok: false, detail: `${error.message}${why}`, fix: RIGHTS })
    }
  }
  return findings
}
