// The public API of the client: everything else in this folder is an implementation detail.
export { createClient } from './client.ts'
export { ChatError } from './chat-error.ts'
export type { ChatErrorCode } from './chat-error.ts'
export { createShop } from './shop.ts'
export type { Shop, ShopOptions } from './shop.ts'
export { createTickets } from './tickets.ts'
export type {
  ChatInput,
  ChatPart,
  Client,
  ClientOptions,
  ConnectionState,
  Conversations,
  FeedbackOptions,
  GuestKeeper,
  Page,
  Socket,
  SocketConstructor,
  WatchPart,
} from './types.ts'
