// Runs the contract of the alarm board in memory.
import { alarmBoardContract } from '#ports/alarm-board/contract.ts'
import { alarmBoardData, memoryAlarmBoard } from './board.ts'

alarmBoardContract('memory alarm board', async (_context, clock) => {
  const data = alarmBoardData()
  const open = () => memoryAlarmBoard({ clock, data })
  return { board: open(), reopen: async () => open() }
})
