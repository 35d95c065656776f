// Runs the contract of a search engine on the one in memory.
import { searchEngineContract } from '#ports/search-engine/contract.ts'
import { memorySearchEngine } from './search-engine.ts'

searchEngineContract('memory search engine', async () => {
  const state = { superseded: new Set<string>() }
  return { engine: memorySearchEngine(state), other: memorySearchEngine(state) }
})
