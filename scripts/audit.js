// `npm run audit`: the production packages of the lockfile against the advisories of the registry. Fails on one that is high or
// critical. A registry that offers no advisories, or none that can be reached, is reported in one line and passes: the check of
// a change must not depend on the network. An advisory that was found is never passed over.
import { npm } from './npm.js'
import { root } from './workspace.js'

const FAILING = ['critical', 'high']
/** A registry that does not answer is asked once, and not for long. */
const ASK_ONCE = ['--fetch-retries=0', '--fetch-timeout=30000']
const args = ['audit', '--package-lock-only', '--omit=dev', '--json', '--audit-level=none', ...ASK_ONCE]

const { error, stdout, stderr } = npm(args, { cwd: root })
const report = reportIn(stdout)
if (report === undefined) {
  console.log(`The registry offers no advisories (${reasonIn(stdout, stderr, error)}): the packages were not checked.`)
} else {
  const found = Object.values(report.vulnerabilities)
  const failing = found.filter(({ severity }) => FAILING.includes(severity))
  for (const vulnerability of found) console.log(described(vulnerability))
  if (failing.length > 0) {
    const names = failing.map(({ name }) => name).join(', ')
    console.error(`Production packages with a high or critical advisory: ${names}. Update them, or replace them.`)
    process.exitCode = 1
  } else console.log('No production package has a known high or critical advisory.')
}

/** What npm found; undefined when it has no report. */
function reportIn(text) {
  const parsed = parsedJson(text)
  return typeof parsed?.vulnerabilities === 'object' && parsed.vulnerabilities !== null ? parsed : undefined
}

function described({ name, range, severity, via = [] }) {
  const advisories = via.filter((cause) => typeof cause === 'object').map(({ title, url }) => `${title} ${url}`)
  const through = via.filter((cause) => typeof cause === 'string').map((cause) => `through ${cause}`)
  const versions = range ? ` ${range}` : ''
  return `${severity}: ${name}${versions}: ${[...advisories, ...through].join('; ')}`
}

/** Short reason on one line. */
function reasonIn(text, errors, failure) {
  const status = /\b[45]\d\d [A-Z][A-Za-z ]+/.exec(errors)?.[0]
  const parsed = parsedJson(text)
  const summary = status ?? parsed?.error?.summary ?? parsed?.message ?? failure?.message
  return String(summary || 'no answer')
    .split('\n')[0]
    .trim()
}

function parsedJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
