// The schemas of `/api/admin`. A separate entry, so that a shopper's page never loads them.
export * from './audit.ts'
export * from './catalogue.ts'
export * from './data.ts'
export * from './experiments.ts'
export * from './feedback.ts'
export * from './lanes.ts'
export * from './limits.ts'
export * from './usage.ts'
