// A hostile client: floods of questions, oversized messages, other people's turns, invalid frames. It must cost other
// clients nothing and must never see their data.
import type { SeededRandom } from '../virtual/random.ts'
import { connect } from './client-connection.ts'
import type { FleetWorld } from './fleet-world.ts'

export interface HostileParts {
  readonly name: string
  readonly world: FleetWorld
  readonly random: SeededRandom
  /** The id of another client's turn. */
  readonly foreignTurn: () => string | undefined
}

const FLOOD = 40
const LONG_UNITS = 70_000
const LEAVES_AFTER_MS = 5000

export function startHostileClient({ random, foreignTurn, name, world }: HostileParts): void {
  const principal = { id: name, kind: 'guest', tier: 'free' } as const
  const wrong = random.pick(['flood', 'long', 'foreign', 'garbage'] as const)
  const turnId = foreignTurn()
  world.see(`hostile ${wrong}`)
  const connection = connect(world, principal, {
    onFrame(frame) {
      if (frame.type === 'ready') attack()
      if (frame.type === 'chunk' && frame.turnId === turnId) world.breach(`${name} was shown a turn of another client`)
    },
    onLost: () => {},
  })
  world.time.after(LEAVES_AFTER_MS, () => connection?.disconnect())

  function attack(): void {
    switch (wrong) {
      case 'flood':
        for (let sent = 0; sent < FLOOD; sent += 1) {
          connection?.send({ type: 'chat', requestId: `${name}-${sent}`, message: `${sent} ${name}` })
        }
        return
      case 'long':
        return connection?.send({ type: 'chat', requestId: name, message: 'あ'.repeat(LONG_UNITS) })
      case 'foreign':
        if (turnId === undefined) return
        connection?.send({ type: 'resume', turnId, offset: 0 })
        return connection?.send({ type: 'stop', turnId })
      case 'garbage':
        for (const frame of ['{', '[]', '{"type":"nonsense"}', 'null', '\u0000', '{"type":"chat"}'])
          connection?.send(frame)
    }
  }
}
