// The commands that this package adds to `mangaassist`, which loads them on demand.
export { fleet } from './fleet.ts'
export { searchEngine } from './search-engine.ts'
export { sim } from './sim.ts'
