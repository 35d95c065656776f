// Measures the calls of every store's port, whatever its technology: how long each verb takes until its end or its error. Only verbs
// that return a promise are measured: the others use what the process already has.
import type { ChosenStores } from '#config/chosen-stores.ts'
import type { Clock } from '#ports/clock/port.ts'
import type { Telemetry } from '#ports/telemetry/port.ts'
import type { Stores } from './store-parts.ts'

interface TimedParts {
  readonly clock: Pick<Clock, 'now'>
  readonly telemetry: Pick<Telemetry, 'observe'>
}

type Verb = (...given: unknown[]) => unknown

/** A store in the process answers at once. */
const UNMEASURED: ReadonlySet<string> = new Set(['memory'])

export function timedStores(parts: TimedParts, stores: Stores, chosen: ChosenStores): Stores {
  const timed = Object.entries(stores).map(([store, port]) => {
    const technology = chosen[store as keyof Stores]
    return [store, UNMEASURED.has(technology) ? port : timedPort(parts, port, { store, technology })]
  })
  return Object.fromEntries(timed)
}

/** The same port, of which each verb is wrapped once. */
function timedPort<Port extends object>(
  { clock, telemetry }: TimedParts,
  port: Port,
  labels: { readonly store: string; readonly technology: string },
): Port {
  const wrapped = new Map<PropertyKey, Verb>()
  const timed = (name: string, verb: Verb): Verb => {
    const all = { ...labels, verb: name }
    return (...given) => {
      const from = clock.now()
      const result = verb.apply(port, given)
      if (!(result instanceof Promise)) return result
      const end = () => telemetry.observe('store_call_seconds', (clock.now() - from) / 1000, all)
      result.then(end, end)
      return result
    }
  }
  return new Proxy(port, {
    get(target, property) {
      const member: unknown = Reflect.get(target, property, target)
      if (typeof member !== 'function') return member
      if (typeof property === 'symbol') return member.bind(target) as Verb
      const known = wrapped.get(property)
      if (known !== undefined) return known
      const verb = timed(property, member as Verb)
      wrapped.set(property, verb)
      return verb
    },
  })
}
