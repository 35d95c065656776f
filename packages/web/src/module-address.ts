// Where the modules of the widget are: its panel, and its element for a page that has the chat in a frame. The build replaces this
// module with the hashed files that it has made; this one is for development, where the sources are served.

export interface FileAddress {
  /** A path on the server. */
  readonly path: string
  /** Subresource Integrity, empty in development. */
  readonly integrity: string
}

export interface ModuleAddress extends FileAddress {
  /** What it imports before it runs. */
  readonly imports: readonly FileAddress[]
}

export const panelAddress: ModuleAddress = { path: '/src/chat/chat-panel.ts', integrity: '', imports: [] }
export const frameAddress: ModuleAddress = { path: '/src/chat/shell/frame-element.ts', integrity: '', imports: [] }
