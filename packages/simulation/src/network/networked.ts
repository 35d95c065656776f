// Wraps a port of a shared store for one node: each listed verb is called over the node's link. The port behind it may
// be replaced while the node lives, for example by a restart of the store. Members that are not listed bypass the link.
import type { StoreLink } from './store-link.ts'

type Verb = (...args: never[]) => Promise<unknown>

export function networked<Port extends object>(
  link: StoreLink,
  {
    name,
    of,
    verbs,
    urgent,
  }: {
    readonly name: string
    readonly of: () => Port
    readonly verbs: readonly (keyof Port & string)[]
    /** The verb that is sent even while the circuit to the store is open. */
    readonly urgent?: keyof Port & string
  },
): Port {
  const travelling = Object.fromEntries(
    verbs.map((verb) => {
      const label = `${name}.${verb}`
      const call = (...args: never[]) => {
        const work = () => (of()[verb] as Verb).apply(of(), args)
        return verb === urgent ? link.ask(label, work) : link.call(label, work)
      }
      return [verb, call]
    }),
  )
  return { ...of(), ...travelling }
}
