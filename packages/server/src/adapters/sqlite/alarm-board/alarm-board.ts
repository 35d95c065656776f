// The alarm board of one machine: the state is in SQLite, so that a restart neither repeats a message nor forgets that an alarm is to be
// resolved. The only reports are those of this process.
import { NO_ALARM_STATE } from '#domain/alarms/incidents.ts'
import type { NodeReport } from '#domain/alarms/incidents.ts'
import type { AlarmBoard } from '#ports/alarm-board/port.ts'
import { readReport, readState, reportText } from '#ports/alarm-board/stored-alarms.ts'
import type { Database } from '../files/database.ts'

export interface SqliteAlarmBoardOptions {
  readonly database: Database
}

const READ = 'SELECT version, state FROM alarm_state WHERE only_row = 1'
const INSERT = 'INSERT OR IGNORE INTO alarm_state (only_row, version, state) VALUES (1, 1, ?)'
const UPDATE = 'UPDATE alarm_state SET version = version + 1, state = ? WHERE only_row = 1 AND version = ?'

export function sqliteAlarmBoard({ database }: SqliteAlarmBoardOptions): AlarmBoard {
  const report = (given: NodeReport) => readReport(reportText(given))
  return {
    report: async (given) => [report(given)],
    async read() {
      const row = database.statement(READ).get()
      if (row === undefined) return { version: 0, state: NO_ALARM_STATE }
      return { version: Number(row['version']), state: readState(String(row['state'])) }
    },
    write(state, version) {
      const text = JSON.stringify(state)
      return database.write(() => {
        const { changes } =
          version === 0 ? database.statement(INSERT).run(text) : database.statement(UPDATE).run(text, version)
        return Number(changes) === 1
      })
    },
  }
}
