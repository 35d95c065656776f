// The name of a network in admission: its pseudonym, followed by the pseudonym of the wider network of the same owner if it is
// part of one.

const BETWEEN = '.'

export const joinNetworks = (network: string, wide: string): string => `${network}${BETWEEN}${wide}`

/** Splits a name into the network itself and the wider one, if there is one. */
export function networksIn(name: string): { readonly network: string; readonly wide: string | undefined } {
  const [network = '', wide] = name.split(BETWEEN)
  return { network, wide }
}
