// Writes `data/bundled-turns.csv`: the turns over which a shop without turns of its own sees what routing would save. Again after a
// change of the weights of complexity, of the system prompts or of how the built-in responder answers.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundled } from '../packages/server/src/config/installation.ts'
import { writeBundledTurns } from '../packages/server/src/wiring/bundled-turns.ts'
import { heldTurns } from './routing/held-turns.ts'

const turns = await heldTurns()
const path = join(bundled.data, 'bundled-turns.csv')
writeFileSync(path, writeBundledTurns(turns))
console.log(`${turns.length} turns in ${path}`)
