// The commands that this package adds to `mangaassist`, which loads them when one of them is asked for.
export { fleet } from './fleet.ts'
export { sim } from './sim.ts'
