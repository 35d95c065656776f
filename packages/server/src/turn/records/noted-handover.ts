// Calls of a person, which the records of their turns say.
import type { Handover } from '#ports/handover/port.ts'
import type { TurnRecorder } from './recorder.ts'

/** A call that was not made, or that no one accepted, is not noted. */
export function notedHandover(handover: Handover, recorder: Pick<TurnRecorder, 'note'>): Handover {
  return {
    isFree: () => handover.isFree(),
    async call(call) {
      const end = await handover.call(call)
      if (end === 'delivered') void recorder.note(call.turnId, { handedOver: true })
      return end
    },
  }
}
