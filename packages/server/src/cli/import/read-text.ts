// The text of a file in pieces. It must be UTF-8, with or without a byte order mark; another encoding is recognised, and refused with
// what to do about it.
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { CommandError } from '../command.ts'

const SAMPLE_BYTES = 65_536
const JAPANESE = /[\u3040-\u30ff\u4e00-\u9fff]/

export async function* readText(path: string, onBytes: (bytes: number) => void = () => {}): AsyncGenerator<string> {
  // Fatal: a replacement character would be imported as a part of a name.
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let read = 0
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Uint8Array>) {
      read += chunk.length
      yield decoder.decode(chunk, { stream: true })
      onBytes(read)
    }
    yield decoder.decode()
  } catch (error) {
    throw error instanceof TypeError ? await notUtf8(path) : explained(path, error)
  }
}

function explained(path: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ENOENT') return new CommandError(`There is no file ${path}.`)
  return code === 'EISDIR' ? new CommandError(`${path} is a folder.`) : error
}

async function notUtf8(path: string): Promise<CommandError> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0)
    const encoding = encodingOf(buffer.subarray(0, bytesRead))
    const looks = encoding === undefined ? '' : ` It looks like ${encoding}.`
    const name = encoding === 'UTF-16' ? 'UTF-16' : 'CP932'
    return new CommandError(
      `${path} is not UTF-8, so nothing was imported.${looks} Save it as UTF-8, for example with: iconv -f ${name} -t UTF-8 ${path}`,
    )
  } finally {
    await file.close()
  }
}

function encodingOf(bytes: Uint8Array): 'Shift_JIS' | 'UTF-16' | undefined {
  const mark = `${bytes[0]} ${bytes[1]}`
  if (mark === '255 254' || mark === '254 255') return 'UTF-16'
  // Without `fatal`, because the sample may end inside a character.
  const text = new TextDecoder('shift_jis').decode(bytes)
  const wrong = [...text.matchAll(/\uFFFD/g)].length
  return JAPANESE.test(text) && wrong <= 1 + text.length / 1000 ? 'Shift_JIS' : undefined
}
