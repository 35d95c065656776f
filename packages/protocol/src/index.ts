// The schemas and types that server, client and web pages share.
export * from './api.ts'
export * from './dialogue.ts'
export * from './errors.ts'
export * from './frames.ts'
export * from './person.ts'
export * from './products.ts'
export * from './quota.ts'
export * from './vocabulary.ts'
