// The name of a network as admission knows it: a pseudonym, and where the network is part of a wider one of the same owner, the
// pseudonym of that after it.

const BETWEEN = '.'

export const joinNetworks = (network: string, wide: string): string => `${network}${BETWEEN}${wide}`

/** The network itself, and the wider one if there is one. */
export function networksIn(name: string): { readonly network: string; readonly wide: string | undefined } {
  const [network = '', wide] = name.split(BETWEEN)
  return { network, wide }
}
