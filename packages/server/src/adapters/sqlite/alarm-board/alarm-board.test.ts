// Runs the contract of the alarm board on SQLite.
import { alarmBoardContract } from '#ports/alarm-board/contract.ts'
import { tempDatabase } from '#fixtures/stores/temp-database.ts'
import { sqliteAlarmBoard } from './alarm-board.ts'

alarmBoardContract('sqlite alarm board', async (context, clock) => {
  const database = tempDatabase(context, clock)
  const board = () => sqliteAlarmBoard({ database })
  return { board: board(), reopen: async () => board(), hasOwnReports: true }
})
