// Runs the contract of senders in memory.
import { alarmSenderContract } from '#ports/alarm-sender/contract.ts'
import { memoryAlarmSender } from './sender.ts'

alarmSenderContract('memory sender', async () => {
  const sender = memoryAlarmSender()
  const refused = memoryAlarmSender('refused', () => ({ outcome: 'failed', reason: 'it refuses' }))
  return { sender, received: () => JSON.stringify(sender.sent), refused }
})
