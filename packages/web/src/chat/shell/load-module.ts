// Loads a module of the widget from the server that the script came from, checked against its hash.
import type { ModuleAddress } from '../../module-address.ts'

export async function loadModule<Module>(server: string, { path, integrity, imports }: ModuleAddress): Promise<Module> {
  const links = [{ path, integrity }, ...imports].map((module) => preload(server + module.path, module.integrity))
  try {
    return (await import(/* @vite-ignore */ server + path)) as Module
  } finally {
    for (const link of links) link.remove()
  }
}

/** Some browsers remember that an address failed, so a second try needs another one. */
export function againAt(address: ModuleAddress): ModuleAddress {
  return { ...address, path: `${address.path}?again=${Date.now()}` }
}

/** `import()` takes no hash, but it uses what a preload has fetched, and a preload is checked against one. */
function preload(href: string, integrity: string): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.crossOrigin = 'anonymous'
  link.integrity = integrity
  link.href = href
  document.head.append(link)
  return link
}
