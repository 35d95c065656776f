// A port of a shared store as one node has it: every verb travels over the node's link. What lies behind may be exchanged
// while the node lives, as by a restart of the store. Members that are not named are reached without the way.
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
    /** The one that is sent also while calls are not made because the store keeps not answering. */
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
