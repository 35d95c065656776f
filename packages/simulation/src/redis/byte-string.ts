// Redis values are bytes. Here a value is a string with one character per byte: cheap to store, to compare in the order
// of Redis, and to copy into the memory of Lua. It is converted from and to UTF-8 only at the boundary.

const NOT_ASCII = /[^\0-\x7F]/u

export function bytesOf(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text
}

export function textOf(bytes: string): string {
  return NOT_ASCII.test(bytes) ? Buffer.from(bytes, 'latin1').toString('utf8') : bytes
}
