// Checks relations between settings, which the schema cannot express. An inner deadline that is longer than the outer
// one, or a share larger than its whole, would make turns fail much later and far from the cause.
import type { Config } from '../config.ts'
import { nearest } from '#lib/text/nearest.ts'
import type { SourceOf } from './check-shape.ts'
import { showGiven } from './problem.ts'
import type { ConfigProblem } from './problem.ts'

/** The usual limit of an API gateway for one request. */
const GATEWAY_LIMIT_MS = 29_000
const STALLED_MIN_MS = 1000
const ROUTES = ['rest', 'stream', 'v1'] as const
/** Limits of a single model, the deadline that each must be below, and why. */
const MODEL_LIMITS = [
  ['firstTokenMs', 'firstWordMs', 'there must be time to ask another model after a silent one'],
  ['thinkingMs', 'firstWordMs', 'a model that thinks too long must be stopped in time'],
  ['stallMs', 'endMs', 'a stalled model must be noticed before the end'],
] as const
const NO_MODELS = ['search', 'opensearch', 'catalogue', 'sessions', 'embedder', 'redis', 'dynamodb']
/** The circuits that `lanes.open` limits; the circuit of Redis has its own openings. */
const OPENED = ['primary', 'economy', 'search', 'opensearch', 'catalogue', 'sessions', 'embedder']

/** Settings whose own value is wrong (`isWrong`) are skipped: one mistake is reported once. */
export function checkRelations(
  config: Config,
  isWrong: (path: string) => boolean,
  sourceOf: SourceOf,
): ConfigProblem[] {
  return [
    ...orders(config),
    ...overload(config),
    ...sums(config),
    ...tiers(config),
    ...names(config),
    timeZone(config, sourceOf),
  ]
    .filter(({ paths, holds }) => !paths.some(isWrong) && !holds())
    .map(({ problem }) => problem())
}

// Functions, because a value of the wrong type must not be read.
interface Relation {
  readonly paths: readonly string[]
  readonly holds: () => boolean
  readonly problem: () => ConfigProblem
}

type Order = Readonly<Record<'lower' | 'upper' | 'why', string>> & { readonly kept?: string }

function orders(config: Config): Relation[] {
  const number = (path: string) => valueAt(config, path) as number
  const lessThan = ({ lower, upper, kept, why }: Order): Relation => {
    const limit = () => number(upper) - (kept === undefined ? 0 : number(kept))
    const minus = kept === undefined ? '' : ` minus ${kept}`
    return {
      paths: kept === undefined ? [lower, upper] : [lower, upper, kept],
      holds: () => number(lower) < limit(),
      problem: () => ({
        path: lower,
        given: `${number(lower)}`,
        allowed: `less than ${upper}${minus} (${limit()})`,
        fix: `Lower ${lower} or raise ${upper}: ${why}.`,
      }),
    }
  }
  const less = (lower: string, upper: string, why: string) => lessThan({ lower, upper, why })
  return [
    less('deadlines.noModelUnderMs', 'deadlines.economyUnderMs', 'the economy model is asked before none is'),
    less(
      'deadlines.adviseOverMs',
      'deadlines.rest.endMs',
      'a REST answer would have ended before the advice could be given',
    ),
    ...ROUTES.map((kind) =>
      less('deadlines.economyUnderMs', `deadlines.${kind}.firstWordMs`, 'the first model would never be asked'),
    ),
    ...ROUTES.map((kind) =>
      lessThan({
        lower: `deadlines.${kind}.firstWordMs`,
        upper: `deadlines.${kind}.endMs`,
        why: 'an answer must have time after its first word',
        kept: 'deadlines.settleMs',
      }),
    ),
    ...['rest', 'stream'].map((kind) =>
      less('answers.firstWordMs', `deadlines.${kind}.firstWordMs`, 'the promise ends before the outer wall'),
    ),
    ...ROUTES.flatMap((kind) => [
      less(
        'deadlines.firstTokenMs',
        `deadlines.${kind}.firstWordMs`,
        'there must be time to ask another model after a silent one',
      ),
      less('deadlines.stallMs', `deadlines.${kind}.endMs`, 'a stalled model must be noticed before the end'),
      less(
        'deadlines.thinkingMs',
        `deadlines.${kind}.firstWordMs`,
        'a model that thinks too long must be stopped in time',
      ),
    ]),
    ...Object.keys(config.models ?? {}).flatMap((name) => modelLimits(config, name, less)),
    ...(config.server?.lameDuckMs === undefined
      ? []
      : [less('server.lameDuckMs', 'server.drainMs', 'questions of its last moment need time for their answers')]),
    less('streaming.flushMs', 'streaming.heartbeatMs', 'text must not wait longer than a heartbeat'),
    less('streaming.flushBytes', 'streaming.frameBytesMax', 'what is flushed at once must fit a frame'),
    less('streaming.frameBytesMax', 'streaming.highWaterBytes', 'one frame must not make a client look slow'),
    less('turns.leaseMs', 'turns.holdMs', 'the node that continues a lost turn must find its budget still held'),
    less('summaries.outputTokens', 'summaries.inputTokens', 'each summary is part of the input of the next'),
    ...ROUTES.map((kind) =>
      less('queue.reserveMs', `deadlines.${kind}.firstWordMs`, 'no turn could ever wait in the queue'),
    ),
    less('idempotency.doubleTapMs', 'idempotency.afterEndMs', 'a double tap must be remembered for a shorter time'),
    less('answers.freshMs', 'answers.keepMs', 'a stale answer is a fallback only while it is stored'),
    less('deferred.leaseMs', 'deferred.waitMs', 'another node must be able to take the question of a lost one'),
    less('deferred.leaseMs', 'deadlines.stream.endMs', 'a question that two nodes ask must be recognised as the same'),
  ]
}

/** The limits of a model must fit the deadlines of the routes that can ask it. */
function modelLimits(
  config: Config,
  name: string,
  less: (lower: string, upper: string, why: string) => Relation,
): Relation[] {
  const own = config.models[name]
  const asked = asksShoppers(config, name)
  const orElse = asked ? ', or take it off the ladder if only /v1 uses it' : ''
  return (asked ? ROUTES : (['v1'] as const)).flatMap((kind) =>
    MODEL_LIMITS.filter(([limit]) => own?.[limit] !== undefined).map(([limit, deadline, why]) =>
      less(`models.${name}.${limit}`, `deadlines.${kind}.${deadline}`, `${why}${orElse}`),
    ),
  )
}

/** Whether it answers shoppers: it is on the ladder, or a fallback of a model on it. */
function asksShoppers({ ladder, models }: Config, name: string): boolean {
  const onLadder: readonly string[] = Array.isArray(ladder) ? ladder : []
  return onLadder.some((rung) => rung === name || models[rung]?.fallbacks?.includes(name) === true)
}

function overload(config: Config): Relation[] {
  const number = (path: string) => valueAt(config, path) as number
  const openings = OPENED.map((role) => `lanes.circuits.${role}.openMs`)
  const [shortestOpening = ''] = openings.toSorted((one, other) => number(one) - number(other))
  const atMost = (lower: string, upper: string, why: string): Relation => ({
    paths: [lower, upper],
    holds: () => number(lower) <= number(upper),
    problem: () => ({
      path: lower,
      given: `${number(lower)}`,
      allowed: `at most ${upper} (${number(upper)})`,
      fix: `Lower ${lower} or raise ${upper}: ${why}.`,
    }),
  })
  return [
    atMost(
      'deadlines.noModelUnderMs',
      'queue.reserveMs',
      'a question that waited in the queue must still have time for a model',
    ),
    atMost('lanes.open.firstMs', 'lanes.open.maxMs', 'the duration of openings grows from the first to the maximum'),
    atMost('lanes.open.maxMs', shortestOpening, 'lanes.circuits is the ceiling'),
    atMost(
      'retries.attemptsPerModelMax',
      'retries.attemptsPerTurnMax',
      'one model must not have more attempts than all of them',
    ),
  ]
}

function sums({ deadlines, turns, streaming, server, tokens, probe }: Config): Relation[] {
  // The time between two rounds has a jitter of ± 25 %.
  const nextProbe = () => Math.ceil(probe.everyMs * 1.25) + probe.deadlineMs
  const polling = () => streaming.stalledPollMs * streaming.stalledPollsMax
  const shares = () => tokens.systemShare + tokens.retrievalShare + tokens.safetyShare
  return [
    {
      paths: ['deadlines.rest.endMs'],
      holds: () => deadlines.rest.endMs < GATEWAY_LIMIT_MS,
      problem: () => ({
        path: 'deadlines.rest.endMs',
        given: `${deadlines.rest.endMs}`,
        allowed: `less than ${GATEWAY_LIMIT_MS}`,
        fix: 'Lower it: gateways in front cut a request off at 29 s, and the shopper would see an error.',
      }),
    },
    {
      paths: ['turns.renewMs', 'turns.leaseMs'],
      holds: () => turns.renewMs * 2 < turns.leaseMs,
      problem: () => ({
        path: 'turns.renewMs',
        given: `${turns.renewMs}`,
        allowed: `less than half of turns.leaseMs (${turns.leaseMs / 2})`,
        fix: 'Lower it or raise turns.leaseMs: one late renewal must not lose a turn.',
      }),
    },
    {
      paths: ['streaming.stalledPollMs', 'streaming.stalledPollsMax', 'server.connectionIdleMs'],
      holds: () => polling() >= STALLED_MIN_MS && polling() < server.connectionIdleMs,
      problem: () => ({
        path: 'streaming.stalledPollsMax',
        given: `${streaming.stalledPollsMax}, which times streaming.stalledPollMs (${streaming.stalledPollMs}) is ${polling()} ms`,
        allowed: `a product from ${STALLED_MIN_MS} ms to less than server.connectionIdleMs (${server.connectionIdleMs})`,
        fix: 'Change streaming.stalledPollsMax or streaming.stalledPollMs: a slow client needs enough time, but not unlimited.',
      }),
    },
    {
      paths: ['tokens.systemShare', 'tokens.retrievalShare', 'tokens.safetyShare', 'tokens.inputPerRequestMax'],
      holds: () => shares() < tokens.inputPerRequestMax,
      problem: () => ({
        path: 'tokens.inputPerRequestMax',
        given: `${tokens.inputPerRequestMax}`,
        allowed: `more than systemShare + retrievalShare + safetyShare (${shares()})`,
        fix: 'Raise tokens.inputPerRequestMax or lower the shares: the question needs room too.',
      }),
    },
    {
      paths: ['probe.staleMs', 'probe.everyMs', 'probe.deadlineMs'],
      holds: () => probe.staleMs >= nextProbe(),
      problem: () => ({
        path: 'probe.staleMs',
        given: `${probe.staleMs}`,
        allowed: `at least 1.25 × probe.everyMs + probe.deadlineMs (${nextProbe()})`,
        fix: 'Raise it or lower the others: a result must not be stale before the next one is there.',
      }),
    },
    {
      paths: ['tokens.retrievedInPrompt', 'tokens.retrieved'],
      holds: () => tokens.retrievedInPrompt <= tokens.retrieved,
      problem: () => ({
        path: 'tokens.retrievedInPrompt',
        given: `${tokens.retrievedInPrompt}`,
        allowed: `at most tokens.retrieved (${tokens.retrieved})`,
        fix: 'Lower it or raise tokens.retrieved: only what was found can be shown.',
      }),
    },
  ]
}

function tiers(config: Config): Relation[] {
  const atLeast = (path: string, minimumPath: string): Relation => {
    const value = () => valueAt(config, path) as number
    const minimum = () => valueAt(config, minimumPath) as number
    return {
      paths: [path, minimumPath],
      holds: () => value() >= minimum(),
      problem: () => ({
        path,
        given: `${value()}`,
        allowed: `at least ${minimumPath} (${minimum()})`,
        fix: `Raise ${path} or lower ${minimumPath}: no user of this tier could ask anything.`,
      }),
    }
  }
  const free: Relation = {
    paths: ['tiers'],
    holds: () => Object.hasOwn(config.tiers, 'free'),
    problem: () => ({
      path: 'tiers',
      given: Object.keys(config.tiers).join(', '),
      allowed: 'tiers that include free',
      fix: 'Add a tier named free: guests are of that tier.',
    }),
  }
  return [
    free,
    ...Object.keys(config.tiers ?? {}).flatMap((name) => [
      atLeast(`tiers.${name}.outputTokensPerRequest`, 'tokens.outputUsefulMin'),
      atLeast(`tiers.${name}.outputTokensPerDay`, `tiers.${name}.outputTokensPerRequest`),
      atLeast(`tiers.${name}.inputTokensPerDay`, 'tokens.inputPerRequestMax'),
    ]),
  ]
}

function names(config: Config): Relation[] {
  const strangers = () => config.ladder.filter((name) => !Object.hasOwn(config.models, name))
  return [
    {
      paths: ['ladder', 'models'],
      holds: () => strangers().length === 0,
      problem: () => ({
        path: 'ladder',
        given: showGiven('ladder', strangers()),
        allowed: `names of models: ${Object.keys(config.models).join(', ')}`,
        fix: 'Add the model to models, or take its name off the ladder.',
      }),
    },
    ...reservedNames(config),
    ...Object.keys(config.models ?? {}).map((name) => fallbacksOf(config, name)),
    ...Object.entries(config.tiers ?? {}).map(([name, tier]) =>
      modelsKnown(config, [`tiers.${name}`, 'models'], () => tier.models),
    ),
    ...(Array.isArray(config.auth?.apiKeys) ? config.auth.apiKeys : []).map((key, index) =>
      modelsKnown(config, [`auth.apiKeys[${index}]`, 'models'], () => key.models),
    ),
    {
      paths: ['store.handover.url', 'store.handover.urlEnv'],
      holds: () => {
        const { handover } = config.store
        return handover === undefined || (handover.url === undefined) !== (handover.urlEnv === undefined)
      },
      problem: () => ({
        path: 'store.handover',
        given: config.store.handover?.url === undefined ? 'neither url nor urlEnv' : 'both url and urlEnv',
        allowed: 'one of url and urlEnv',
        fix: 'Set one of them: the address of the webhook, or the environment variable that holds it.',
      }),
    },
  ]
}

function timeZone(config: Config, sourceOf: SourceOf): Relation {
  const path = 'store.timeZone'
  return {
    paths: [path],
    holds: () => isTimeZone(config.store.timeZone),
    problem: () => {
      const meant = zoneNear(config.store.timeZone)
      const hint = meant === undefined ? '' : `Did you mean ${JSON.stringify(meant)}? `
      return {
        path,
        given: showGiven(path, config.store.timeZone),
        allowed: 'an IANA time zone, such as Asia/Tokyo: daily budgets start again at its midnight',
        fix: `${hint}Change ${sourceOf(path)}, or remove it for the default.`,
      }
    },
  }
}

/** Recognises a city alone, or a misspelt name. Abbreviations such as JST resemble many zones, so none is suggested. */
function zoneNear(given: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => zone.includes('/'))
  const city = `/${given.toLowerCase()}`
  return zones.find((zone) => zone.toLowerCase().endsWith(city)) ?? nearest(given, zones)
}

/** A model with the name of a dependency would share its series in `/metrics`, and its lane in the admin API. */
const reservedNames = (config: Config): Relation[] =>
  NO_MODELS.map((name) => ({
    paths: ['models'],
    holds: () => !Object.hasOwn(config.models, name),
    problem: () => ({
      path: `models.${name}`,
      given: `a model named ${name}`,
      allowed: `any name but ${NO_MODELS.join(', ')}`,
      fix: 'Rename the model: these are the names of other lanes.',
    }),
  }))

function fallbacksOf(config: Config, name: string): Relation {
  const path = `models.${name}.fallbacks`
  const given = () => config.models[name]?.fallbacks ?? []
  const strangers = () => given().filter((other) => other === name || !Object.hasOwn(config.models, other))
  return {
    paths: ['models', path],
    holds: () => strangers().length === 0,
    problem: () => ({
      path,
      given: showGiven(path, strangers()),
      allowed: `names of other models: ${Object.keys(config.models).join(', ')}`,
      fix: `Add the model to models, or take its name out of ${path}.`,
    }),
  }
}

function modelsKnown(
  config: Config,
  [owner, field]: readonly [string, string],
  given: () => readonly string[] | undefined,
): Relation {
  const path = `${owner}.${field}`
  const strangers = () => (given() ?? []).filter((name) => !Object.hasOwn(config.models, name))
  return {
    paths: ['models', owner, path],
    holds: () => strangers().length === 0,
    problem: () => ({
      path,
      given: showGiven(path, strangers()),
      allowed: `names of models: ${Object.keys(config.models).join(', ')}`,
      fix: `Add the model to models, or take its name out of ${path}.`,
    }),
  }
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0)
    return true
  } catch {
    return false
  }
}

function valueAt(config: Config, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], config)
}
