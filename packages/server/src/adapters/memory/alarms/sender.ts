// A sender that stores messages, for tests and simulations.
import type { AlarmMessage } from '#domain/alarms/message.ts'
import type { AlarmSender, SendEnd } from '#ports/alarm-sender/port.ts'

export interface MemoryAlarmSender extends AlarmSender {
  readonly sent: readonly AlarmMessage[]
}

export function memoryAlarmSender(
  name = 'memory',
  end: () => SendEnd = () => ({ outcome: 'delivered' }),
): MemoryAlarmSender {
  const sent: AlarmMessage[] = []
  return {
    name,
    kind: 'webhook',
    sent,
    async send(message) {
      const ended = end()
      if (ended.outcome === 'delivered') sent.push(message)
      return ended
    },
  }
}
