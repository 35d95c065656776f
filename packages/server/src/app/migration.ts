// The parts of a move to other stores, for the wiring of `mangaassist migrate`.
export { alarmsPart, modelHistoryPart } from '#services/migration/history.ts'
export { kindPart } from '#services/migration/kinds.ts'
export type { Part, PartResult } from '#services/migration/part.ts'
export { accountsPart, conversationsPart, deferredPart, turnLogsPart } from '#services/migration/people.ts'
export { refusalsPart, turnRecordsPart, unitsPart } from '#services/migration/records.ts'
export { movePart, verifyPart } from '#services/migration/run-part.ts'
export type { RunPartOptions } from '#services/migration/run-part.ts'
export { calibrationsPart, ledgerPart, settingsPart, spendingPart } from '#services/migration/shop.ts'
