// Checks of issuers, API keys and administrators that a schema cannot make: secrets that are missing or too short, algorithms
// that do not fit the keys, unencrypted addresses of keys, names that are used twice, and tiers that do not exist. A secret is
// never shown.
import type { Config } from '#config/config.ts'
import type { ConfigCheck, ConfigProblem } from '#config/load-config.ts'
import { DEMO_ISSUER_NAME } from '#domain/identity/demo-members.ts'
import { algorithmsOf, nameOfIssuer } from '../identity/identity.ts'
import type { Environment } from '../models/model-secrets.ts'

type Issuer = Config['auth']['issuers'][number]
type Admin = Config['auth']['admins'][number]

const SECRET_BYTES_MIN = 32
const TOKEN_LENGTH_MIN = 24
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const KEYGEN = 'Make one with: npx mangaassist keygen'

export function checkIdentity({ env }: { readonly env: Environment }): ConfigCheck {
  return async ({ auth, demo, tiers }, isWrong) => {
    // A list or an item with an invalid shape is already reported; the other lists and items are still checked.
    const sound = <Item extends object>(list: string, items: readonly Item[]): readonly (readonly [string, Item])[] =>
      isWrong('auth') || isWrong(`auth.${list}`) || !Array.isArray(items)
        ? []
        : items.flatMap((item, index): [string, Item][] => {
            const path = `auth.${list}[${index}]`
            const isOff = isWrong(path) || Object.keys(item).some((field) => isWrong(`${path}.${field}`))
            return isOff || (list === 'issuers' && isWrong(`${path}.issuer`)) ? [] : [[path, item]]
          })
    const tierNames = isWrong('tiers') ? undefined : Object.keys(tiers)
    const issuers = sound('issuers', auth?.issuers)
    const apiKeys = sound('apiKeys', auth?.apiKeys)
    const admins = sound('admins', auth?.admins)
    const tierOf = (path: string, tier: string | undefined) => tierProblems(path, tier, tierNames)
    return [
      ...issuers.flatMap(([path, issuer]) => [
        ...keyProblems(path, issuer, env),
        ...algorithmProblems(path, issuer),
        ...nameProblems(path, issuer),
        ...operatorProblems(path, issuer),
        ...tierOf(`${path}.defaultTier`, issuer.defaultTier ?? 'free'),
        ...Object.entries(issuer.tiers ?? {}).flatMap(([word, tier]) => tierOf(`${path}.tiers.${word}`, tier)),
      ]),
      ...(isWrong('demo') || !demo ? [] : demoProblems(issuers[0]?.[0])),
      ...apiKeys.flatMap(([path, key]) => tierOf(`${path}.tier`, key.tier)),
      ...admins.flatMap(([path, admin]) => adminProblems(path, admin, env)),
      ...(isWrong('auth.metricsTokenEnv') ? [] : metricsProblems(auth?.metricsTokenEnv, env)),
      ...repeated(issuers, 'issuer', ({ issuer }) => issuer),
      ...repeated(issuers, 'name', (issuer) => nameOfIssuer(issuer)),
      ...repeated(apiKeys, 'name', ({ name }) => name),
      ...repeated(apiKeys, 'hash', ({ hash }) => hash),
      ...repeated(admins, 'name', ({ name }) => name),
      // One key for both would make every holder of an API key an administrator.
      ...repeated<{ hash?: string }>([...apiKeys, ...admins], 'hash', ({ hash }) => hash),
    ].filter(({ path }, index, all) => all.findIndex((other) => other.path === path) === index)
  }
}

/** Beside a real issuer every visitor could sign in as a member, and would take the demo for the shop. */
function demoProblems(issuerPath: string | undefined): ConfigProblem[] {
  if (issuerPath === undefined) return []
  const fix = `Remove --demo (the setting demo, MANGA_DEMO), or remove ${issuerPath}.`
  return [{ path: 'demo', given: `true, and ${issuerPath}`, allowed: 'true only without auth.issuers', fix }]
}

function keyProblems(path: string, { jwksUrl, secretEnv }: Issuer, env: Environment): ConfigProblem[] {
  if ((jwksUrl === undefined) === (secretEnv === undefined)) {
    const given = jwksUrl === undefined ? 'neither jwksUrl nor secretEnv' : 'both jwksUrl and secretEnv'
    const fix = 'Keep jwksUrl for an issuer that publishes its keys, secretEnv for one that shares a secret with us.'
    return [{ path, given, allowed: 'one of jwksUrl and secretEnv', fix }]
  }
  if (jwksUrl !== undefined) return addressProblems(`${path}.jwksUrl`, jwksUrl)
  const secret = env[secretEnv ?? '']
  const allowed = `a variable with a secret of at least ${SECRET_BYTES_MIN} bytes`
  const problem = { path: `${path}.secretEnv`, allowed }
  if (!secret)
    return [{ ...problem, given: `${secretEnv}, which is not set`, fix: `Set ${secretEnv} in the environment.` }]
  if (Buffer.byteLength(secret) >= SECRET_BYTES_MIN) return []
  const given = `${secretEnv}, which holds ${Buffer.byteLength(secret)} bytes`
  return [{ ...problem, given, fix: 'Use a longer secret, here and at the issuer: a short one can be guessed.' }]
}

function addressProblems(path: string, jwksUrl: string): ConfigProblem[] {
  const address = URL.canParse(jwksUrl) ? new URL(jwksUrl) : undefined
  if (address?.protocol === 'https:' || (address !== undefined && LOOPBACK.test(address.hostname))) return []
  const fix = 'Write it with https://: over http an attacker on the network could replace the keys.'
  return [{ path, given: JSON.stringify(jwksUrl), allowed: 'an https address, or http on this machine', fix }]
}

function algorithmProblems(path: string, issuer: Issuer): ConfigProblem[] {
  if (!Array.isArray(issuer.algorithms) || (issuer.jwksUrl === undefined) === (issuer.secretEnv === undefined))
    return []
  const isSecret = issuer.secretEnv !== undefined
  const unfit = algorithmsOf(issuer).filter((name) => name.startsWith('HS') !== isSecret)
  if (unfit.length === 0) return []
  const allowed = isSecret ? 'HS256, HS384, HS512 with secretEnv' : 'RS…, PS…, ES… and EdDSA with jwksUrl'
  const fix = 'Remove them: a public key must never be used as a secret, nor a secret as a public key.'
  return [{ path: `${path}.algorithms`, given: unfit.join(', '), allowed, fix }]
}

/** Without an audience, a token that the issuer made for any other program would also make its bearer an operator. */
function operatorProblems(path: string, { audience, operators }: Issuer): ConfigProblem[] {
  if (operators === undefined || audience !== undefined) return []
  const fix = `Add ${path}.audience: tokens that were made for another program must not sign operators in.`
  return [{ path: `${path}.audience`, given: 'nothing', allowed: 'an audience, with operators', fix }]
}

function nameProblems(path: string, issuer: Issuer): ConfigProblem[] {
  const name = nameOfIssuer(issuer)
  if (name === DEMO_ISSUER_NAME) {
    const fix = 'Choose another name: users of the demo have this one in their ids, and the limits of guests.'
    return [{ path: `${path}.name`, given: name, allowed: `any name but ${DEMO_ISSUER_NAME}`, fix }]
  }
  if (name !== undefined) return []
  const allowed = 'a short name, such as shop, when issuer is not an address'
  return [
    {
      path: `${path}.name`,
      given: 'nothing',
      allowed,
      fix: `Add ${path}.name. Do not change it later: it is part of the users' ids.`,
    },
  ]
}

function adminProblems(path: string, { hash, tokenEnv }: Admin, env: Environment): ConfigProblem[] {
  if ((hash === undefined) === (tokenEnv === undefined)) {
    const given = hash === undefined ? 'neither hash nor tokenEnv' : 'both hash and tokenEnv'
    return [{ path, given, allowed: 'one of hash and tokenEnv', fix: `${KEYGEN} --admin` }]
  }
  const token = tokenEnv === undefined ? undefined : env[tokenEnv]
  if (tokenEnv === undefined || (token !== undefined && token.length >= TOKEN_LENGTH_MIN)) return []
  const given = `${tokenEnv}, which ${token ? 'holds too short a token' : 'is not set'}`
  const allowed = `a variable with a token of at least ${TOKEN_LENGTH_MIN} random letters`
  return [{ path: `${path}.tokenEnv`, given, allowed, fix: `Set ${tokenEnv} in the environment. ${KEYGEN} --admin` }]
}

function metricsProblems(variable: string | undefined, env: Environment): ConfigProblem[] {
  const token = variable === undefined ? undefined : env[variable]
  if (variable === undefined || (token !== undefined && token.length >= TOKEN_LENGTH_MIN)) return []
  const given = `${variable}, which ${token ? 'holds too short a token' : 'is not set'}`
  const allowed = `a variable with a token of at least ${TOKEN_LENGTH_MIN} random letters`
  return [
    { path: 'auth.metricsTokenEnv', given, allowed, fix: `Set ${variable} in the environment. ${KEYGEN} --admin` },
  ]
}

function tierProblems(path: string, tier: string | undefined, names: readonly string[] | undefined): ConfigProblem[] {
  if (tier === undefined || names === undefined || names.includes(tier)) return []
  const fix = 'Change it, or add the tier to tiers.'
  return [{ path, given: JSON.stringify(tier), allowed: `one of ${names.join(', ')}`, fix }]
}

function repeated<Item>(
  items: readonly (readonly [string, Item])[],
  field: string,
  valueOf: (item: Item) => string | undefined,
): ConfigProblem[] {
  const first = new Map<string, string>()
  return items.flatMap(([path, item]) => {
    const value = valueOf(item)
    const earlier = value === undefined ? undefined : first.get(value)
    if (value !== undefined && earlier === undefined) first.set(value, path)
    if (earlier === undefined) return []
    const given = `the same as ${earlier}.${field}`
    return [{ path: `${path}.${field}`, given, allowed: 'each once', fix: `Change ${path}.${field}, or remove one.` }]
  })
}
