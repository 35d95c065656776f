// The data folder cannot be used as it is. The message is for the person who started the program: what is
// wrong, with which file, and what to do. Nothing in the folder was changed.

export class DataDirError extends Error {
  /** The file or folder that caused the error. */
  readonly path: string

  constructor(path: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'DataDirError'
    this.path = path
  }
}

/** Another process holds the folder's lock. */
export class DataDirInUse extends DataDirError {
  /** Undefined when the holder's process id is not known. */
  readonly pid: number | undefined
  /** Who holds it, for the reader. */
  readonly holder: string

  constructor(path: string, { pid, cause }: { readonly pid: number | undefined; readonly cause: unknown }) {
    const holder = pid === undefined ? 'another process' : `process ${pid}`
    super(
      path,
      `The data folder ${path} is in use by ${holder}. Stop it first, or set DATA_DIR to another folder.`,
      cause,
    )
    this.name = 'DataDirInUse'
    this.pid = pid
    this.holder = holder
  }
}
