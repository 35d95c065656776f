// The data directory cannot be used as it is. The message is for the person who started the program: what is
// wrong, with which file, and what to do. Nothing in the directory was changed.

export class DataDirError extends Error {
  /** The file or directory that is in the way. */
  readonly path: string

  constructor(path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'DataDirError'
    this.path = path
  }
}
