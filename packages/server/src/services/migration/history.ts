// The parts of a move by which operators know what happened before it: what the models did, and the state of alarms.
import { isDeepStrictEqual } from 'node:util'
import { HISTORY_STEP_MS } from '#domain/model-history/model-meter.ts'
import type { HistoryStep } from '#domain/model-history/model-meter.ts'
import { isoTime } from '#lib/time/iso-time.ts'
import type { AlarmBoard } from '#ports/alarm-board/port.ts'
import { entriesOf } from '#ports/model-history/history-entries.ts'
import type { ModelHistory } from '#ports/model-history/port.ts'
import type { Part, PartOptions } from './part.ts'

export function modelHistoryPart({ counts, source, store, target }: PartOptions<ModelHistory>): Part {
  const movedStep = async (at: number) => (await target.read(at, at + HISTORY_STEP_MS))[0]
  return {
    name: 'model history: quarters of an hour',
    store,
    total: counts.historySteps,
    move: (each) =>
      each(source.historySteps(), async (step) => {
        // A step is added whole, and the id of a batch is forgotten within an hour: what is there was moved by an earlier run.
        if ((await movedStep(step.at)) === undefined) await target.add({ ...step, id: 'migration' })
      }),
    verify: (each, differs) =>
      each(source.historySteps(), async (step) => {
        const found = await movedStep(step.at)
        if (found === undefined || !isDeepStrictEqual(inOrder(found), inOrder(step))) differs(isoTime(step.at))
      }),
  }
}

/** Stores return the entries of a step in any order. */
const inOrder = (step: HistoryStep) => entriesOf(step).toSorted((one, other) => (one.key < other.key ? -1 : 1))

export function alarmsPart({ counts, source, store, target }: PartOptions<Pick<AlarmBoard, 'read' | 'write'>>): Part {
  const boards = counts.alarmStates === 0 ? [] : [source.alarms]
  return {
    name: 'state of alarms, with silences',
    store,
    total: counts.alarmStates,
    // The first version: a repeat is refused by the board, and changes nothing.
    move: (each) => each(boards, async (board) => void (await target.write((await board.read()).state, 0))),
    verify: (each, differs) =>
      each(boards, async (board) => {
        const [own, found] = await Promise.all([board.read(), target.read()])
        if (!isDeepStrictEqual(found.state, own.state)) differs('silences, incidents or messages')
      }),
  }
}
