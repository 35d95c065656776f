// Redis being away as a value, for those who go on without it. Used by the turn log.
import { RedisUnavailable } from '../client/connection.ts'

/** The answer, or that Redis is away. */
export async function orUnavailable<Answer>(ask: () => Promise<Answer>): Promise<Answer | RedisUnavailable> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof RedisUnavailable) return error
    throw error
  }
}
