// The contract of the edition board. `make` returns the boards of two nodes of one cluster, and their clock.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TestContext } from 'node:test'
import type { ManualClock } from '#fixtures/time/manual-clock.ts'
import { ANNOUNCED_MS } from './port.ts'
import type { EditionBoard } from './port.ts'

export interface TwoBoards {
  readonly boards: readonly [EditionBoard, EditionBoard]
  readonly clock: ManualClock
}

export function editionBoardContract(name: string, make: (context: TestContext) => Promise<TwoBoards>): void {
  test(`${name}: a node reads what the others said last, and not what it said itself`, async (context) => {
    const { boards } = await make(context)
    const [tokyo, osaka] = boards
    assert.deepEqual(await tokyo.announce('a'), [])
    assert.deepEqual(await osaka.announce('b'), ['a'])
    assert.deepEqual(await tokyo.announce('a'), ['b'])
    await osaka.announce('a')
    assert.deepEqual(await tokyo.announce('a'), ['a'])
  })

  test(`${name}: a node that says nothing any more is left out`, async (context) => {
    const { boards, clock } = await make(context)
    const [tokyo, osaka] = boards
    await osaka.announce('b')
    await clock.advance(ANNOUNCED_MS)
    assert.deepEqual(await tokyo.announce('a'), ['b'])
    await clock.advance(1)
    assert.deepEqual(await tokyo.announce('a'), [])
  })
}
