// Sends a text that the server makes, compressed as the browser accepts it. Documents contain no secret, so that their compressed length
// reveals none.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)
/** Near gzip's time, and a tenth smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
/** Below this the headers weigh more than what is saved. */
const COMPRESSED_MIN_BYTES = 1024

export async function sendText(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  const varies = [reply.getHeader('vary') ?? [], 'Accept-Encoding'].flat().join(', ')
  reply.header('vary', varies)
  const body = Buffer.from(text)
  const encoding = body.length < COMPRESSED_MIN_BYTES ? undefined : acceptedEncoding(request.headers['accept-encoding'])
  if (encoding === undefined) return reply.send(body)
  return reply
    .header('content-encoding', encoding)
    .send(await (encoding === 'br' ? toBrotli(body, BROTLI) : toGzip(body)))
}

export function acceptedEncoding(header: string | string[] | undefined): 'br' | 'gzip' | undefined {
  const accepted = String(header ?? '')
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .filter((entry) => !/;\s*q=0(?:\.0*)?$/.test(entry))
    .map((entry) => entry.split(';')[0])
  return (['br', 'gzip'] as const).find((encoding) => accepted.includes(encoding))
}
