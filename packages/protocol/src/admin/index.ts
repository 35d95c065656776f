// What operators and `/api/admin` agree on. Apart from the rest: a shopper's page never loads it.
export * from './audit.ts'
export * from './data.ts'
export * from './lanes.ts'
export * from './limits.ts'
export * from './usage.ts'
